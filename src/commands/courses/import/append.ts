/** Adds courses at the end of a file with many courses, and leaves everything else as it is. */
import { isDeepStrictEqual } from "node:util";
import { isList, type PlainObject } from "../../../base/values.ts";
import { cellText } from "../../../files/csv-edit.ts";
import { readTable } from "../../../files/csv-records.ts";
import { parseAs } from "../../../files/formats.ts";
import { findCourses } from "../../../files/read.ts";
import { fileCourse } from "../../../files/write.ts";
import type { ImportFormat } from "./options.ts";
import { fileText } from "./texts.ts";

/** The text with the courses added, or undefined if it has no place for them. */
export async function appendCourses(
  text: string,
  courses: readonly PlainObject[],
  format: ImportFormat,
): Promise<string | undefined> {
  const before = await parseAs(format, text);
  if (before.problems.length > 0) return undefined;
  const appended = APPEND[format](text, courses, before.documents);
  if (appended === undefined) return undefined;
  const after = await parseAs(format, appended);
  const wanted = [
    ...findCourses(before).map(({ value }) => value),
    ...courses.map((course) => fileCourse(course)),
  ];
  const found = findCourses(after).map(({ value }) => value);
  const isWanted = after.problems.length === 0 && isDeepStrictEqual(found, wanted);
  return isWanted ? appended : undefined;
}

type Append = (
  text: string,
  courses: readonly PlainObject[],
  documents: readonly unknown[],
) => string | undefined;

const APPEND: Readonly<Record<ImportFormat, Append>> = {
  yaml: (text, courses, documents) => {
    const added = fileText(courses, "yaml");
    return documents.length === 1 && isList(documents[0])
      ? `${ended(text)}${added}`
      : `${ended(text)}---\n${added}`;
  },
  json: (text, courses) => {
    const end = text.lastIndexOf("]");
    const items = fileText(courses, "json").slice(1, -2).trimEnd();
    const before = text.slice(0, end).trimEnd();
    if (end === -1 || text.slice(end + 1).trim() !== "") return undefined;
    return `${before}${before.endsWith("[") ? "" : ","}${items}\n${text.slice(end)}`;
  },
  ndjson: (text, courses) => `${ended(text)}${fileText(courses, "ndjson")}`,
  csv: (text, courses) => {
    const header = (readTable(text).rows[0] ?? []).map((name) => (name ?? "null").trim());
    const delimiter = [",", ";", "\t"].find((each) => text.startsWith(header.join(each))) ?? ",";
    const rows = courses
      .map((course) => fileCourse(course))
      .map((course) => header.map((name) => cellText(course[name], true)).join(delimiter));
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    return `${ended(text, lineEnd)}${rows.map((row) => `${row}${lineEnd}`).join("")}`;
  },
};

function ended(text: string, lineEnd = "\n"): string {
  return /[\r\n]$/.test(text) ? text : `${text}${lineEnd}`;
}
