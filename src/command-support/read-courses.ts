/** Reads courses of the catalog: by id, through the listing, or those that given courses may be. */
import { mapInOrder } from "../base/async.ts";
import { asCatalogError, CatalogError, COURSE_NOT_FOUND, LIST_COURSES } from "../base/errors.ts";
import type { Course } from "../course/request-body.ts";
import type { CourseIndex } from "../sync/identify.ts";
import { type ExistingOptions, MOST_LOOKUPS, readExisting } from "../sync/look-up.ts";
import { type RemoteFilter, readRemoteCourses } from "../sync/remote.ts";
import type { Context } from "./context.ts";
import { concurrencyOf, showWork, type Tracker } from "./work.ts";

/** The course with an id, or why it could not be read. */
export interface ReadCourse {
  readonly id: string;
  readonly course: Course | CatalogError;
}

/** Reads courses in the order of the ids. Throws if no other course could be read, either. */
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

/** Reads courses before they are written: many through the listing, which needs fewer requests. */
export async function readBeforeWriting(
  ids: readonly string[],
  context: Context,
): Promise<ReadCourse[]> {
  const courses = ids.length > MOST_LOOKUPS ? await listCourses({}, context) : [];
  const listed = new Map(courses.map((course) => [course.id.toLowerCase(), course]));
  const read = new Map<string, ReadCourse>();
  // A listing may lack a course that was created while it was read.
  const others = ids.filter((id) => !listed.has(id));
  const { collected } = await context.client();
  const readOthers = async (progress: Tracker): Promise<void> => {
    for await (const each of readById(others, context)) {
      await collected.add(each.course);
      read.set(each.id, each);
      progress.update({ done: read.size });
    }
  };
  await showWork("Reading courses", context, readOthers, { of: others.length });
  return ids.map((id) => read.get(id) ?? { id, course: listed.get(id) ?? noSuchCourse(id) });
}

/** Reads the listing, with progress. @param onRepeats as in `readRemoteCourses`, and so is `keep` */
export async function listCourses(
  filter: RemoteFilter,
  context: Context,
  onRepeats?: (message: string) => Promise<void>,
  keep?: (course: Course) => Course,
): Promise<Course[]> {
  const client = await context.client();
  return await showWork("Reading courses", context, (progress) =>
    readRemoteCourses(client, filter, (done) => progress.update({ done }), onRepeats, keep),
  );
}

/** The courses of the catalog that some of these may be. @param options as for `readExisting` */
export async function searchCourses(
  courses: readonly Course[],
  context: Pick<Context, "client" | "messages" | "settings">,
  options: Pick<ExistingOptions, "named" | "providersOf"> = {},
): Promise<CourseIndex> {
  return await readExisting(courses, await context.client(), {
    ...options,
    concurrency: await concurrencyOf(context),
    onRepeats: (message) => context.messages.warn(message),
  });
}

/** The failure for an id that the user has no course with. */
export function noSuchCourse(id: string): CatalogError {
  return new CatalogError("missing", `${COURSE_NOT_FOUND}: ${id}`, { advice: LIST_COURSES });
}
