/** How the client adapts to the rate limit of a service. */
import { describe, expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { someOf } from "../long.ts";
import {
  fixedWindow,
  idOf,
  LimitedService,
  type RateLimit,
  refusal,
  type SentRequest,
  slidingWindow,
  tokenBucket,
} from "./limited-service.ts";
import type { VirtualClock } from "./virtual-time.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Courses for a run that is much longer than the time without the service. */
const COUNT = 3000;
const always: RateLimit = () => "take";

/** The course of a request. */
function courseOf({ request }: SentRequest): string {
  const { body, url } = request;
  return body === undefined
    ? String(new URL(url).searchParams.get("id"))
    : JSON.parse(String(body)).id;
}

describe("a service without a limit", () => {
  test("512 creations of 50 ms, 16 in parallel, take the ideal time without a rate limit", async () => {
    const service = new LimitedService(always);
    expect(await service.create(512)).toEqual([]);
    expect(service.clock.elapsed()).toBe((512 / 16) * 50);
    expect(service.seen).toHaveLength(512);
  });

  test("a service without a limit never gets more parallel requests than the concurrency", async () => {
    const service = new LimitedService(always, { concurrency: 3 });
    await service.create(60, 60);
    expect(service.atOnce()).toBe(3);
    expect(service.clock.elapsed()).toBe((60 / 3) * 50);
    expect(service.seen.map(courseOf)).toEqual(Array.from({ length: 60 }, (_, at) => idOf(at)));
  });

  test("every request gets its full timeout, even after a long wait for its turn", async () => {
    const service = new LimitedService(always, { concurrency: 1, timeout: 5 * SECOND });
    await service.create(200, 200);
    expect(new Set(service.seen.map(({ options }) => options.timeout))).toEqual(new Set([5000]));
  });
});

describe("a service that accepts five requests per second and responds 429 with Retry-After: 1", () => {
  const refused = refusal(429, 1);
  const services: [string, () => RateLimit][] = [
    ["five in any second", () => slidingWindow(5, SECOND, refused)],
    ["five in each second of its clock", () => fixedWindow(5, SECOND, refused)],
    ["one every 200 ms, five saved up", () => tokenBucket(5, 5, refused)],
  ];

  test.each(services)(
    "with the limit %s, no course fails in 1.5 times the ideal time, and a 429 pauses all",
    async (_, rule) => {
      const service = new LimitedService(rule());
      expect(await service.create(300)).toEqual([]);
      expect(service.clock.elapsed()).toBeLessThan(1.5 * MINUTE);
      for (const { answered } of service.refused()) {
        const during = ({ left }: SentRequest) => left > answered && left < answered + SECOND;
        expect(service.seen.filter(during)).toEqual([]);
      }
    },
  );

  test.each([1, 4, 64])(
    "%i workers are as fast as sixteen at five requests per second, and no request fails",
    async (workers) => {
      const service = new LimitedService(fixedWindow(5, SECOND, refused), { concurrency: workers });
      expect(await service.create(300, workers)).toEqual([]);
      expect(service.clock.elapsed()).toBeLessThan(1.5 * MINUTE);
      expect(service.seen.length).toBeLessThan(2 * 300);
    },
  );

  test("the client sends almost five requests per second over a long time", async () => {
    const service = new LimitedService(fixedWindow(5, SECOND, refused));
    await service.create(1000);
    expect(service.clock.elapsed()).toBeLessThan(1.4 * 200 * SECOND);
  });

  test.each([429, 503] as const)(
    "requests rejected with %i are retried before new requests are sent",
    async (status) => {
      const service = new LimitedService((elapsed) => {
        return elapsed < 50 ? refusal(status, 1) : "take";
      });
      expect(await service.create(60, 60)).toEqual([]);
      const [first] = service.refused();
      const known = Number(first?.answered);
      const before = service.seen.filter(({ left }) => left <= known);
      const after = service.seen.filter(({ left }) => left > known).map(courseOf);
      const refused = before.filter((seen) => seen.status === status).map(courseOf);
      const sentBefore = new Set(before.map(courseOf));
      const firstNew = after.findIndex((course) => !sentBefore.has(course));
      expect(refused).toHaveLength(16);
      expect(new Set(after.slice(0, firstNew))).toEqual(new Set(refused));
    },
  );

  test("2,000 parallel creations exceed neither the retries nor the five minutes", async () => {
    const service = new LimitedService(slidingWindow(5, SECOND, refused));
    expect(await service.create(2000, 2000)).toEqual([]);
    expect(service.clock.elapsed()).toBeGreaterThan(6 * MINUTE);
  });

  test("listings and look-ups are limited like changes", async () => {
    const service = new LimitedService(slidingWindow(5, SECOND, refused));
    const reads = Array.from({ length: 50 }, () => service.client.courses());
    const writes = Array.from({ length: 50 }, (_, at) => service.client.delete(idOf(at)));
    await service.clock.run(Promise.all([...reads, ...writes]));
    expect(service.clock.elapsed()).toBeLessThan(1.5 * 20 * SECOND);
  });

  test("a 429 is final with --retries 0", async () => {
    const service = new LimitedService(slidingWindow(5, SECOND, refused), { retries: 0 });
    const failures = await service.create(20);
    expect(failures.length).toBe(service.refused().length);
    expect(service.seen).toHaveLength(20);
  });
});

describe("other limits", () => {
  test.each<[string, RateLimit, number, number]>([
    ["one a second", tokenBucket(1, 1, refusal(429, 1)), 60, 1.3 * MINUTE],
    ["a hundred a second", tokenBucket(100, 100, refusal(429, 1)), 2000, 24 * SECOND],
    [
      "300 a minute, Retry-After as long as it lasts",
      fixedWindow(300, MINUTE, refusal(429, 59)),
      600,
      90 * SECOND,
    ],
    [
      "300 a minute, Retry-After far too short",
      fixedWindow(300, MINUTE, refusal(429, 1)),
      900,
      2.8 * MINUTE,
    ],
    ["no Retry-After", slidingWindow(5, SECOND, refusal(429)), 300, 1.75 * MINUTE],
    ["503 with Retry-After", slidingWindow(5, SECOND, refusal(503, 1)), 300, 2.25 * MINUTE],
  ])("all requests succeed with the limit: %s", async (_, rule, count, most) => {
    const service = new LimitedService(rule);
    expect(await service.create(count)).toEqual([]);
    expect(service.clock.elapsed()).toBeLessThan(most);
  });

  describe.each([429, 503] as const)("a limiter that states no rate and responds %i", (status) => {
    test.each(someOf([2, 1, 3, 4], 2))(
      `all requests succeed with a limiter of %i per second that states no rate and responds ${status}`,
      async (rate) => {
        for (const burst of [1, 5]) {
          for (const retryAfter of [undefined, 1]) {
            const service = new LimitedService(
              tokenBucket(rate, burst, refusal(status, retryAfter)),
              { concurrency: 4 },
            );
            expect(await service.create(60, 4)).toEqual([]);
            expect(service.clock.elapsed()).toBeLessThan((3 * 60 * SECOND) / rate + 20 * SECOND);
            expect(service.seen.length).toBeLessThan(5 * 60);
          }
        }
      },
    );
  });

  const table = [1, 2, 5, 10, 20, 50].flatMap((rate) =>
    [429, 503].flatMap((status) =>
      [undefined, 1].map((retryAfter) => ({ rate, status: status as 429 | 503, retryAfter })),
    ),
  );

  test.each(someOf(table, 16))(
    "no creation fails at $rate per second, $status, Retry-After $retryAfter, in 1.6 times the ideal time",
    async ({ rate, status, retryAfter }) => {
      const rule = tokenBucket(rate, 1, refusal(status, retryAfter));
      const service = new LimitedService(rule, { concurrency: 4 });
      expect(await service.create(60 * rate, 4)).toEqual([]);
      expect(service.clock.elapsed() / MINUTE).toBeLessThan(1.6);
    },
  );

  test.each(someOf([20, 5, 50], 1))(
    "creations at %i per second without Retry-After take at most twice the ideal time",
    async (rate) => {
      for (const status of [503, 429] as const) {
        for (const latency of [10, 50]) {
          const rule = tokenBucket(rate, 1, refusal(status));
          const service = new LimitedService(rule, { concurrency: 4, latency });
          expect(await service.create(300, 4)).toEqual([]);
          expect(service.clock.elapsed()).toBeLessThan((2 * 300 * SECOND) / rate);
          expect(service.seen.length).toBeLessThan(1.3 * 300);
        }
      }
    },
  );

  test.each([429, 503] as const)(
    "all requests succeed if two are accepted at the same time and the others get %i",
    async (status) => {
      for (const latency of [50, 2000]) {
        let ends: number[] = [];
        const rule: RateLimit = (elapsed) => {
          ends = ends.filter((end) => end > elapsed);
          if (ends.length >= 2) return refusal(status);
          ends.push(elapsed + latency / 2);
          return "take";
        };
        const service = new LimitedService(rule, { latency });
        expect(await service.create(100)).toEqual([]);
        expect(service.seen.length).toBeLessThan(4 * 100);
      }
    },
  );

  test("a clock that is before 1970, far ahead or jumps during a run changes nothing", async () => {
    const times = async (change: (clock: VirtualClock, step: number) => void) => {
      let step = 0;
      const rule = slidingWindow(5, SECOND, refusal(429, 1));
      const service: LimitedService = new LimitedService((elapsed, request) => {
        change(service.clock, step++);
        return rule(elapsed, request);
      });
      change(service.clock, 0);
      expect(await service.create(60)).toEqual([]);
      return service.seen.map(({ left }) => left);
    };
    const usual = await times(() => undefined);
    expect(await times((clock) => clock.set(-1e13))).toEqual(usual);
    expect(await times((clock) => clock.set(8e15))).toEqual(usual);
    expect(await times((clock, step) => clock.set(step % 2 === 0 ? -1e13 : 1e13))).toEqual(usual);
  });

  test("Retry-After as a date pauses all requests until that date", async () => {
    const date = new Date(new LimitedService(always).clock.began + 20 * SECOND).toUTCString();
    const service = new LimitedService((elapsed) => (elapsed < 1000 ? "take" : refusal(429, date)));
    const work = service.create(400);
    await expect(
      service.clock.run(Promise.race([work, service.clock.sleep(19_999)])),
    ).resolves.toBe(undefined);
    const [first] = service.refused();
    expect(service.seen.filter(({ left }) => left > Number(first?.answered))).toEqual([]);
    expect(service.refused()).toHaveLength(16);
  });
});

describe("a service that is unavailable for three seconds", () => {
  const gone = (status: 429 | 503, retryAfter?: number): RateLimit => {
    return (elapsed) =>
      elapsed > SECOND && elapsed < 4 * SECOND ? refusal(status, retryAfter) : "take";
  };

  test.each<[string, RateLimit]>([
    ["503", gone(503)],
    ["503 with Retry-After", gone(503, 1)],
    ["429", gone(429)],
  ])("no request fails after an outage (%s); full speed returns", async (_, rule) => {
    const service = new LimitedService(rule);
    expect(await service.create(COUNT)).toEqual([]);
    const waves = service.waves();
    expect(waves).toEqual([...waves].sort((a, b) => b - a));
    expect(waves.reduce((sum, size) => sum + size, 0)).toBeLessThan(35);
    const ideal = (COUNT / 16) * 50;
    expect(service.clock.elapsed()).toBeLessThan(ideal + 3 * SECOND + 12 * SECOND);
    expect(service.atOnce(service.clock.elapsed() - SECOND)).toBe(16);
  });

  test("an unavailable service gets requests after growing pauses", async () => {
    const service = new LimitedService((elapsed) => (elapsed < 10_000 ? refusal(503) : "take"));
    await service.clock.run(service.client.providers().catch(() => undefined));
    const times = service.seen.map(({ left }) => left);
    const pauses = times.slice(1).map((time, at) => time - Number(times[at]) - 50);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses[0]).toBeGreaterThanOrEqual(125);
    expect(pauses[0]).toBeLessThanOrEqual(250);
  });
});

test("the client is back at full speed half a minute after a limit is lifted", async () => {
  const limited = slidingWindow(5, SECOND, refusal(429, 1));
  const service = new LimitedService((elapsed, request) =>
    elapsed < 5 * SECOND ? limited(elapsed, request) : "take",
  );
  await service.create(COUNT);
  expect(service.clock.elapsed()).toBeLessThan((5 + 30) * SECOND + (COUNT / 16) * 50);
  expect(service.atOnce(service.clock.elapsed() - SECOND)).toBe(16);
});

describe("a service that stops accepting requests", () => {
  test("a single request is attempted as often as --retries allows", async () => {
    const service = new LimitedService(() => refusal(429, 1));
    const failures = await service.create(1);
    expect(failures).toMatchObject([{ kind: "unreachable", facts: { status: 429 } }]);
    expect(service.seen).toHaveLength(5);
  });

  test.each([429, 503] as const)(
    "every request to a service that always responds %i ends after five minutes",
    async (status) => {
      const service = new LimitedService((elapsed) => (elapsed < 1000 ? "take" : refusal(status)));
      const failures = await service.create(500, 500);
      expect(service.clock.elapsed()).toBeLessThan(5 * MINUTE + SECOND);
      expect(service.clock.asleep()).toBe(0);
      // This kind of error lets a run stop.
      const given = failures.filter(
        (error) => error instanceof CatalogError && error.facts.code === "THROTTLED",
      );
      expect(given.length).toBeGreaterThan(failures.length / 2);
      const lost = failures.filter((error) => String(error).includes("was lost"));
      expect(lost.length >= 16).toBe(status === 503);
    },
  );

  test("a request an hour later succeeds if the service is back", async () => {
    const service = new LimitedService((elapsed) => {
      return elapsed > 1000 && elapsed < 10 * MINUTE ? refusal(429) : "take";
    });
    expect(await service.create(500, 500)).not.toEqual([]);
    await service.clock.run(service.clock.sleep(60 * MINUTE));
    expect(await service.create(20, 20)).toEqual([]);
  });

  test("a request that times out in a shared pause reports its own response", async () => {
    let others = 0;
    const rule: RateLimit = (elapsed, { body }) => {
      if (String(body).includes(idOf(0))) return refusal(429);
      return elapsed > 4 * MINUTE && others++ === 0 ? refusal(429, 60) : "take";
    };
    const service = new LimitedService(rule, { latency: 5 * SECOND, concurrency: 2, retries: 99 });
    expect(await service.create(80, 2)).toMatchObject([{ facts: { status: 429 } }]);
  });

  test("a request ends even if it is the only request that is always rejected", async () => {
    const service = new LimitedService((_, { body }) =>
      String(body).includes(idOf(0)) ? refusal(429, 1) : "take",
    );
    const failures = await service.create(400);
    expect(failures).toMatchObject([{ kind: "unreachable", facts: { status: 429 } }]);
    expect(service.refused().length).toBeLessThanOrEqual(21);
    const others = service.seen.filter((seen) => courseOf(seen) !== idOf(0));
    expect(Math.max(...others.map(({ answered }) => answered))).toBeLessThan(MINUTE);
  });

  test("an attempt after a pause gets at most the remaining time", async () => {
    let tries = 0;
    const rule: RateLimit = () => (tries++ === 0 ? refusal(429, 60) : "take");
    const service = new LimitedService(rule, { timeout: 10 * MINUTE });
    await service.create(1);
    const [, again] = service.seen;
    expect(again?.options.timeout).toBe(4 * MINUTE - 50);
  });

  test("a request whose pause is longer than the remaining time ends immediately", async () => {
    const service = new LimitedService(() => refusal(429, 60), { retries: 9 });
    await service.create(1);
    expect(service.clock.elapsed()).toBeLessThan(4 * MINUTE + SECOND);
  });
});

describe("aborts", () => {
  test("an abort ends waiting for a turn and for the end of a pause immediately", async () => {
    const controller = new AbortController();
    const service = new LimitedService(() => refusal(429, 60), { signal: controller.signal });
    const work = service.create(40, 40);
    const stop = service.clock.sleep(10 * SECOND).then(() => controller.abort());
    await service.clock.run(stop);
    const failures = await work;
    expect(service.clock.elapsed()).toBe(10 * SECOND);
    expect(failures).toHaveLength(40);
    expect(
      failures.every((error) => error instanceof CatalogError && error.kind === "interrupted"),
    ).toBe(true);
    expect(service.clock.asleep()).toBe(0);
  });

  test("a listing that is stopped does not affect other requests", async () => {
    const service = new LimitedService(always, { concurrency: 1 });
    const pages = service.client.list({ limit: 10 });
    const [, walked] = await service.clock.run(Promise.all([service.create(5, 5), pages.next()]));
    expect(walked.done).toBe(true);
    expect(service.seen).toHaveLength(6);
  });
});
