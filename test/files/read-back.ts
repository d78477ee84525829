/** Reads a course file as the program does. */
import { expect } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { decode } from "../../src/files/decode.ts";
import { type FileFormat, parseAs } from "../../src/files/parse.ts";
import { courseText, fileCourse } from "../../src/files/write.ts";

/** The only course of a file. Fails if the file is invalid. */
export async function readBack(text: string, format: FileFormat): Promise<unknown> {
  const decoded = decode(Buffer.from(text));
  expect(decoded.problem).toBeUndefined();
  const parsed = await parseAs(format, decoded.text);
  expect(parsed.problems).toEqual([]);
  expect(parsed.documents).toHaveLength(1);
  return parsed.documents[0];
}

/** The text of a course file. */
export function textOf(course: PlainObject, format: FileFormat): string {
  return courseText(fileCourse(course), format);
}
