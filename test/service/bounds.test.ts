/** How long many creations take at a service that fails or limits requests, in virtual time. */
import { describe, expect, test } from "vitest";
import { type Behavior, type Rule, systemError, VirtualService } from "./virtual-service.ts";

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

/** Accepts at most `count` requests in each second of the clock. */
function fixedWindow(count: number, refused: Behavior): Rule {
  let [current, taken] = [-1, 0];
  return (elapsed) => {
    const window = Math.floor(elapsed / 1000);
    taken = window === current ? taken + 1 : 1;
    current = window;
    return taken > count ? refused : "take";
  };
}

/** A bucket of `count` tokens, refilled in a second. */
function tokenBucket(count: number, refused: Behavior): Rule {
  let [held, last] = [count, 0];
  return (elapsed) => {
    held = Math.min(count, held + ((elapsed - last) * count) / 1000);
    last = elapsed;
    if (held < 1) return refused;
    held--;
    return "take";
  };
}

/** Creates 400 courses at 100 ms an answer. @returns the milliseconds that it took */
async function timeOf(rule: Rule): Promise<number> {
  const service = new VirtualService(rule);
  const outcomes = await service.create(400);
  expect(outcomes).toEqual(Array(400).fill({ status: "done" }));
  expect(service.courses.size).toBe(400);
  return service.clock.elapsed();
}

test("without faults, 400 creations take ten seconds", async () => {
  expect(await timeOf(() => "take")).toBe(10_000);
});

test.each([502, 503])(
  "if every tenth response is a %i, 400 creations take at most twice the time",
  async (status) => {
    const time = await timeOf((_, number) => (number % 10 === 0 ? { status } : "take"));
    expect(time).toBeLessThanOrEqual(20_000);
  },
);

test.each<[string, Behavior]>([
  ["refused connections", systemError("ECONNREFUSED")],
  ["502", { status: 502 }],
  ["503", { status: 503 }],
  ["lost connections", systemError("ECONNRESET")],
])("an outage of 25 seconds with %s costs at most 40 seconds", async (_, fault) => {
  const time = await timeOf((at) => (at >= 5000 && at < 30_000 ? fault : "take"));
  expect(time).toBeLessThanOrEqual(50_000);
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

describe.each([
  ["without Retry-After", { status: 429 }],
  ["with Retry-After", { status: 429, headers: { "retry-after": "1" } }],
] as const)("a limit of ten requests per second, %s", (_, refused) => {
  test.each([
    ["sliding window", slidingWindow],
    ["fixed window", fixedWindow],
    ["token bucket", tokenBucket],
  ] as const)(
    "400 creations take at most 57 seconds with a limit of ten requests per second: %s",
    async (_name, limit) => {
      expect(await timeOf(limit(10, refused))).toBeLessThanOrEqual(57_000);
    },
  );
});
