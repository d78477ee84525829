/** Reads a course file as the program does. */
import { expect } from "vitest";
import { isObject } from "../../src/base/values.ts";
import { decode } from "../../src/files/decode.ts";
import { CHANGED, type Refusal } from "../../src/files/edit.ts";
import { type FileFormat, parseAs } from "../../src/files/parse.ts";

/** An id for a course of a file. */
export interface ChosenId {
  /** The index of the course among those of the file. */
  readonly course: number;
  /** The `url` of the course, to recognize it. */
  readonly url: string;
  readonly id: string;
}

/** The only course of a file. Fails if the file is invalid. */
export async function readBack(text: string, format: FileFormat): Promise<unknown> {
  const decoded = decode(Buffer.from(text));
  expect(decoded.problem).toBeUndefined();
  const parsed = await parseAs(format, decoded.text);
  expect(parsed.problems).toEqual([]);
  expect(parsed.documents).toHaveLength(1);
  return parsed.documents[0];
}

/** The courses with the ids added, all of them or none. */
export function addIds(
  courses: readonly unknown[],
  ids: readonly ChosenId[],
): readonly unknown[] | Refusal {
  const desired = [...courses];
  for (const { course: index, url, id } of ids) {
    const course = desired[index];
    if (!isObject(course) || course.url !== url) return CHANGED;
    const existing = course.id ?? "";
    if (typeof existing === "string" && existing.toLowerCase() === id.toLowerCase()) continue;
    if (existing !== "") return CHANGED;
    desired[index] = { ...course, id };
  }
  return desired;
}
