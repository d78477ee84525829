/** Reading all courses, of a listing that may move meanwhile. */
import { expect, test } from "vitest";
import type { Course } from "../../src/course/wire.ts";
import { type Listing, type RemoteFilter, readAll } from "../../src/sync/remote.ts";
import { heldCourse } from "./plans.ts";

const page = (...names: string[]): Course[] => names.map((name) => heldCourse({ name }));

/** A listing that gives these pages at each reading, the last ones from then on. */
function listing(...readings: { readonly pages: Course[][]; readonly moved: boolean }[]) {
  const filters: RemoteFilter[] = [];
  const source: Listing = {
    list: async function* ({ filter }) {
      const { pages, moved } = readings[filters.push(filter) - 1] ?? { pages: [], moved: true };
      yield* pages;
      return { moved };
    },
  };
  return { filters, source };
}

test("all pages come as one list, and the count of courses is told as they come", async () => {
  const { filters, source } = listing({ pages: [page("A", "B"), page("C")], moved: false });
  const told: number[] = [];
  const filter = { providerId: "p", published: true };
  const courses = await readAll(source, filter, (count) => told.push(count));
  expect(courses.map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(told).toEqual([2, 3]);
  expect(filters).toEqual([filter]);
});

test("nothing at all is an empty list", async () => {
  const { filters, source } = listing({ pages: [], moved: false });
  expect(await readAll(source)).toEqual([]);
  expect(filters).toEqual([{}]);
});

test("a listing that moved is read again, and only the last reading counts", async () => {
  const { filters, source } = listing(
    { pages: [page("A"), page("B")], moved: true },
    { pages: [page("A")], moved: true },
    { pages: [page("A"), page("B"), page("C")], moved: false },
  );
  expect((await readAll(source)).map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(filters).toHaveLength(3);
});

test("a listing that never stands still is given up, and says what to do", async () => {
  const { filters, source } = listing();
  await expect(readAll(source)).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringMatching(/listing .*changed while it was read/),
    facts: { advice: expect.stringMatching(/again/) },
  });
  expect(filters.length).toBeGreaterThan(1);
  expect(filters.length).toBeLessThan(10);
});
