/** The text of a file with many courses, in each format that import writes. */
import { isDeepStrictEqual } from "node:util";
import { escapeLine } from "../../../base/text.ts";
import { isList, type PlainObject } from "../../../base/values.ts";
import { isPrivateKey } from "../../../course/field-names.ts";
import { COURSE_SHAPE } from "../../../course/fields.ts";
import { cellText } from "../../../files/csv-edit.ts";
import { readTable } from "../../../files/csv-records.ts";
import { parseAs } from "../../../files/formats.ts";
import { findCourses } from "../../../files/parsed.ts";
import { fileCourse, yamlText } from "../../../files/write.ts";
import { terminalJson } from "../../../output/data-formats.ts";
import type { ImportFormat } from "./options.ts";

type Courses = readonly PlainObject[];

interface Writer {
  /** The text of a new file. @param courses as their file contains them */
  readonly write: (courses: Courses) => string;
  /** The text of a file with the courses at its end; undefined if it has no place for them. */
  readonly append: (
    text: string,
    courses: Courses,
    documents: readonly unknown[],
  ) => string | undefined;
}

const WRITERS: Readonly<Record<ImportFormat, Writer>> = {
  yaml: {
    write: yamlText,
    append: (text, courses, documents) => {
      const isOneList = documents.length === 1 && isList(documents[0]);
      return `${ended(text)}${isOneList ? "" : "---\n"}${yamlText(courses)}`;
    },
  },
  json: {
    write: jsonText,
    append: (text, courses) => {
      const end = text.lastIndexOf("]");
      if (end === -1 || text.slice(end + 1).trim() !== "") return undefined;
      const before = text.slice(0, end).trimEnd();
      const items = jsonText(courses).slice(1, -2).trimEnd();
      return `${before}${before.endsWith("[") ? "" : ","}${items}\n${text.slice(end)}`;
    },
  },
  ndjson: {
    write: ndjsonText,
    append: (text, courses) => `${ended(text)}${ndjsonText(courses)}`,
  },
  csv: {
    write: (courses) => {
      const used = new Set(courses.flatMap((course) => Object.keys(course)));
      const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
      const names = [...fields, ...[...used].filter(isPrivateKey)];
      return `${names.join(",")}\r\n${csvRows(courses, names, ",", "\r\n")}`;
    },
    append: (text, courses) => {
      const { rows, delimiter } = readTable(text);
      const names = (rows[0] ?? []).map((name) => (name ?? "null").trim());
      const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
      return `${ended(text, lineEnd)}${csvRows(courses, names, delimiter, lineEnd)}`;
    },
  },
};

function jsonText(courses: Courses): string {
  return `${JSON.stringify(courses, null, 2)}\n`;
}

function ndjsonText(courses: Courses): string {
  return courses.map((course) => `${JSON.stringify(course)}\n`).join("");
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
  return WRITERS[format].write(courses.map((course) => fileCourse(course)));
}

/** The text with the courses added and all else as it is; undefined if it has no place for them. */
export async function appendCourses(
  text: string,
  courses: Courses,
  format: ImportFormat,
): Promise<string | undefined> {
  const before = await parseAs(format, text);
  if (before.problems.length > 0) return undefined;
  const added = courses.map((course) => fileCourse(course));
  const appended = WRITERS[format].append(text, added, before.documents);
  if (appended === undefined) return undefined;
  const after = await parseAs(format, appended);
  const wanted = [...findCourses(before).map(({ value }) => value), ...added];
  const found = findCourses(after).map(({ value }) => value);
  const isWanted = after.problems.length === 0 && isDeepStrictEqual(found, wanted);
  return isWanted ? appended : undefined;
}

/** The same text for a terminal: unsafe characters are escaped as in the formats of a listing. */
export function terminalText(courses: Courses, format: ImportFormat): string {
  if (format === "yaml" && courses.length > 0) {
    return courses.map((course) => terminalItem(fileCourse(course))).join("");
  }
  const text = fileText(courses, format);
  return format === "csv" ? text.split("\r\n").map(escapeLine).join("\r\n") : terminalJson(text);
}

/** An item as JSON, which is YAML, too, if only JSON's escapes make it safe. */
function terminalItem(course: PlainObject): string {
  const json = JSON.stringify(course);
  const safe = terminalJson(json);
  return safe === json ? yamlText([course]) : `- ${safe}\n`;
}
