import fc from "fast-check";
import { expect, test } from "vitest";
import { mapInOrder } from "../../src/base/async.ts";

async function collect<Result>(results: AsyncIterable<Result>): Promise<Result[]> {
  const all: Result[] = [];
  for await (const result of results) all.push(result);
  return all;
}

test("mapInOrder yields results in the order of the items and never exceeds the limit", async () => {
  const all = fc.array(fc.nat(5), { maxLength: 40 });
  const property = fc.asyncProperty(all, fc.integer({ min: 1, max: 6 }), async (turns, limit) => {
    let running = 0;
    let most = 0;
    const work = async (turn: number, index: number): Promise<number> => {
      most = Math.max(most, ++running);
      for (let waited = 0; waited < turn; waited++) await Promise.resolve();
      running--;
      return index;
    };
    const results = await collect(mapInOrder(turns, limit, work));
    expect(results).toEqual([...turns.keys()]);
    expect(most).toBeLessThanOrEqual(limit);
  });
  await fc.assert(property);
});

test("mapInOrder starts no more work when the consumer stops, and throws an error after the results before it", async () => {
  let started = 0;
  const items = Array.from({ length: 100 }, (_, index) => index);
  const work = async (item: number): Promise<number> => {
    started++;
    if (item === 2) throw new Error("second");
    return item;
  };
  for await (const _ of mapInOrder(items, 3, work)) break;
  const before = started;
  await new Promise(setImmediate);
  expect(started).toBe(before);
  const seen: number[] = [];
  const run = async (): Promise<void> => {
    for await (const item of mapInOrder(items, 3, work)) seen.push(item);
  };
  await expect(run()).rejects.toThrow("second");
  expect(seen).toEqual([0, 1]);
});
