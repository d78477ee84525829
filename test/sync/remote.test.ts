/** Reading all courses from a listing whose order may differ from page to page. */
import { expect, test } from "vitest";
import { CollectedMemory, memoryOf } from "../../src/base/collected-memory.ts";
import type { Course } from "../../src/course/request-body.ts";
import { type Listing, type RemoteFilter, readRemoteCourses } from "../../src/sync/remote.ts";
import { remoteCourse } from "./plans.ts";

const page = (...names: string[]): Course[] =>
  names.map((name) => ({ ...remoteCourse({ name }), id: name }));

interface Reading {
  /** Each course once, as the client yields them. */
  readonly pages: Course[][];
  /** The number of rows, if some courses appeared twice. */
  readonly rows?: number;
  readonly moved?: boolean;
}

/** A listing with these readings, the last one forever. */
function listing(...readings: readonly [Reading, ...Reading[]]) {
  const filters: RemoteFilter[] = [];
  const source: Listing = {
    list: async function* ({ filter }) {
      const number = Math.min(filters.push(filter), readings.length) - 1;
      const { pages, rows, moved = false } = readings[number] ?? readings[0];
      yield* pages;
      return { rows: rows ?? pages.flat().length, changedWhileReading: moved };
    },
  };
  const read = async (onRepeats?: (message: string) => void): Promise<string> => {
    const courses = await readRemoteCourses(source, {}, () => undefined, onRepeats);
    return courses.map(({ id }) => id).join(" ");
  };
  return { filters, source, read };
}

test("readRemoteCourses returns all pages as one list, with progress after each page", async () => {
  const { filters, source } = listing({ pages: [page("A", "B"), page("C")] });
  const counts: number[] = [];
  const filter = { providerId: "p", published: true };
  const courses = await readRemoteCourses(source, filter, (count) => counts.push(count));
  expect(courses.map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(counts).toEqual([2, 3]);
  expect(filters).toEqual([filter]);
});

test("readRemoteCourses returns an empty list for an empty catalog", async () => {
  const { filters, read } = listing({ pages: [] });
  expect([await read(), filters.length]).toEqual(["", 1]);
});

test("readRemoteCourses unites readings until there are as many courses as rows", async () => {
  const { filters, read } = listing(
    { pages: [page("A", "B")], rows: 4 },
    { pages: [page("B", "C")], rows: 4 },
    { pages: [page("A", "D")], rows: 4 },
    { pages: [page("never")] },
  );
  expect([await read(), filters.length]).toEqual(["A B C D", 3]);
});

test("readRemoteCourses returns a reading without repeated courses alone", async () => {
  const { read } = listing(
    { pages: [page("A", "Deleted")], rows: 3 },
    { pages: [page("A")], moved: true },
    { pages: [page("A"), page("B"), page("C")] },
  );
  expect(await read()).toBe("A B C");
});

test("readRemoteCourses does not return a course that was deleted between two readings", async () => {
  const { read } = listing(
    { pages: [page("A", "B", "Deleted")], rows: 4 },
    { pages: [page("A", "C")], rows: 3 },
    { pages: [page("B", "C")], rows: 3 },
  );
  expect(await read()).toBe("A C B");
});

test("readRemoteCourses reports a listing that repeats courses in three readings, as an error or a message", async () => {
  const repeating = { pages: [page("A", "B")], rows: 3 };
  const { filters, read } = listing(repeating);
  await expect(read()).rejects.toMatchObject({
    kind: "refused",
    facts: { advice: expect.stringContaining("sent") },
  });
  expect(filters).toHaveLength(3);
  const messages: string[] = [];
  expect(await listing(repeating).read((message) => messages.push(message))).toBe("A B");
  expect(messages).toEqual([expect.stringContaining("others may be missing")]);
});

test("readRemoteCourses fails with advice if a listing keeps changing", async () => {
  const { filters, read } = listing({ pages: [], moved: true });
  await expect(read()).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringMatching(/list of courses changed each time that catalog read it/),
    facts: { advice: expect.stringMatching(/again/) },
  });
  expect(filters).toHaveLength(5);
});

test("readRemoteCourses stops if courses need too much memory, and counts courses read again once", async () => {
  const readings = (...pages: Course[][]) =>
    listing({ pages, rows: 4 }, { pages: [page("A", "B", "C", "D")] });
  const read = async (most: number) => {
    const { source } = readings(page("A", "B"), page("C"));
    return await readRemoteCourses({ ...source, collected: new CollectedMemory(most) });
  };
  const four = memoryOf(page("A", "B", "C", "D"));
  expect(await read(four + 200)).toHaveLength(4);
  await expect(read(four - 200)).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringMatching(/^the service sent more courses than fit into memory/),
  });
});
