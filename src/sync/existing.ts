/** Finds out which courses exist before they are created. */
import type { Course } from "../course/request-body.ts";
import { type CourseReader, lookUpCourses, MOST_LOOKUPS } from "./look-up.ts";
import { CourseIndex } from "./match.ts";
import { type RemoteFilter, readRemoteCourses } from "./remote.ts";

/** What reads courses and first pages: the client, or a fake in a test. */
export interface PageReader extends CourseReader {
  /** The first courses of a provider, and whether there may be more. */
  firstPage(filter: {
    readonly providerId: string;
  }): Promise<{ readonly courses: readonly Course[]; readonly more: boolean }>;
}

/**
 * The remote courses that some of these may be: by id, or by url. Up to 25 courses are looked up by
 * id and name, unless the listing of their provider is a single page; for more, it is read.
 *
 * @param named the ids that were not derived, which courses of any provider may have
 * @param onRepeats called if a listing repeats courses every time, so that it may lack some
 */
export async function readExisting(
  courses: readonly Course[],
  named: ReadonlySet<string>,
  reader: PageReader,
  {
    concurrency,
    onRepeats,
  }: {
    readonly concurrency: number;
    readonly onRepeats: (message: string) => void | Promise<void>;
  },
): Promise<CourseIndex> {
  const isMany = courses.length > MOST_LOOKUPS;
  const readAll = (filter: RemoteFilter): Promise<readonly Course[]> =>
    readRemoteCourses(reader, filter, undefined, onRepeats);
  const found = new Map<string, Course>();
  const add = (rows: readonly Course[]): void => {
    for (const row of rows) found.set(row.id.toLowerCase(), row);
  };
  const unlisted: string[] = [];
  for (const [providerId, own] of byProvider(courses)) {
    const listed = isMany
      ? { courses: await readAll({ providerId }), more: false }
      : await reader.firstPage({ providerId });
    add(listed.courses);
    const isListed = !listed.more;
    const names = isListed ? [] : new Set(own.map(({ name }) => String(name)));
    for (const name of names) add(await readAll({ providerId, name }));
    // A complete listing contains every derived id.
    for (const { id } of own) if (!isListed || named.has(id)) unlisted.push(id);
  }
  const missing = unlisted.filter((id) => !found.has(id));
  add(await lookUpCourses(missing, reader, concurrency));
  return new CourseIndex([...found.values()]);
}

function byProvider(courses: readonly Course[]): Map<string, Course[]> {
  const groups = new Map<string, Course[]>();
  for (const course of courses) {
    const provider = String(course.provider_id).toLowerCase();
    const group = groups.get(provider);
    if (group === undefined) groups.set(provider, [course]);
    else group.push(course);
  }
  return groups;
}
