/** Why the steps of a plan must not be sent, and what the user should know about a plan. Pure. */
import { CatalogError, UNRELIABLE_LISTING, usageError } from "../base/errors.ts";
import { escapeLine, formatNumber, joinList, listSome, pluralize, truncate } from "../base/text.ts";
import { isUuid } from "../base/values.ts";
import type { Provider } from "../course/provider.ts";
import type { DeletionLimit } from "../settings/table.ts";
import type { CourseIndex } from "./identify.ts";
import { listProviderIds, type Move } from "./plan.ts";
import type { Step } from "./step.ts";

/** The error of more deletions than the limit; undefined within it. @param of all courses or files, which `what` names */
export function refuseDeletions(
  deletions: number,
  of: number,
  what: string,
  limit: DeletionLimit,
): CatalogError | undefined {
  const most = limit.of(of);
  if (deletions <= most) return undefined;
  return usageError(
    `this would delete ${formatNumber(deletions)} of ${what}; the limit is ${formatNumber(most)}`,
    `If you mean it, pass --max-deletes ${deletions}.`,
  );
}

/** The courses of the providers that the files name, among which a run may delete. */
export interface DeletionScope {
  readonly courses: number;
  readonly providers: string[];
}

/** How many providers are named; more are only counted. */
const NAMED = 5;

/** `the 300 courses of Example Academy`, or `the 300 courses of 6 providers` */
export function describeScope({ courses, providers }: DeletionScope): string {
  const names =
    providers.length > NAMED
      ? pluralize(providers.length, "provider")
      : joinList(providers.map(escapeLine), "and");
  return `the ${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}

/** A request without a valid id could change or delete every course of a service of this kind. */
export function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  const message = `the service lists a course whose id is not a UUID: ${id}`;
  const advice = "Nothing was sent. Is the base URL right? Another service may have responded.";
  throw new CatalogError("unreachable", message, { advice });
}

/** The refusal of a run that would delete courses which may only have moved; undefined without such courses. */
export function refuseMoves(moves: readonly Move[]): CatalogError | undefined {
  const amount = moves.filter(({ isDeleted }) => isDeleted).length;
  if (amount === 0) return undefined;
  const looks = amount === 1 ? "looks like a course" : "look like courses";
  return usageError(
    `${pluralize(amount, "new course")} ${looks} that --prune would delete`,
    "If it is the same course, add the id that the warning shows. If not, push first and prune afterwards.",
  );
}

/** The refusal of steps that create or delete courses after an unreliable listing; undefined for others. */
export function refuseReading(
  steps: readonly Step[],
  isUnreliable: boolean,
): CatalogError | undefined {
  const isAtRisk = steps.some(({ action }) => action === "create" || action === "delete");
  if (!isUnreliable || !isAtRisk) return undefined;
  return usageError(
    UNRELIABLE_LISTING,
    "Nothing was sent, because catalog could delete or recreate a course that the list omits.",
  );
}

/** Counts the fields that are set in the catalog and missing from the files. */
export function describeUnmanaged(steps: readonly Step[]): string[] {
  const counts = steps
    .map((step) => ("unmanaged" in step ? (step.unmanaged?.length ?? 0) : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} in the catalog ` +
      `${fields === 1 ? "is not in your files and stays as it is" : "are not in your files and stay as they are"}. ` +
      `To clear ${fields === 1 ? "it" : "them"}, pass --complete.`,
  ];
}

/** The notice about providers that have courses, and that no file names. */
export function describeOthers(
  providers: readonly Provider[],
  providerIds: ReadonlySet<string>,
  index: CourseIndex,
): string[] {
  const withCourses = new Set(listProviderIds(index.courses));
  const found = providers.filter(({ id }) => {
    const own = id.toLowerCase();
    return withCourses.has(own) && !providerIds.has(own);
  });
  const [first] = found;
  if (first === undefined) return [];
  const names = listSome(found.map(({ name }) => truncate(name)));
  const [whom, example] =
    found.length === 1 ? ["this provider", ""] : ["these providers", "each provider, for example "];
  return [
    `Skipped the courses of ${names}, because no file names ${whom}. ` +
      `To include them, pass ${example}--provider ${first.slug}.`,
  ];
}
