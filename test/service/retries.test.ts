/** Which requests are repeated, when, what holds up the others, and how long many creations take, in virtual time. */
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type Behavior,
  first,
  idOf,
  type Rule,
  systemError,
  VirtualService,
} from "./virtual-service.ts";

const id = idOf(1);

async function read(rule: Rule, options = {}) {
  const service = new VirtualService(rule, options);
  const result = await service.clock
    .run(service.client.course(id))
    .catch((error: Error) => error.message);
  return { service, result };
}

test("six retries, the default, last half a minute, in which the service may restart", async () => {
  const outage: Rule = (at) => (at < 30_000 ? systemError("ECONNREFUSED") : "take");
  const { service, result } = await read(outage, { latency: 0 });
  expect(result).toBeUndefined();
  const times = service.seen.map(({ left }) => left);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(pauses).toHaveLength(6);
  // Jitter only lengthens the pauses.
  for (const [index, pause] of pauses.entries()) {
    const usual = Math.min(20_000, 500 * 2 ** index);
    expect(pause).toBeGreaterThanOrEqual(usual);
    expect(pause).toBeLessThanOrEqual(1.1 * usual);
  }
});

test.each([
  ["3", 3000],
  ["90", 60_000],
  ["Sat, 31 Jan 2026 12:00:04 GMT", 4000],
  ["soon", 500],
  ["-1", 500],
  ["0", 500],
])("after a 429 with Retry-After %s, requests wait %i ms", async (value, pause) => {
  const { service } = await read(first({ status: 429, headers: { "retry-after": value } }));
  const left = service.seen[1]?.left ?? 0;
  expect(left).toBeGreaterThanOrEqual(value.startsWith("Sat") ? pause : 100 + pause);
  expect(left).toBeLessThanOrEqual(100 + 1.1 * pause);
});

test.each([-3600, 0, 3600])(
  "a date in Retry-After counts from the Date of the response, with a clock that is %i s off",
  async (seconds) => {
    const date = "Sat, 31 Jan 2026 12:00:00 GMT";
    const headers = { date, "retry-after": "Sat, 31 Jan 2026 12:00:04 GMT" };
    const service = new VirtualService(first({ status: 429, headers }));
    service.clock.set(Date.parse(date) + seconds * 1000);
    await service.clock.run(service.client.course(id));
    expect(service.seen.map(({ left }) => left)).toEqual([0, 4100]);
  },
);

test("one request with its look-ups takes at most five minutes", async () => {
  for (const behavior of ["hang", { status: 429, headers: { "retry-after": "60" } }] as const) {
    const options = { retries: 100, timeout: 120_000 };
    const service = new VirtualService(() => behavior, options);
    const [outcome] = await service.create(1);
    expect(outcome?.status).toBe(behavior === "hang" ? "unknown" : "failed");
    expect(service.clock.elapsed()).toBeLessThanOrEqual(300_000);
  }
});

describe("other requests", () => {
  const limited = { status: 429, headers: { "retry-after": "2" } };

  test("no request starts before the time that a 429 or a 503 with Retry-After names", async () => {
    for (const status of [429, 503]) {
      const service = new VirtualService(first({ ...limited, status }), { concurrency: 2 });
      await service.create(6);
      const times = service.seen.map(({ left }) => left);
      // The second request was in flight already.
      expect(times.slice(0, 2)).toEqual([0, 0]);
      expect(Math.min(...times.slice(2))).toBe(2100);
    }
  });

  test("a pause without Retry-After doubles, and begins anew after a success", async () => {
    const refused = { status: 429 };
    const behaviors = [refused, refused, refused, "take", refused, "take"] as const;
    const service = new VirtualService(first(...behaviors), { concurrency: 1, latency: 0 });
    await service.create(2);
    const times = service.seen.map(({ left }) => left);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const expected = [500, 1000, 2000, 0, 500];
    for (const [index, usual] of expected.entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(usual);
      expect(pauses[index]).toBeLessThanOrEqual(1.1 * usual);
    }
  });

  test.each<[string, Behavior]>([
    ["503 without Retry-After", { status: 503 }],
    ["502 with Retry-After", { status: 502, headers: { "retry-after": "30" } }],
    ["a refused connection", systemError("ECONNREFUSED")],
  ])("%s delays only its own request, which holds no place in the queue", async (_, behavior) => {
    const service = new VirtualService(first(behavior), { concurrency: 1 });
    await service.create(5);
    expect(service.lines.slice(0, 5)).toEqual(["POST 1", "POST 2", "POST 3", "POST 4", "POST 5"]);
    expect(service.seen[4]?.left).toBe(400);
  });

  test("many requests that pause at the same time cause no warning of Node.js", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const service = new VirtualService(
      (_, number) => (number % 2 === 0 ? { status: 502 } : "take"),
      { concurrency: 20 },
    );
    await service.create(100);
    expect(warnings).toEqual([]);
  });

  test("stop ends pauses and starts no request, and those in flight are finished", async () => {
    const stop = new AbortController();
    const service = new VirtualService(
      (at, number) => {
        if (number === 3) stop.abort();
        return number === 1 && at === 0 ? { status: 502 } : "take";
      },
      { concurrency: 1, stop: stop.signal },
    );
    const outcomes = await service.create(4);
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses.sort().join()).toBe("done,done,failed,unknown");
    expect(service.lines).toEqual(["POST 1", "POST 2", "POST 3"]);
  });
});

/** Accepts at most `count` requests in any second. */
function slidingWindow(count: number, refused: Behavior): Rule {
  let taken: number[] = [];
  return (elapsed) => {
    taken = taken.filter((time) => time > elapsed - 1000);
    if (taken.length >= count) return refused;
    taken.push(elapsed);
    return "take";
  };
}

/** An outage of 25 seconds, which begins after five. */
const outage = (fault: Behavior): Rule => {
  return (at) => (at >= 5000 && at < 30_000 ? fault : "take");
};
const everyTenth = (status: number): Rule => {
  return (_, number) => (number % 10 === 0 ? { status } : "take");
};
const LATER = { status: 429, headers: { "retry-after": "1" } };

test.each<[most: number, circumstances: string, rule: Rule]>([
  [10, "without faults", () => "take"],
  [20, "if every tenth response is a 502", everyTenth(502)],
  [20, "if every tenth response is a 503", everyTenth(503)],
  [50, "with an outage of 25 seconds of refused connections", outage(systemError("ECONNREFUSED"))],
  [50, "with an outage of 25 seconds of 503", outage({ status: 503 })],
  [50, "with an outage of 25 seconds of lost connections", outage(systemError("ECONNRESET"))],
  [57, "with a limit of ten requests per second", slidingWindow(10, { status: 429 })],
  [57, "with a limit of ten requests per second and Retry-After", slidingWindow(10, LATER)],
])("400 creations at 100 ms an answer take at most %i seconds %s", async (most, _, rule) => {
  const service = new VirtualService(rule);
  expect(await service.create(400)).toEqual(Array(400).fill({ status: "done" }));
  expect(service.courses.size).toBe(400);
  expect(service.clock.elapsed()).toBeLessThanOrEqual(most * 1000);
});

test("while the service is down, at most twice as many changes begin as requests may be in flight", async () => {
  const stop = new AbortController();
  const down: Rule = (at) => {
    if (at >= 25_000) stop.abort();
    return { status: 502 };
  };
  const service = new VirtualService(down, { stop: stop.signal });
  await service.create(400);
  expect(new Set(service.lines.filter((line) => line.startsWith("POST"))).size).toBe(8);
});
