/** Reads the catalog for a run: the user's providers, and the complete listing of the providers concerned. */

import { mapInOrder } from "../base/async.ts";
import type { PlainObject } from "../base/values.ts";
import { CourseIndex } from "../core/identify.ts";
import type { Provider } from "../course/provider.ts";
import { possibleProviders } from "../course/provider-ownership.ts";
import type { Course } from "../course/request-body.ts";
import type { CourseQuery } from "../service/client.ts";
import type { Context } from "./context.ts";
import { concurrencyOf, showWork } from "./work.ts";

/** The courses of a listing. */
export interface Listing {
  readonly courses: readonly Course[];
  /** Whether each reading showed a course twice, so that it may lack another. */
  readonly isUnreliable: boolean;
}

/** Reads all courses that match, with progress. @param filters of the listings that are read, one after the other */
export async function listCourses(
  filters: readonly CourseQuery[],
  context: Context,
): Promise<Listing> {
  const client = await context.client();
  const courses: Course[] = [];
  let isUnreliable = false;
  await showWork("Reading courses", context, async (progress) => {
    for (const filter of filters) {
      const pages = client.courses(filter);
      for (let next = await pages.next(); ; next = await pages.next()) {
        if (next.done) {
          isUnreliable ||= next.value.repeats;
          break;
        }
        for (const course of next.value) courses.push(course);
        progress.update({ done: courses.length });
      }
    }
  });
  return { courses, isUnreliable };
}

/** The courses in the catalog that a run is about. */
export interface Catalog {
  readonly index: CourseIndex;
  readonly isUnreliable: boolean;
}

/**
 * Reads the complete listing of the providers that descriptions of courses name, or on whose sites the courses are, and
 * the courses of other providers that they name by id.
 *
 * @param more ids of further providers
 */
export async function readCatalog(
  descriptions: readonly PlainObject[],
  providers: readonly Provider[],
  more: Iterable<string>,
  context: Context,
): Promise<Catalog> {
  const concerned = new Set([...more].map((id) => id.toLowerCase()));
  for (const course of descriptions) {
    for (const id of possibleProviders(course, providers)) concerned.add(id.toLowerCase());
  }
  const own = providers.map(({ id }) => id.toLowerCase()).filter((id) => concerned.has(id));
  const filters =
    own.length === providers.length ? [{}] : own.map((providerId) => ({ providerId }));
  const { courses, isUnreliable } = await listCourses(filters, context);
  const known = new Set(courses.map(({ id }) => id.toLowerCase()));
  const named = descriptions.flatMap(({ id }) =>
    typeof id === "string" ? [id.toLowerCase()] : [],
  );
  const missing = own.length === providers.length ? [] : named.filter((id) => !known.has(id));
  const client = await context.client();
  const concurrency = await concurrencyOf(context);
  const others: Course[] = [];
  for await (const course of mapInOrder(missing, concurrency, (id) => client.course(id))) {
    if (course !== undefined) others.push(course);
  }
  return { index: new CourseIndex([...courses, ...others]), isUnreliable };
}
