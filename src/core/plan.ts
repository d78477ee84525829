/** Makes plans: what a run does, complete before anything is sent, why it must not be done, and what is said about it. Pure. */

import { CatalogError, UNRELIABLE_LISTING, usageError } from "../base/errors.ts";
import {
  escapeLine,
  formatNumber,
  listSome,
  pluralize,
  truncate,
  truncateJson,
} from "../base/text.ts";
import { formatPath, isUuid } from "../base/values.ts";
import { courseLabel } from "../course/problem.ts";
import { belongsTo, listProviderIds, type Provider } from "../course/provider.ts";
import { mostDeletions } from "../settings/table.ts";
import type { CourseIndex } from "./identify.ts";
import type { RecordHeader } from "./record.ts";
import { addRisks, findMany } from "./risks.ts";
import { isWrite, listChanges, type Step } from "./step.ts";

/** What a run does: it is complete before anything is sent. `makePlan` makes it. */
export interface Plan extends Pick<RecordHeader, "scope"> {
  /** Deletions come last. */
  readonly steps: readonly Step[];
  /** The field that changes in many courses. */
  readonly many: ReturnType<typeof findMany>;
  /** How many courses were compared. */
  readonly compared: number;
  /** The workbooks that the steps are from, and what a reviewer decided about them. */
  readonly origin: Pick<RecordHeader, "workbooks" | "review">;
  /** What is said about courses that the steps leave alone. */
  readonly notices: readonly string[];
  /** Why the steps must not be applied. They are shown before. */
  readonly refusal: CatalogError | undefined;
}

/**
 * Adds to steps what is said about them: their risks, the courses with which theirs share a url, and why they must not be
 * applied.
 *
 * @param index the listing from which the steps were made; undefined if each course was read by its id
 * @throws CatalogError for a course whose id is not a UUID
 */
export function makePlan(
  steps: readonly Step[],
  index: CourseIndex | undefined,
  facts: Partial<Pick<Plan, "scope" | "notices" | "origin" | "refusal">> & {
    /** How many of the courses of `scope` may be deleted. */
    readonly limit?: string;
    /** How many deletions count; by default, those of the steps. */
    readonly deletions?: number;
    /** By default, the number of steps. */
    readonly compared?: number | undefined;
  } = {},
): Plan {
  const { scope, limit, compared = steps.length, notices = [], origin = {} } = facts;
  const { deletions = countDeletions(steps) } = facts;
  requireValidIds(steps);
  const tooMany =
    scope && limit
      ? refuseDeletions(deletions, scope.courses, `the ${describeScope(scope)}`, limit)
      : undefined;
  const refusal = refuseReading(steps, index) ?? facts.refusal ?? tooMany;
  const shared = steps.map((step): Step => {
    if (step.action !== "delete" && step.action !== "update") return step;
    const others = index?.findOthers(step.before.url, step.id) ?? [];
    return { ...step, shared: others.length === 0 ? undefined : others };
  });
  const many = findMany(steps, compared);
  return { steps: addRisks(shared), scope, many, compared, origin, notices, refusal };
}

/** The number of steps that delete a course. */
export function countDeletions(steps: readonly Step[]): number {
  return steps.filter(({ action }) => action === "delete").length;
}

/** A request without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  const message = `the service lists a course whose id is not a UUID: ${id}`;
  const advice = "Nothing was sent. Check the base URL: another service may have responded.";
  throw new CatalogError("unreachable", message, { advice });
}

/** The refusal of steps that create or delete courses or give one a url, after an unreliable listing; undefined for others. */
function refuseReading(
  steps: readonly Step[],
  index: CourseIndex | undefined,
): CatalogError | undefined {
  const isAtRisk = steps.some(
    (step) => isWrite(step) && (step.action !== "update" || step.body.url !== undefined),
  );
  if (index === undefined || index.isReliable || !isAtRisk) return undefined;
  return usageError(
    UNRELIABLE_LISTING,
    "Nothing was sent: catalog could delete or recreate a missing course, or give its url to another one. Run the command again.",
  );
}

/** The error of more deletions than the limit; undefined within it. @param of all courses or files, which `what` names */
export function refuseDeletions(
  deletions: number,
  of: number,
  what: string,
  limit: string,
): CatalogError | undefined {
  const most = mostDeletions(limit, of);
  if (deletions <= most) return undefined;
  return usageError(
    `this would delete ${formatNumber(deletions)} of ${what}; the limit is ${formatNumber(most)}`,
    `Did you pass all your files? If you mean it, pass --max-deletes ${deletions}.`,
  );
}

/**
 * What the limit compares: the deletions, and all courses of the providers that lose courses. Only the listing counts,
 * because a plan is input, and a course that is gone by now is not deleted.
 */
export function measureDeletions(
  steps: readonly Step[],
  index: CourseIndex,
  providers: readonly Provider[],
) {
  const lost = steps.flatMap(({ action, id }) =>
    action === "delete" ? (index.find(id) ?? []) : [],
  );
  const scope = measureScope(index, providers, listProviderIds(lost));
  return { deletions: lost.length, scope };
}

/** The courses of the providers with these ids, which are in lowercase. */
function measureScope(
  index: CourseIndex,
  providers: readonly Provider[],
  ids: ReadonlySet<string>,
): NonNullable<Plan["scope"]> {
  return {
    courses: [...index.courses].filter((course) => belongsTo(course, ids)).length,
    providers: providers.filter(({ id }) => ids.has(id.toLowerCase())).map(({ name }) => name),
  };
}

/** `300 courses of Example Academy` */
export function describeScope({ courses, providers }: NonNullable<Plan["scope"]>): string {
  const names = listSome(providers.map(escapeLine));
  return `${pluralize(courses, "course")}${names === "" ? "" : ` of ${names}`}`;
}

/** Counts the fields that are set in the catalog and missing from the files. */
export function describeUnmanaged(steps: readonly Step[]): string[] {
  const lists = steps.flatMap((step) => ("unmanaged" in step ? [step.unmanaged ?? []] : []));
  if (lists.length === 0) return [];
  const fields = pluralize(lists.flat().length, "field");
  const what = `${fields} of ${pluralize(lists.length, "course")}`;
  return [`Kept what only the catalog has: ${what}. To clear such fields, pass --complete.`];
}

/** The notice about courses that were found by their url, although their files have a key. */
export function describeKeyed(steps: readonly Step[]): string[] {
  if (steps.length === 0) return [];
  const names = listSome(steps.map(courseLabel));
  const then = "If its url changes, only its id finds it. To add missing ids, pass --write-ids.";
  return [`A key was added after the course was created: ${names}. ${then}`];
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
  const ids = new Set(found.map(({ id }) => id.toLowerCase()));
  const courses = describeScope(measureScope(index, providers, ids));
  const then = `To include such courses, pass --provider ${first.slug}.`;
  return [`Skipped ${courses}, because no file names the provider. ${then}`];
}

/** The conflict of a course, with the three values of each field that the user must decide. */
export function describeConflict(step: Step): CatalogError {
  const changes = listChanges(step).filter(({ changedIn }) => changedIn === "both");
  const fields = changes.map(({ path, base, old, new: value }) => {
    const [before, catalog, file] = [base, old, value].map((each) => truncateJson(each));
    const field = formatPath(path);
    if (step.action === "create") return `${field} ${before} → ${file}`;
    if (step.action === "delete") return `${field} ${before} → ${catalog}`;
    return `${field} was ${before}, is ${file} in the file and ${catalog} in the catalog`;
  });
  const events: Partial<Record<Step["action"], string>> = {
    create: "was deleted in the catalog, but changed in the file",
    delete: "is no longer in any file, but changed in the catalog",
  };
  const what = events[step.action] ?? "changed in the file and in the catalog";
  return new CatalogError("drift", `${courseLabel(step)} ${what}: ${fields.join("; ")}`);
}
