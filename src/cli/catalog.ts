/** Reads the catalog: every course of the user, with the index that says which course is meant. */
import { CourseIndex, type Listed } from "../core/identify.ts";
import type { Course } from "../course/request-body.ts";
import type { Context } from "./context.ts";
import { drain, readProviders, showWork } from "./work.ts";

/**
 * Reads every course of the user, with progress. A course may belong to another provider than its url suggests, so that a
 * part of the catalog does not show whether a course exists.
 */
export async function readCatalog(context: Context): Promise<CourseIndex<Course>> {
  return await readListing(context, (course) => course);
}

/** Reads the catalog, of which only a part stays in memory. @param keep what stays of each course */
export async function readListing<Item extends Listed>(
  context: Context,
  keep: (course: Course) => Item,
): Promise<CourseIndex<Item>> {
  const providers = await readProviders(context);
  const client = await context.client();
  const courses: Item[] = [];
  return await showWork("Reading courses", context, async (advance) => {
    const { isUnreliable } = await drain(client.courses(), (page) => {
      for (const course of page) courses.push(keep(course));
      advance({ done: courses.length });
    });
    return new CourseIndex(courses, providers, !isUnreliable);
  });
}
