/** The retry decision as a pure function. */
import { describe, expect, test } from "vitest";
import {
  decideRetry,
  isUncertain,
  type Outcome,
  RETRY_BUDGET,
  retryAfter,
} from "../../src/service/retry-policy.ts";
import { TransportError } from "../../src/service/transport.ts";

const state = {
  ...{ attempt: 1, throttled: 0, elapsed: 0, now: Date.UTC(2026, 0, 1), random: 1 },
  ...{ retries: 4, budget: RETRY_BUDGET },
};

function respond(status: number, headers = {}, hasHint = false) {
  return { response: { status, headers, body: Buffer.alloc(0) }, hasHint } satisfies Outcome;
}

describe("retries", () => {
  test.each([429, 500, 502, 503, 504])("HTTP %i without a hint is retried", (status) => {
    expect(decideRetry(respond(status), state)).toBe(250);
  });

  test.each([200, 204, 301, 400, 401, 404, 406, 409, 501])("HTTP %i is not retried", (status) => {
    expect(decideRetry(respond(status), state)).toBeUndefined();
  });

  test("HTTP 500 with a hint is not retried, because the service rejects requests in this way", () => {
    expect(decideRetry(respond(500, {}, true), state)).toBeUndefined();
  });

  test("a closed connection is retried, but an untrusted certificate is not", () => {
    const lost = { error: new TransportError("closed", { code: "ECONNRESET" }) };
    const untrusted = { error: new TransportError("no", { code: "CERT", retryable: false }) };
    expect(decideRetry(lost, state)).toBe(250);
    expect(decideRetry(untrusted, state)).toBeUndefined();
  });

  test("a request is retried as often as allowed, and no more", () => {
    expect(decideRetry(respond(503), { ...state, attempt: 4 })).toBeDefined();
    expect(decideRetry(respond(503), { ...state, attempt: 5 })).toBeUndefined();
    expect(decideRetry(respond(503), { ...state, retries: 0 })).toBeUndefined();
  });
});

describe("pauses", () => {
  test("the pause doubles with each attempt, with jitter between half and all of it", () => {
    const pauses = [1, 2, 3, 4].map((attempt) =>
      decideRetry(respond(503), { ...state, attempt, retries: 9 }),
    );
    expect(pauses).toEqual([250, 500, 1000, 2000]);
    expect(decideRetry(respond(503), { ...state, random: 0 })).toBe(125);
  });

  test("the pause is as long as Retry-After requests, in seconds or as a date, up to a minute", () => {
    const wait = (text: string) => decideRetry(respond(502, { "retry-after": text }), state);
    expect(wait("3")).toBe(3000);
    expect(wait("Thu, 01 Jan 2026 00:00:07 GMT")).toBe(7000);
    expect(wait("Wed, 31 Dec 2025 00:00:00 GMT")).toBe(250);
    expect(wait("0")).toBe(250);
    expect(wait("1.5")).toBe(250);
    expect(wait("3600")).toBe(60_000);
    expect(wait("soon")).toBe(250);
  });

  test("the rate limiter, not the request, waits for Retry-After after 429 and 503", () => {
    const headers = { "retry-after": "30" };
    expect(decideRetry(respond(429, headers), state)).toBe(250);
    expect(decideRetry(respond(503, headers), state)).toBe(250);
    expect(retryAfter(respond(429, headers).response, state.now)).toBe(30_000);
    const late = { ...state, elapsed: RETRY_BUDGET - 30_000 };
    expect(decideRetry(respond(429, headers), late)).toBeUndefined();
  });

  test("all attempts together never exceed five minutes", () => {
    expect(decideRetry(respond(503), { ...state, elapsed: RETRY_BUDGET - 100 })).toBeUndefined();
    expect(decideRetry(respond(503), { ...state, elapsed: RETRY_BUDGET - 251 })).toBe(250);
  });
});

test("an outcome is uncertain if the service may have done what it did not confirm", () => {
  expect(isUncertain({ error: new TransportError("closed", { code: "ECONNRESET" }) })).toBe(true);
  const refused = new TransportError("refused", { code: "ECONNREFUSED" });
  expect(isUncertain({ error: refused })).toBe(false);
  const uncertain = [408, 425, 499, 500, 501, 502, 503, 504, 507, 520, 521, 522, 523, 524];
  expect(uncertain.filter((status) => !isUncertain(respond(status)))).toEqual([]);
  expect([201, 400, 409, 429].filter((status) => isUncertain(respond(status)))).toEqual([]);
  expect(isUncertain(respond(500, {}, true))).toBe(false);
});
