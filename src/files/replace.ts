/** Replaces courses of a file in place: those that have not changed since they were read. */
import { isDeepStrictEqual } from "node:util";
import type { PlainObject } from "../base/values.ts";
import { courseTest } from "../course/is-course.ts";
import { CHANGED, editCourses, type Refusal } from "./edit.ts";
import type { EditText } from "./edit-file.ts";
import { type SourceCourse, writtenValue } from "./read.ts";

/** A course of a file, and what the file is to contain instead. */
export interface Replacement {
  readonly source: SourceCourse;
  readonly wanted: PlainObject;
}

const NOT_A_COURSE: Refusal = { reason: "what it contains is not a course" };

/** The edit of a file that replaces courses of it, all of them or none. */
export function replaceCourses(replacements: readonly Replacement[]): EditText {
  return async (text, format) =>
    await editCourses(text, format, (courses) => {
      const desired = [...courses];
      const isCourse = courseTest(courses, replacements[0]?.source.file.isTable);
      for (const { source, wanted } of replacements) {
        const present = courses[source.index];
        if (!isDeepStrictEqual(present, writtenValue(source))) return CHANGED;
        if (!isCourse(present)) return NOT_A_COURSE;
        desired[source.index] = wanted;
      }
      return desired;
    });
}
