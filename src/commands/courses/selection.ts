/** Selects the courses of `ls`: by the filters of the service, and otherwise from the complete listing. */

import { usageError } from "../../base/errors.ts";
import { foldCase, suggest } from "../../base/text.ts";
import { asText, isUuid } from "../../base/values.ts";
import { type Flag, type FlagValues, nonEmpty, parseUuid } from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { readProviders } from "../../cli/work.ts";
import { FIELD_NAMES } from "../../course/fields.ts";
import { requireProvider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { normalizeUrl } from "../../course/special-fields.ts";
import type { CourseQuery, ListingEnd } from "../../service/client.ts";

/** What a course is selected by: by the service, except its url and its approval. */
export const FILTER_FLAGS = [
  {
    name: "provider",
    value: "<provider>",
    parse: nonEmpty,
    description: "only courses of this provider: its slug, domain, name or UUID",
  },
  {
    name: "name",
    value: "<text>",
    // An empty variable must not select every course for the command that follows in a pipe.
    parse: nonEmpty,
    description: "only courses whose name contains this text (case-sensitive)",
  },
  {
    name: "published",
    choices: ["true", "false"],
    description: "only published (true) or only unpublished (false) courses",
  },
  { name: "id", value: "<uuid>", parse: parseUuid, description: "only the course with this id" },
  { name: "url", value: "<url>", parse: nonEmpty, description: "only the course with this url" },
  {
    name: "approval",
    value: "<status>",
    parse: nonEmpty,
    description: "only courses with this approval_status, for example pending (ignores case)",
  },
] as const satisfies readonly Flag[];

export const SORT_FLAG = {
  name: "sort",
  value: "<field>",
  choices: FIELD_NAMES,
  parse: parseOrder,
  description: "sort by a field; -field for descending order",
} as const satisfies Flag;

/** Which of the courses that the service lists are shown, and in which order. */
interface Selection extends FlagValues<readonly [...typeof FILTER_FLAGS, typeof SORT_FLAG]> {
  readonly offset: number;
  /** How many courses are shown; all if it is undefined. */
  readonly limit: number | undefined;
}

/** Pages of courses. */
type Pages = AsyncGenerator<readonly Course[], ListingEnd, void>;

function parseOrder(typed: string, origin: string) {
  const text = nonEmpty(typed, origin);
  const descending = text.startsWith("-");
  const field = descending ? text.slice(1) : text;
  if (FIELD_NAMES.some((name) => name === field)) return { field, descending };
  throw usageError(
    `unknown field ${JSON.stringify(field)} in ${origin}`,
    suggest(field, FIELD_NAMES, "For example: --sort name, or --sort -approval_status"),
  );
}

/** The filters of the service, with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, name, published: word, id }: FlagValues<typeof FILTER_FLAGS>,
  context: Context,
): Promise<CourseQuery> {
  const published = word === undefined ? undefined : word === "true";
  if (provider === undefined) return { id, name, published };
  const providerId = isUuid(provider)
    ? provider.toLowerCase()
    : requireProvider(provider, await readProviders(context)).id;
  return { id, name, published, providerId };
}

/** The selected courses. @param list lists courses of the service, a range of them if nothing else is selected */
export async function* selectCourses(
  list: (range: Pick<CourseQuery, "limit" | "offset">) => Pages,
  selection: Selection,
): Pages {
  const { url, approval, sort, offset: start, limit } = selection;
  const isRange = [url, approval, sort].every((given) => given === undefined);
  if (isRange) return yield* list({ offset: start, limit });
  const end = start + (limit ?? Number.POSITIVE_INFINITY);
  const isWanted = createFilter(selection);
  const unsorted: Course[] = [];
  let found = 0;
  /** The courses of the next page that are in the range. */
  const cut = (courses: readonly Course[]): readonly Course[] => {
    const [from, to] = [start - found, end - found].map((bound) => Math.max(0, bound));
    found += courses.length;
    return courses.slice(from, to);
  };
  let isUnreliable = false;
  const pages = async function* () {
    ({ isUnreliable } = yield* list({}));
  };
  for await (const page of pages()) {
    const wanted = page.filter(isWanted);
    // An order needs all courses at once.
    if (sort !== undefined) for (const course of wanted) unsorted.push(course);
    else yield cut(wanted);
    if (found > end) break;
  }
  if (sort !== undefined) yield cut(sortCourses(unsorted, sort));
  return { isUnreliable, more: found > end };
}

/** A function that tests whether a course is selected. */
function createFilter({ url, approval }: Selection): (course: Course) => boolean {
  const page = url === undefined ? undefined : normalizeUrl(url);
  const status = approval === undefined ? undefined : foldCase(approval);
  return (course) => {
    if (page !== undefined && normalizeUrl(asText(course.url)) !== page) return false;
    return status === undefined || foldCase(asText(course.approval_status ?? "none")) === status;
  };
}

/** Sorts the courses by a field: numbers by value, even in text ("Lesson 2", "Lesson 10"), null last in both directions. */
function sortCourses(courses: Course[], { field, descending }: ReturnType<typeof parseOrder>) {
  // Not when the module is loaded, because creating it takes 10 ms.
  const { compare } = new Intl.Collator("en", { numeric: true });
  return courses.sort((one, other) => {
    const [left, right] = [one[field] ?? null, other[field] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const isNumbers = typeof left === "number" && typeof right === "number";
    const order = isNumbers ? left - right : compare(asText(left), asText(right));
    return descending ? -order : order;
  });
}
