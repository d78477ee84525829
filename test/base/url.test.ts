import { expect, test } from "vitest";
import { parseUrl } from "../../src/base/credentials.ts";
import { checkCourse } from "../../src/course/check.ts";
import { course } from "../rig.ts";

test("parseUrl accepts hosts with non-ASCII letters, even after thousands of calls", () => {
  const count = 12_000;
  const wrong = Array.from(
    { length: count },
    (_, index) => `https://académie.example/${index}`,
  ).filter((url) => parseUrl(url)?.protocol !== "https:");
  expect(wrong).toEqual([]);
  const found = Array.from({ length: count }, (_, index) =>
    checkCourse(course({ url: `https://académie.example/${index}` })),
  );
  expect(found.flat()).toEqual([]);
});
