/** The flags that filter and sort a listing: by the service, or by this program. */
import { usageError } from "../../base/errors.ts";
import { parseUrl } from "../../base/http.ts";
import { suggest } from "../../base/suggest.ts";
import { isList, isObject } from "../../base/values.ts";
import {
  alternatives,
  BOOLEANS,
  type Flag,
  type FlagValues,
  nonEmpty,
  parseBoolean,
} from "../../command-support/arguments.ts";
import type { Context } from "../../command-support/context.ts";
import { resolveProviderId } from "../../command-support/ids.ts";
import type { ProgressNeeds } from "../../command-support/work.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import type { Course } from "../../course/request-body.ts";

/** The columns of tables of courses. */
export const COURSE_COLUMNS = ["id", "name", "published", "approval_status"];

export const FILTER_FLAGS = [
  {
    name: "provider",
    value: "<provider>",
    completes: "provider",
    parse: nonEmpty,
    description: "only courses of this provider: UUID, slug, domain or name",
  },
  {
    name: "name",
    value: "<text>",
    // An empty variable must not select every course for the command that follows in a pipe.
    parse: (text: string, flag: string) => {
      nonEmpty(text, flag);
      return text;
    },
    description: "only courses whose name contains this text (case-sensitive)",
  },
  {
    name: "published",
    value: alternatives(BOOLEANS),
    choices: BOOLEANS,
    parse: parseBoolean,
    description: "only published or only unpublished courses",
  },
] as const satisfies readonly Flag[];

/** The values of the flags; the provider as typed. */
export type Filters = FlagValues<typeof FILTER_FLAGS>;

/** The filters with the provider's id; may send GET providers. @throws CatalogError of kind `usage` */
export async function resolveFilters(
  { provider, name, published }: Filters,
  context: ProgressNeeds & Pick<Context, "client">,
): Promise<Omit<Filters, "provider"> & { readonly providerId?: string }> {
  if (provider === undefined) return { name, published };
  return { name, published, providerId: await resolveProviderId(provider, context) };
}

export const CLIENT_FLAGS = [
  { name: "url", value: "<url>", parse: nonEmpty, description: "only the course with this url" },
  {
    name: "approval",
    value: "<status>",
    parse: nonEmpty,
    description: "only courses with this approval_status, such as pending",
  },
  {
    name: "sort",
    value: "<field>",
    completes: "columns",
    parse: parseOrder,
    description: "sort by a field, or by -field in descending order",
  },
] as const satisfies readonly Flag[];

/** What is done with the courses that the service lists. */
export type ClientFilters = FlagValues<typeof CLIENT_FLAGS>;

interface Order {
  readonly field: string;
  readonly descending: boolean;
}

function parseOrder(typed: string, flag: string): Order {
  const text = nonEmpty(typed, flag);
  const descending = text.startsWith("-");
  const field = descending ? text.slice(1) : text;
  if (FIELD_NAMES.some((name) => name === field)) return { field, descending };
  throw usageError(
    `--sort: unknown field ${JSON.stringify(field)}`,
    suggest(field, FIELD_NAMES, `The fields are ${FIELD_NAMES.join(", ")}.`),
  );
}

/** Whether there is anything that the service does not do itself. */
export function needsEveryPage({ url, approval, sort }: ClientFilters): boolean {
  return url !== undefined || approval !== undefined || sort !== undefined;
}

/** Whether a course passes the filters. */
export function matchesFilters(course: Course, { url, approval }: ClientFilters): boolean {
  if (approval !== undefined && course.approval_status !== approval) return false;
  return url === undefined || isSameUrl(course.url, url);
}

/** Whether two URLs are the same page as a browser sees it, apart from a slash at the end. */
function isSameUrl(value: unknown, url: string): boolean {
  return value === url || (typeof value === "string" && normalize(value) === normalize(url));
}

function normalize(text: string): string {
  return (parseUrl(text)?.href ?? text).replace(/\/$/, "");
}

/** The courses in the requested order: by code points, numbers by value, nulls last. */
export function sortCourses(
  courses: readonly Course[],
  { sort }: ClientFilters,
): readonly Course[] {
  if (sort === undefined) return courses;
  const { field, descending } = sort;
  return [...courses].sort((one, other) => {
    const [left, right] = [one[field] ?? null, other[field] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order = compareValues(left, right);
    return descending ? -order : order;
  });
}

function compareValues(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return compareText(toText(one), toText(other));
}

function toText(value: unknown): string {
  return isObject(value) || isList(value) ? JSON.stringify(value) : String(value);
}

/** The bytes of UTF-8 are in the order of the code points, unlike the units of UTF-16. */
function compareText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
