/** How a listing is read: which pages are requested, and when. */
import { describe, expect, test } from "vitest";
import type { Course } from "../../src/course/request-body.ts";
import { paginate, type ReadPage } from "../../src/service/paginate.ts";
import { id } from "../commands/helpers.ts";

const CONCURRENCY = 4;

/** A listing whose pages arrive when the test says so; records the requested offsets. */
function listing(count: number) {
  const requested: number[] = [];
  const waiting = new Map<number, () => void>();
  const read: ReadPage = async ({ offset = 0, limit = 0 }) => {
    requested.push(offset);
    await new Promise<void>((resolve) => waiting.set(offset, resolve));
    const length = Math.max(0, Math.min(limit, count - offset));
    return Array.from({ length }, (_, index): Course => ({ id: id(offset + index) }));
  };
  const pages = paginate(read, { concurrency: () => CONCURRENCY });
  /** Lets pages arrive, and waits until the reader has reacted. */
  const deliver = async (...offsets: number[]): Promise<void> => {
    for (const offset of offsets) waiting.get(offset)?.();
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  const stop = () => pages.return({ more: true, rows: 0, changedWhileReading: false });
  return { requested, pages, deliver, stop };
}

describe("paginate", () => {
  test("paginate requests one page until that page is full", async () => {
    const { requested, pages, deliver, stop } = listing(1000);
    const first = pages.next();
    expect(requested).toEqual([0]);
    await deliver(0);
    expect((await first).value).toHaveLength(100);
    expect(requested).toEqual([0, 100, 200, 300, 400]);
    await stop();
  });

  test("paginate requests another page while the caller still works on the last page", async () => {
    const { requested, pages, deliver, stop } = listing(2000);
    void pages.next();
    await deliver(0);
    const second = pages.next();
    await deliver(100);
    await second;
    expect(requested.slice(1)).toEqual([100, 200, 300, 400, 500]);
    await stop();
  });

  test("paginate never has more pages in flight or waiting than the concurrency", async () => {
    const { requested, pages, deliver, stop } = listing(2000);
    void pages.next();
    await deliver(0);
    await deliver(100, 200, 300, 400);
    expect(requested).toHaveLength(1 + CONCURRENCY);
    await pages.next();
    expect(requested).toHaveLength(2 + CONCURRENCY);
    await stop();
  });

  test("paginate requests the missing part of a short page again, and nothing after it", async () => {
    const { requested, pages, deliver } = listing(150);
    void pages.next();
    await deliver(0);
    const second = pages.next();
    await deliver(100);
    await deliver(150);
    expect((await second).value).toHaveLength(50);
    const end = pages.next();
    await deliver(200, 300, 400);
    const value = { more: false, rows: 150, changedWhileReading: false };
    expect(await end).toEqual({ done: true, value });
    expect(requested).toEqual([0, 100, 200, 300, 400, 150]);
  });
});
