/** Reading all courses from a listing that may change meanwhile. */
import { expect, test } from "vitest";
import type { Course } from "../../src/course/request-body.ts";
import { type Listing, type RemoteFilter, readRemoteCourses } from "../../src/sync/remote.ts";
import { remoteCourse } from "./plans.ts";

const page = (...names: string[]): Course[] => names.map((name) => remoteCourse({ name }));

/** A listing that yields these pages, one array of pages per reading. */
function listing(...readings: { readonly pages: Course[][]; readonly moved: boolean }[]) {
  const filters: RemoteFilter[] = [];
  const source: Listing = {
    list: async function* ({ filter }) {
      const { pages, moved } = readings[filters.push(filter) - 1] ?? { pages: [], moved: true };
      yield* pages;
      return { changedWhileReading: moved };
    },
  };
  return { filters, source };
}

test("readAllCourses: all pages are returned as one list, with progress after each page", async () => {
  const { filters, source } = listing({ pages: [page("A", "B"), page("C")], moved: false });
  const counts: number[] = [];
  const filter = { providerId: "p", published: true };
  const courses = await readRemoteCourses(source, filter, (count) => counts.push(count));
  expect(courses.map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(counts).toEqual([2, 3]);
  expect(filters).toEqual([filter]);
});

test("readAllCourses: an empty catalog is an empty list", async () => {
  const { filters, source } = listing({ pages: [], moved: false });
  expect(await readRemoteCourses(source)).toEqual([]);
  expect(filters).toEqual([{}]);
});

test("readAllCourses: a listing that changed is read again, and only the last reading counts", async () => {
  const { filters, source } = listing(
    { pages: [page("A"), page("B")], moved: true },
    { pages: [page("A")], moved: true },
    { pages: [page("A"), page("B"), page("C")], moved: false },
  );
  expect((await readRemoteCourses(source)).map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(filters).toHaveLength(3);
});

test("readAllCourses: a listing that keeps changing fails with advice", async () => {
  const { filters, source } = listing();
  await expect(readRemoteCourses(source)).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringMatching(/list of courses changed while it was being read/),
    facts: { advice: expect.stringMatching(/again/) },
  });
  expect(filters.length).toBeGreaterThan(1);
  expect(filters.length).toBeLessThan(10);
});
