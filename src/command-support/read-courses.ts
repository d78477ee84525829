/** Reads courses in the catalog: by id, through the listing, or by the urls and keys of given courses. */
import { mapInOrder } from "../base/async.ts";
import { asCatalogError, CatalogError, COURSE_NOT_FOUND, LIST_COURSES } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";
import type { CourseFilter } from "../service/client.ts";
import type { CourseIndex } from "../sync/course-index.ts";
import { type ExistingOptions, MAX_LOOKUPS, readExisting } from "../sync/look-up.ts";
import { readRemoteCourses } from "../sync/remote.ts";
import type { Context } from "./context.ts";
import { concurrencyOf, showWork, type Tracker } from "./work.ts";

/** The course with an id, or the error that it could not be read. */
export interface ReadCourse {
  readonly id: string;
  readonly course: Course | CatalogError;
}

/** Reads courses in the order of the ids. @throws CatalogError if the key is rejected or catalog was asked to stop */
export async function* readById(
  ids: readonly string[],
  context: Pick<Context, "client" | "settings">,
): AsyncGenerator<ReadCourse, void, void> {
  const client = await context.client();
  yield* mapInOrder(ids, await concurrencyOf(context), async (id) => {
    const course = (await client.course(id).catch(asCatalogError)) ?? noSuchCourse(id);
    const kind = course instanceof CatalogError ? course.kind : undefined;
    if (kind === "auth" || kind === "interrupted") throw course;
    return { id, course };
  });
}

/** Reads courses before a command changes them. Reads many through the listing, which needs fewer requests. */
export async function readBeforeWriting(
  ids: readonly string[],
  context: Context,
): Promise<ReadCourse[]> {
  const courses = ids.length > MAX_LOOKUPS ? await listCourses({}, context) : [];
  const listed = new Map(courses.map((course) => [course.id.toLowerCase(), course]));
  const read = new Map<string, ReadCourse>();
  // A course that was created while the listing was read may be missing from it.
  const others = ids.filter((id) => !listed.has(id));
  const readOthers = async (progress: Tracker): Promise<void> => {
    for await (const each of readById(others, context)) {
      read.set(each.id, each);
      progress.update({ done: read.size });
    }
  };
  await showWork("Reading courses", context, readOthers, { of: others.length });
  return ids.map((id) => read.get(id) ?? { id, course: listed.get(id) ?? noSuchCourse(id) });
}

/** Reads the listing, with progress. @param onRepeats as for `readRemoteCourses` */
export async function listCourses(
  filter: CourseFilter,
  context: Context,
  onRepeats?: (message: string) => Promise<void>,
): Promise<Course[]> {
  const client = await context.client();
  return await showWork("Reading courses", context, (progress) =>
    readRemoteCourses(client, filter, (done) => progress.update({ done }), onRepeats),
  );
}

/** The courses in the catalog that may be the same as given courses. @param options as for `readExisting` */
export async function searchCourses(
  courses: readonly Course[],
  context: Pick<Context, "client" | "settings">,
  options: Pick<ExistingOptions, "named" | "providersOf"> = {},
): Promise<CourseIndex> {
  return await readExisting(courses, await context.client(), {
    ...options,
    concurrency: await concurrencyOf(context),
  });
}

/** The error of an id without a course of the user. */
export function noSuchCourse(id: string): CatalogError {
  return new CatalogError("missing", `${COURSE_NOT_FOUND}: ${id}`, { advice: LIST_COURSES });
}
