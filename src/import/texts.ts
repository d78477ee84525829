/** Writes and extends files with many courses, in each format that import writes. */
import { isDeepStrictEqual } from "node:util";
import { safeJson } from "../base/text.ts";
import { isList, type PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { isPrivateKey } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { cellText } from "../files/csv.ts";
import { parseTable } from "../files/csv-table.ts";
import { parseAs } from "../files/parse.ts";
import { findCourses } from "../files/parsed.ts";
import { nameIn } from "../files/table-header.ts";
import { fileCourse } from "../files/write.ts";

/** The formats that import writes. */
export type ImportFormat = "yaml" | "json" | "csv" | "ndjson";

type Courses = readonly PlainObject[];

function jsonText(courses: Courses): string {
  return `${safeJson(courses, 2)}\n`;
}

function ndjsonText(courses: Courses): string {
  return courses.map((course) => `${safeJson(course)}\n`).join("");
}

function csvRows(
  courses: Courses,
  names: readonly string[],
  delimiter: string,
  lineEnd: string,
): string {
  return courses
    .map((course) => names.map((name) => cellText(course[name], true)).join(delimiter) + lineEnd)
    .join("");
}

function ended(text: string, lineEnd = "\n"): string {
  return /[\r\n]$/.test(text) ? text : `${text}${lineEnd}`;
}

/** The text of a file with these courses. */
export function fileText(courses: Courses, format: ImportFormat): string {
  const written = courses.map((course) => fileCourse(course));
  if (format === "yaml") return yamlText(written);
  if (format === "json") return jsonText(written);
  if (format === "ndjson") return ndjsonText(written);
  const used = new Set(written.flatMap((course) => Object.keys(course)));
  const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
  const names = [...fields, ...[...used].filter(isPrivateKey)];
  return `${names.join(",")}\r\n${csvRows(written, names, ",", "\r\n")}`;
}

/** The text with the courses added, and otherwise unchanged; undefined if the courses cannot be added. */
export async function appendCourses(
  text: string,
  courses: Courses,
  format: ImportFormat,
): Promise<string | undefined> {
  const before = await parseAs(format, text);
  if (before.problems.length > 0) return undefined;
  const added = courses.map((course) => fileCourse(course));
  const isOneList = before.documents.length === 1 && isList(before.documents[0]);
  const appended = textWith(text, added, format, isOneList);
  if (appended === undefined) return undefined;
  const after = await parseAs(format, appended);
  const wanted = [...findCourses(before).map(({ value }) => value), ...added];
  const found = findCourses(after).map(({ value }) => value);
  const isWanted = after.problems.length === 0 && isDeepStrictEqual(found, wanted);
  return isWanted ? appended : undefined;
}

function textWith(
  text: string,
  added: Courses,
  format: ImportFormat,
  isOneList: boolean,
): string | undefined {
  if (format === "yaml") return `${ended(text)}${isOneList ? "" : "---\n"}${yamlText(added)}`;
  if (format === "ndjson") return `${ended(text)}${ndjsonText(added)}`;
  if (format === "json") {
    const end = text.lastIndexOf("]");
    if (end === -1 || text.slice(end + 1).trim() !== "") return undefined;
    const before = text.slice(0, end).trimEnd();
    const items = jsonText(added).slice(1, -2).trimEnd();
    return `${before}${before.endsWith("[") ? "" : ","}${items}\n${text.slice(end)}`;
  }
  const { rows, delimiter = "," } = parseTable(text);
  const names = (rows[0]?.cells ?? []).map(nameIn);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return `${ended(text, lineEnd)}${csvRows(added, names, delimiter, lineEnd)}`;
}
