/** The text of a file with many courses, in each format that import writes. */
import { escapeLine } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import { isPrivateKey } from "../../../course/field-names.ts";
import { COURSE_SHAPE } from "../../../course/fields.ts";
import { cellText } from "../../../files/csv-edit.ts";
import { fileCourse, yamlText } from "../../../files/write.ts";
import { terminalJson } from "../../../output/json.ts";
import type { ImportFormat } from "./options.ts";

const WRITERS: Readonly<Record<ImportFormat, (courses: readonly PlainObject[]) => string>> = {
  yaml: yamlText,
  json: (courses) => `${JSON.stringify(courses, null, 2)}\n`,
  ndjson: (courses) => courses.map((course) => `${JSON.stringify(course)}\n`).join(""),
  csv: csvText,
};

/** The text of a file with these courses. */
export function fileText(courses: readonly PlainObject[], format: ImportFormat): string {
  return WRITERS[format](courses.map((course) => fileCourse(course)));
}

/** The same text for a terminal: unsafe characters are escaped as in the formats of a listing. */
export function terminalText(courses: readonly PlainObject[], format: ImportFormat): string {
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

function csvText(courses: readonly PlainObject[]): string {
  const used = new Set(courses.flatMap((course) => Object.keys(course)));
  const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
  const names = [...fields, ...[...used].filter(isPrivateKey)];
  return [names.join(","), ...courses.map((course) => csvRow(course, names))]
    .map((line) => `${line}\r\n`)
    .join("");
}

function csvRow(course: PlainObject, names: readonly string[]): string {
  return names.map((name) => cellText(course[name], true)).join(",");
}
