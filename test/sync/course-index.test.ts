/** Which course a description identifies: by id, then key, then url. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { CourseIndex } from "../../src/sync/course-index.ts";
import { PROVIDER_ID } from "../rig.ts";
import { uuid5 } from "./plans.ts";

const [ONE, TWO] = ["0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10", "7f0c5a52-52f3-4a4e-8f6d-1c9f5e0b7a11"];
const [A, B] = ["https://academy.example/a", "https://academy.example/b"];
const OWNED = { provider_id: PROVIDER_ID };

describe("descriptions of a course", () => {
  const index = new CourseIndex([
    { id: ONE, url: A, ...OWNED },
    { id: TWO, url: B, ...OWNED },
    { id: uuid5("key:K-1"), url: "https://academy.example/moved", ...OWNED },
    { id: uuid5("https://academy.example/before"), url: "https://academy.example/now", ...OWNED },
  ]);

  test.each([
    [
      "the course with its id, in either case, even if another course has its url",
      { id: ONE.toUpperCase(), url: B },
      ONE,
    ],
    [
      "the course with its key, even if another course has its url",
      { key: "K-1", url: B },
      uuid5("key:K-1"),
    ],
    ["the course with its url, if no course has its key", { key: "K-2", url: B }, TWO],
    ["the course with its url", { url: B }, TWO],
    [
      "the course that an earlier push of its url created, if no course has the url",
      { url: "https://academy.example/before" },
      uuid5("https://academy.example/before"),
    ],
    ["the course with its url, if its id is empty", { id: "", url: A }, ONE],
    [
      "no course, if no course has its id, even if a course has its url",
      { id: uuid5("x"), url: A },
      undefined,
    ],
    ["no course, if it has only a name", { name: "A" }, undefined],
  ])("a description identifies %s", (_, description, id) => {
    const match = index.identify({ ...OWNED, ...description });
    expect("candidates" in match ? match : match.found?.id).toBe(id);
  });

  test("a course with a key that was found by its url is adopted", () => {
    expect(index.identify({ ...OWNED, key: "K-2", url: B })).toMatchObject({
      found: { id: TWO },
      isAdopted: true,
    });
  });

  test("a url of several courses identifies the course that an earlier push created, and is otherwise unclear", () => {
    const same = { url: A, ...OWNED };
    const copies = [
      { id: ONE, ...same },
      { id: TWO, ...same },
    ];
    expect(new CourseIndex(copies).identify(same)).toEqual({ candidates: copies });
    const own = { id: uuid5(A), ...same };
    expect(new CourseIndex([...copies, own]).identify(same)).toEqual({ found: own });
  });
});

describe("courses of files, which may have no id", () => {
  test("a key identifies the file's course with the same key, unless both name other providers", () => {
    const first = { key: "K-1", provider: "one.example" };
    const second = { key: "K-1", provider: "two.example" };
    const files = new CourseIndex([first, second]);
    expect(files.identify({ key: "K-1", provider: "two.example" })).toEqual({ found: second });
    expect(files.identify({ key: "K-1", provider: "three.example" })).toEqual({ found: undefined });
    expect(files.identify({ key: "K-1" })).toEqual({ found: first });
  });

  test("an id identifies the file's course to which a push would give this id", () => {
    const file = { key: "K-1", url: A, ...OWNED };
    expect(new CourseIndex([file]).identify({ id: uuid5("key:K-1") })).toEqual({ found: file });
  });
});

test("the identified course does not depend on the order of the courses", () => {
  const id = fc.constantFrom(ONE, TWO, uuid5("key:K-1"), uuid5(A), uuid5(B));
  const url = fc.constantFrom(A, B, "https://academy.example/c");
  const course = fc.record({ id, url, provider_id: fc.constant(PROVIDER_ID) });
  const courses = fc.uniqueArray(course, { selector: (each) => each.id, maxLength: 5 });
  const description = fc.record(
    { id, url, key: fc.constantFrom("K-1", "K-2"), provider_id: fc.constant(PROVIDER_ID) },
    { requiredKeys: ["url", "provider_id"] },
  );
  const answer = (index: CourseIndex, meant: PlainObject) => {
    const match = index.identify(meant);
    return "candidates" in match ? match.candidates.map((each) => each.id).sort() : match;
  };
  fc.assert(
    fc.property(courses, description, (listed, meant) => {
      const forward = answer(new CourseIndex(listed), meant);
      expect(answer(new CourseIndex([...listed].reverse()), meant)).toEqual(forward);
    }),
  );
});
