/** Shows a recorded write as changes of fields. */
import { type Change, diffCourses } from "../course/difference.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Write } from "./record.ts";

/** The changes of a write: old and new values. */
export function describeChanges(write: Write): Change[] {
  switch (write.action) {
    case "create":
      return Object.entries(write.body)
        .filter(([name]) => name !== "id")
        .map(([name, value]) => ({ path: [name], old: null, new: value }));
    case "update":
      return diffCourses(write.body, write.before);
    case "delete":
      return diffCourses(EMPTY_COURSE, write.before);
  }
}

const EMPTY_COURSE = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);
