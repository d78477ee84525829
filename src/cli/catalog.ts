/** Reads the catalog: every course of the user, with the index that says which course is meant. */
import { CourseIndex, type Listed } from "../core/identify.ts";
import type { Course } from "../course/request-body.ts";
import type { Context } from "./context.ts";
import { readProviders, showWork } from "./work.ts";

/**
 * Reads every course of the user, with progress. A course may belong to another provider than its url suggests, so that a
 * part of the catalog does not show whether a course exists.
 *
 * @param keep what stays in memory of each course; by default, the complete course
 */
export async function readCatalog(context: Context): Promise<CourseIndex<Course>>;
export async function readCatalog<Item extends Listed>(
  context: Context,
  keep: (course: Course) => Item,
): Promise<CourseIndex<Item>>;
export async function readCatalog(
  context: Context,
  keep: (course: Course) => Listed = (course) => course,
): Promise<CourseIndex> {
  const providers = await readProviders(context);
  const client = await context.client();
  const courses: Listed[] = [];
  return await showWork("Reading courses", context, async (advance) => {
    const pages = client.courses();
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) return new CourseIndex(courses, providers, !next.value.isUnreliable);
      for (const course of next.value) courses.push(keep(course));
      advance({ done: courses.length });
    }
  });
}
