/** Writes ids into course files and leaves everything else as it is (`push --write-ids`). */
import { listSome, pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { FoundFile } from "./bytes.ts";
import { CHANGED, type Refusal } from "./edit.ts";
import { editFile } from "./edit-file.ts";

/** An id for a course of a file. */
export interface ChosenId {
  /** The index of the course among those of the file. */
  readonly course: number;
  /** The `url` that the course had when it was read, to recognize it. */
  readonly url: string;
  readonly id: string;
}

/** Writes ids into a file, all of them or none. A course that has its id is left alone. */
export async function writeIds(file: FoundFile, ids: readonly ChosenId[]): Promise<void> {
  if (ids.length === 0) return;
  await editFile(file, (courses) => addIds(courses, ids), {
    what: ids.length === 1 ? `the id of ${ids[0]?.url}` : pluralize(ids.length, "id"),
    advice: adviceFor(ids),
    adviceIfChanged: "Push again to use the file as it is now.",
  });
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

/** What to write by hand if the program could not. */
function adviceFor(ids: readonly ChosenId[]): string {
  if (ids.length === 1) return `Add the id to the file yourself: ${ids[0]?.id}`;
  return `Add them to the file yourself: ${listSome(ids.map(({ url, id }) => `${id} (${url})`))}.`;
}
