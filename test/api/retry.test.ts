/** The retry decision as a pure function (cli.md section 8). */
import { describe, expect, test } from "vitest";
import { BUDGET, decide, isUncertain, type Outcome } from "../../src/api/retry-policy.ts";
import { TransportError } from "../../src/api/transport.ts";

const policy = { retries: 4, budget: BUDGET };
const standing = { attempt: 1, elapsed: 0, now: Date.UTC(2026, 0, 1), random: 1 };

function answered(status: number, headers = {}, hasHint = false): Outcome {
  return { answer: { status, headers, text: "" }, hasHint };
}

describe("what is repeated", () => {
  test.each([429, 500, 502, 503, 504])("%i without a hint", (status) => {
    expect(decide(answered(status), standing, policy)).toEqual({ wait: 250 });
  });

  test.each([200, 204, 301, 400, 401, 404, 406, 409, 501])("not %i", (status) => {
    expect(decide(answered(status), standing, policy)).toBe("stop");
  });

  test("not a 500 that carries a hint: that is the service's way to refuse", () => {
    expect(decide(answered(500, {}, true), standing, policy)).toBe("stop");
  });

  test("a lost connection, but not a refused certificate", () => {
    const lost = { noAnswer: new TransportError("cut", { code: "ECONNRESET" }) };
    const untrusted = { noAnswer: new TransportError("no", { code: "CERT", passing: false }) };
    expect(decide(lost, standing, policy)).toEqual({ wait: 250 });
    expect(decide(untrusted, standing, policy)).toBe("stop");
  });

  test("as often as allowed, and no more", () => {
    expect(decide(answered(503), { ...standing, attempt: 4 }, policy)).not.toBe("stop");
    expect(decide(answered(503), { ...standing, attempt: 5 }, policy)).toBe("stop");
    expect(decide(answered(503), standing, { ...policy, retries: 0 })).toBe("stop");
  });
});

describe("the pause", () => {
  test("grows, and lies by chance between half and the whole", () => {
    const pauses = [1, 2, 3, 4].map((attempt) =>
      decide(answered(503), { ...standing, attempt }, { ...policy, retries: 9 }),
    );
    expect(pauses).toEqual([{ wait: 250 }, { wait: 500 }, { wait: 1000 }, { wait: 2000 }]);
    expect(decide(answered(503), { ...standing, random: 0 }, policy)).toEqual({ wait: 125 });
  });

  test("is what Retry-After says, in seconds or as a date, up to a minute", () => {
    const wait = (text: string) => decide(answered(429, { "retry-after": text }), standing, policy);
    expect(wait("3")).toEqual({ wait: 3000 });
    expect(wait("Thu, 01 Jan 2026 00:00:07 GMT")).toEqual({ wait: 7000 });
    expect(wait("Wed, 31 Dec 2025 00:00:00 GMT")).toEqual({ wait: 250 });
    expect(wait("0")).toEqual({ wait: 250 });
    expect(wait("1.5")).toEqual({ wait: 250 });
    expect(wait("3600")).toEqual({ wait: 60_000 });
    expect(wait("soon")).toEqual({ wait: 250 });
  });

  test("never leads past five minutes for all attempts together", () => {
    expect(decide(answered(503), { ...standing, elapsed: BUDGET - 100 }, policy)).toBe("stop");
    expect(decide(answered(503), { ...standing, elapsed: BUDGET - 251 }, policy)).toEqual({
      wait: 250,
    });
  });
});

test("an outcome is uncertain when the service may have done what it did not answer", () => {
  expect(isUncertain({ noAnswer: new TransportError("cut", { code: "ECONNRESET" }) })).toBe(true);
  expect([500, 502, 503, 504].map((status) => isUncertain(answered(status)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([201, 400, 409, 429].map((status) => isUncertain(answered(status)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
