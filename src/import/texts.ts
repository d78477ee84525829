/** Writes files with many courses, in each format that import writes. */
import { safeJson } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { isPrivateKey } from "../course/special-fields.ts";
import { editTable } from "../files/csv.ts";
import { fileCourse } from "../files/write.ts";

/** The formats that import writes. */
export type ImportFormat = "yaml" | "json" | "csv" | "ndjson";

/** The text of a file with these courses. */
export function fileText(courses: readonly PlainObject[], format: ImportFormat): string {
  const written = courses.map((course) => fileCourse(course));
  if (format === "yaml") return yamlText(written);
  if (format === "json") return `${safeJson(written, 2)}\n`;
  if (format === "ndjson") return written.map((course) => `${safeJson(course)}\n`).join("");
  const used = new Set(written.flatMap((course) => Object.keys(course)));
  const fields = COURSE_SHAPE.keys.map(({ name }) => name).filter((name) => used.has(name));
  const names = [...fields, ...[...used].filter(isPrivateKey)];
  return editTable(`${names.join(",")}\r\n`, ",", written);
}
