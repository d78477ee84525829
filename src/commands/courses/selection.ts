/** Selects and sorts courses for `ls` where the service cannot. */
import { usageError } from "../../base/errors.ts";
import { normalizeUrl } from "../../base/http.ts";
import { suggest } from "../../base/suggest.ts";
import { foldCase } from "../../base/text.ts";
import { asText } from "../../base/values.ts";
import { type Flag, type FlagValues, nonEmpty } from "../../cli/arguments.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import type { Course } from "../../course/request-body.ts";
import type { ListingEnd } from "../../service/client.ts";

export const SELECTION_FLAGS = [
  { name: "url", value: "<url>", parse: nonEmpty, description: "only the course with this url" },
  {
    name: "approval",
    value: "<status>",
    parse: nonEmpty,
    description: "only courses with this approval_status, for example pending (ignores case)",
  },
  {
    name: "sort",
    value: "<field>",
    parse: parseOrder,
    description: "sort by a field; -field for descending order",
  },
] as const satisfies readonly Flag[];

/** Which of the courses that the service lists are shown, and in which order. */
interface Selection extends FlagValues<typeof SELECTION_FLAGS> {
  readonly offset: number;
  /** How many courses are shown; all if it is undefined. */
  readonly limit: number | undefined;
}

/** Pages of courses. */
type Pages = AsyncGenerator<readonly Course[], ListingEnd, void>;

interface Order {
  readonly field: string;
  readonly descending: boolean;
}

function parseOrder(typed: string, origin: string): Order {
  const text = nonEmpty(typed, origin);
  const descending = text.startsWith("-");
  const field = descending ? text.slice(1) : text;
  if (FIELD_NAMES.some((name) => name === field)) return { field, descending };
  throw usageError(
    `unknown field ${JSON.stringify(field)} in ${origin}`,
    suggest(field, FIELD_NAMES, "For example: --sort name, or --sort -approval_status"),
  );
}

/** Whether something is selected or sorted that the service cannot select or sort. */
export function isSelective({ url, approval, sort }: Selection): boolean {
  return [url, approval, sort].some((given) => given !== undefined);
}

/** The selected courses of a complete listing. */
export async function* selectCourses(pages: Pages, selection: Selection): Pages {
  const { sort, offset, limit = Number.POSITIVE_INFINITY } = selection;
  const isWanted = createFilter(selection);
  const unsorted: Course[] = [];
  let found = 0;
  /** The courses of the next page that are after the offset and within the limit. */
  const cut = (courses: readonly Course[]): readonly Course[] => {
    const [from, to] = [offset, offset + limit].map((bound) => Math.max(0, bound - found));
    found += courses.length;
    return courses.slice(from, to);
  };
  try {
    for (;;) {
      const page = await pages.next();
      if (page.done) {
        if (sort !== undefined) yield cut(sortCourses(unsorted, sort));
        return { more: found > offset + limit, repeats: page.value.repeats };
      }
      const wanted = page.value.filter(isWanted);
      // An order needs all courses at once.
      if (sort !== undefined) for (const course of wanted) unsorted.push(course);
      else yield cut(wanted);
      // Only a further course shows that there are more.
      if (found > offset + limit) return { more: true, repeats: false };
    }
  } finally {
    await pages.return({ more: true, repeats: false });
  }
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

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Sorts the courses by a field: numbers by value, even in text ("Lesson 2", "Lesson 10"), null last in both directions. */
function sortCourses(courses: Course[], { field, descending }: Order): Course[] {
  return courses.sort((one, other) => {
    const [left, right] = [one[field] ?? null, other[field] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order = compareValues(left, right);
    return descending ? -order : order;
  });
}

function compareValues(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return COLLATOR.compare(asText(one), asText(other));
}
