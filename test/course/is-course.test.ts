/** Which objects are courses, and which belong to other programs. */
import { expect, test } from "vitest";
import { courseTest, isCourse } from "../../src/files/course-file.ts";

/** An object with these keys, separated by spaces. */
function withKeys(names: string): Record<string, unknown> {
  return Object.fromEntries(names.split(" ").map((name) => [name, 1]));
}

test.each([
  "id published",
  "key name",
  "provider url x-notes x-owner x-more",
  "shortdescriptoin publishd x",
  "short-description LongDescription",
  "name url foo bar",
  "approval_status last_fetched_at",
])("isCourse accepts an object with the keys %s", (names) => {
  expect(isCourse(withKeys(names))).toBe(true);
});

test.each([
  ["a site of Jekyll", "title language summary plugins baseurl"],
  ["a workflow", "name on jobs"],
  ["a package", "name version description main scripts dependencies author license"],
  ["other names of fields", "title link language summary"],
  ["short words with a wrong letter", "nmae ulr audoi"],
  ["a provider", "id name description slug url domain published"],
  ["one field", "name"],
])("isCourse rejects %s with the keys %s", (_, names) => {
  expect(isCourse(withKeys(names))).toBe(false);
});

test("a row of a table is a course by the columns of all rows, and any other object by its own keys", () => {
  const rows = [{ name: "A" }, { url: "B" }];
  expect(rows.map(courseTest([["name"], ["url"]]))).toEqual([true, true]);
  expect(rows.map(courseTest(undefined))).toEqual([false, false]);
});
