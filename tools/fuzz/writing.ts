/** Properties of written files: no data is lost, and only the intended parts change. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isObject, type PlainObject } from "../../src/base/values.ts";
import { decode } from "../../src/files/decode.ts";
import { editCourses } from "../../src/files/edit.ts";
import { FILE_FORMATS, type FileFormat, parseAs } from "../../src/files/parse.ts";
import { findCourses } from "../../src/files/parsed.ts";
import { courseText } from "../../src/files/write.ts";
import { damaged } from "../../test/files/damage.ts";
import { addIds, type ChosenId } from "../../test/files/read-back.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyCourse, unusualCourse } from "./random-courses.ts";

const format = fc.constantFrom(...FILE_FORMATS);

/** The courses of a text; undefined if it has problems. */
async function readBack(text: string, format: FileFormat): Promise<unknown[] | undefined> {
  const { text: decoded, problem } = decode(Buffer.from(text));
  const parsed = await parseAs(format, decoded);
  if (problem !== undefined || parsed.problems.length > 0) return undefined;
  return findCourses(parsed).map(({ value }) => value);
}

/** The value as JSON represents it, which has no negative zero. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Whether one string contains every character of the other in the same order. */
function isWithin(text: string, longer: string): boolean {
  let at = 0;
  for (let index = 0; index < longer.length && at < text.length; index++) {
    if (longer.charCodeAt(index) === text.charCodeAt(at)) at++;
  }
  return at === text.length;
}

function idOf(course: number): string {
  return `00000000-0000-5000-8000-${String(course).padStart(12, "0")}`;
}

/** Ids for the courses that have none. */
function idsFor(courses: readonly unknown[]): ChosenId[] {
  return courses.flatMap((course, index) => {
    const lacks = isObject(course) && typeof course.url === "string" && !("id" in course);
    return lacks ? [{ course: index, url: String(course.url), id: idOf(index) }] : [];
  });
}

/** Writes ids into a text, and checks that only ids are new. */
async function checkIds(text: string, format: FileFormat): Promise<void> {
  const before = await readBack(text, format);
  if (before === undefined) return;
  const ids = idsFor(before);
  const result = await editCourses(text, format, (courses) => addIds(courses, ids));
  if ("reason" in result) return;
  assert(isWithin(text, result.text), "text was removed");
  const wanted = before.map((course, index) => {
    const chosen = ids.find((one) => one.course === index);
    return chosen === undefined ? course : { ...(course as PlainObject), id: chosen.id };
  });
  assert.deepEqual(await readBack(result.text, format), wanted);
  assert(
    result.text.length <= text.length + ids.length * LONGEST_ENTRY,
    "more than ids was inserted",
  );
}

/** The maximum length of an inserted entry in the layouts of the examples. */
const LONGEST_ENTRY = 200;

/** The properties of written files. */
export const WRITING_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "written",
    says: "a written course reads back unchanged, and is written the same again",
    arbitrary: fc.tuple(anyCourse, format),
    check: async ([course, language]) => {
      const text = courseText(course, language);
      const read = await readBack(text, language);
      // An empty object is also a course.
      assert.deepEqual(read, [asJson(course)]);
      assert.equal(courseText(read?.[0] as PlainObject, language), text);
    },
  }),
  property({
    name: "written-unusual",
    says: "any value from a service instead of a course can be written and read",
    arbitrary: fc.tuple(unusualCourse, format),
    check: async ([course, language]) => {
      const [read] = (await readBack(courseText(course, language), language)) ?? [];
      assert(isObject(read), "the written text is not a course");
      assert.equal(courseText(read, language), courseText(course, language));
    },
  }),
  property({
    name: "ids",
    says: "inserting ids into a file changes nothing else",
    arbitrary: fc.oneof(
      fc.tuple(anyCourse, format).map(([course, language]) => ({
        text: courseText({ ...course, url: "u" }, language),
        language,
      })),
      damaged.map(({ extension, bytes }) => ({
        text: decode(bytes).text,
        language: extension === ".json" ? ("json" as const) : ("yaml" as const),
      })),
    ),
    check: ({ text, language }) => checkIds(text, language),
  }),
];
