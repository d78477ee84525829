/** Reads the catalog for a run: the complete listing of the user's courses. */
import { CourseIndex } from "../core/identify.ts";
import type { Course } from "../course/request-body.ts";
import type { CourseQuery } from "../service/client.ts";
import type { Context } from "./context.ts";
import { showWork } from "./work.ts";

/** The courses of a listing. */
export interface Listing {
  readonly courses: readonly Course[];
  /** Whether each reading showed a course twice, so that it may lack another. */
  readonly isUnreliable: boolean;
}

/** Reads all courses that match, with progress. */
export async function listCourses(filter: CourseQuery, context: Context): Promise<Listing> {
  const client = await context.client();
  const courses: Course[] = [];
  return await showWork("Reading courses", context, async (progress) => {
    const pages = client.courses(filter);
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) return { courses, isUnreliable: next.value.repeats };
      for (const course of next.value) courses.push(course);
      progress.update({ done: courses.length });
    }
  });
}

/** The user's courses. */
export interface Catalog {
  readonly index: CourseIndex;
  readonly isUnreliable: boolean;
}

/**
 * Reads every course of the user. A course may belong to another provider than its url suggests, so that a part of the
 * catalog does not show whether a course exists.
 */
export async function readCatalog(context: Context): Promise<Catalog> {
  const { courses, isUnreliable } = await listCourses({}, context);
  return { index: new CourseIndex(courses), isUnreliable };
}
