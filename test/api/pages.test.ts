/** How many pages a walk through a listing asks for, and how many it holds. */
import { describe, expect, test } from "vitest";
import { paginate, type ReadPage } from "../../src/api/paginate.ts";
import { linkedController } from "../../src/base/async.ts";
import type { Course } from "../../src/course/wire.ts";
import { id } from "../commands/helpers.ts";

const CONCURRENCY = 4;

/** A listing whose pages come only when they are told to; remembers what was asked and opened. */
function listing(count: number) {
  const asked: number[] = [];
  const opened: number[] = [];
  const waiting = new Map<number, () => void>();
  const read: ReadPage = async ({ offset = 0, limit = 0 }) => {
    asked.push(offset);
    await new Promise<void>((resolve) => waiting.set(offset, resolve));
    return () => {
      opened.push(offset);
      const length = Math.max(0, Math.min(limit, count - offset));
      return Array.from({ length }, (_, index): Course => ({ id: id(offset + index) }));
    };
  };
  const walk = paginate(read, { concurrency: CONCURRENCY, ending: linkedController(), chance: 0 });
  /** Lets pages come, and what follows from that happen. */
  const come = async (...offsets: number[]): Promise<void> => {
    for (const offset of offsets) waiting.get(offset)?.();
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked, opened, walk, come };
}

describe("a walk through a listing", () => {
  test("asks for one page until that is known to be full", async () => {
    const { asked, walk, come } = listing(1000);
    const first = walk.next();
    expect(asked).toEqual([0]);
    await come(0);
    expect((await first).value).toHaveLength(100);
    expect(asked).toEqual([0, 100, 200, 300, 400]);
    await walk.return({ more: true, changedWhileReading: false });
  });

  test("asks for the next page when it opens one, while that is still being shown", async () => {
    const { asked, walk, come } = listing(2000);
    void walk.next();
    await come(0);
    const second = walk.next();
    await come(100);
    await second;
    expect(asked.slice(1)).toEqual([100, 200, 300, 400, 500]);
    await walk.return({ more: true, changedWhileReading: false });
  });

  test("opens no page before its turn, and holds no more than the concurrency", async () => {
    const { asked, opened, walk, come } = listing(2000);
    void walk.next();
    await come(0);
    await come(100, 200, 300, 400);
    expect(opened).toEqual([0]);
    expect(asked).toHaveLength(1 + CONCURRENCY);
    await walk.next();
    expect(opened).toEqual([0, 100]);
    expect(asked).toHaveLength(2 + CONCURRENCY);
    await walk.return({ more: true, changedWhileReading: false });
  });

  test("asks for nothing more behind a short page", async () => {
    const { asked, walk, come } = listing(150);
    void walk.next();
    await come(0);
    const second = walk.next();
    await come(100);
    expect((await second).value).toHaveLength(50);
    const end = walk.next();
    await come(200, 300, 400);
    expect(await end).toEqual({ done: true, value: { more: false, changedWhileReading: false } });
    expect(asked).toEqual([0, 100, 200, 300, 400]);
  });
});
