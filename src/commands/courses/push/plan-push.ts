/** Plans a push: reads the files and the remote courses, and compares them. `diff` shows the same plan. */
import { CatalogError } from "../../../base/errors.ts";
import { escapeName, pluralize, truncate } from "../../../base/text.ts";
import { isObject, isUuid } from "../../../base/values.ts";
import type { Flag, FlagValues } from "../../../command-support/arguments.ts";
import {
  checkLimit,
  type DeletionScope,
  describeScope,
  MAX_DELETES_FLAG,
  resolveLimit,
} from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import {
  FILES_FROM_FLAG,
  loadAllCourses,
  readPaths,
  stopAtErrors,
} from "../../../command-support/course-files.ts";
import { ForeignCourses } from "../../../command-support/foreign-courses.ts";
import { diagnoseSame, FileCourse, sourceOf } from "../../../command-support/located.ts";
import { searchCourses } from "../../../command-support/read-courses.ts";
import type { ReportTarget } from "../../../command-support/report-flag.ts";
import {
  ALL_RULES,
  type FindingFilter,
  findingFilter,
  type RuleChoice,
} from "../../../command-support/rule-choice.ts";
import { type RunState, withKnown } from "../../../command-support/run-report.ts";
import { findTarget } from "../../../command-support/show-steps.ts";
import { concurrencyOf, readProviders, showWork } from "../../../command-support/work.ts";
import { shareValues } from "../../../course/difference.ts";
import { possibleProviders, resolveProvider } from "../../../course/ownership.ts";
import type { Provider } from "../../../course/provider.ts";
import type { Course } from "../../../course/request-body.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "../../../files/diagnostic.ts";
import { checkOwners } from "../../../files/validate.ts";
import type { Target } from "../../../output/diagnostics.ts";
import { CourseIndex, chooseId } from "../../../sync/identify.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { type Conflict, findMoves, type Move, planSync } from "../../../sync/plan.ts";
import { readRemoteCourses } from "../../../sync/remote.ts";
import type { Located, Step } from "../../../sync/step.ts";

/** The flags that decide what a push plans; `diff` accepts them, too. */
export const PLAN_FLAGS = [
  { ...MAX_DELETES_FLAG, needs: ["prune", "plan"] },
  {
    name: "allow-recreate",
    needs: ["prune"],
    description: "with --prune, delete and create again a course that may only have a new url",
  },
  { name: "complete", description: "clear fields that a file leaves out" },
  // Courses of the files that are not listed would be deleted.
  { ...FILES_FROM_FLAG, excludes: ["prune"] },
] as const satisfies readonly Flag[];

export interface PlanSources extends FlagValues<typeof PLAN_FLAGS> {
  readonly paths: readonly string[];
  readonly prune: boolean;
  /** Files that the command writes, which a folder does not include. */
  readonly report: readonly ReportTarget[];
  readonly out: string | undefined;
  readonly record?: string | undefined;
  readonly writeIds?: boolean;
  /** Only every so many of the files, from the one with the number `part`, which counts from 1. */
  readonly shard?: { readonly part: number; readonly of: number } | undefined;
  /** Which warnings count; errors always do. */
  readonly rules?: RuleChoice;
}

/** The steps of a push, and what else was found out about them. */
export interface PushPlan {
  readonly steps: readonly Step[];
  readonly notices: readonly string[];
  /** How many courses of the same providers nothing describes; none with `--prune`. */
  readonly unlisted: number;
  /** Why the steps must not be applied: more deletions than allowed. */
  readonly refusal: CatalogError | undefined;
  /** Whether fields that a file leaves out are cleared. */
  readonly complete: boolean;
  readonly scope: DeletionScope;
  /** How many courses the steps may delete at most. */
  readonly maxDeletes: number;
  readonly target: Target;
  /** What reports say about the files. */
  readonly known: RunState;
}

/**
 * Plans a push of the files.
 *
 * @throws CatalogError if files or courses cannot be read, or have errors, which are reported
 */
export async function planPush(sources: PlanSources, context: Context): Promise<PushPlan> {
  const complete = sources.complete || (await context.settings()).complete.value;
  const { desired, providers, loaded } = await loadDesired(sources, context);
  const target = await findTarget(context);
  let known: RunState = { ...loaded, target };
  return await withKnown(
    () => known,
    async () => {
      const remote = await readRemote(desired, providers, sources, context);
      const plan = planSync(desired, remote, { ...sources, complete });
      const { conflicts } = plan;
      const moves = conflicts.length > 0 ? [] : findMoves(plan.steps, remote);
      const found = await Promise.all([
        ...conflicts.map(diagnoseConflict),
        ...moves.map((move) => diagnoseMove(move, sources.allowRecreate)),
      ]);
      const findings = sortByPlace(found, loaded.files);
      known = { ...known, diagnostics: [...loaded.diagnostics, ...findings] };
      await stopAtErrors(findings, [], context, { endsWithCount: true });
      requireValidIds(plan.steps);
      const steps = selectShard(plan.steps, loaded.files, sources);
      const ids = listProviderIds(desired);
      const isOfFiles = (id: unknown): boolean => ids.has(String(id).toLowerCase());
      const own = remote.filter(({ provider_id: id }) => isOfFiles(id));
      const described = new Set(plan.steps.map(({ id }) => id));
      const names = providers.filter(({ id }) => isOfFiles(id)).map(({ name }) => name);
      const scope = { courses: own.length, providers: names };
      const maxDeletes = resolveLimit(scope.courses, sources.maxDeletes);
      const adopted = sources.writeIds === true ? [] : await describeAdopted(plan.adopted);
      return {
        ...{ steps, complete, scope, maxDeletes, target, known },
        notices: [...adopted, ...describeUnmanaged(steps)],
        unlisted: own.filter(({ id }) => !described.has(id.toLowerCase())).length,
        refusal: refuseDeletions(steps, scope, maxDeletes),
      };
    },
  );
}

/** The steps of the part of the files that is pushed. @param files the names of all files */
function selectShard(
  steps: readonly Step[],
  files: readonly string[],
  { shard }: PlanSources,
): readonly Step[] {
  if (shard === undefined) return steps;
  const included = new Set(files.filter((_, index) => index % shard.of === shard.part - 1));
  return steps.filter(({ from }) => from?.file === undefined || included.has(from.file));
}

/** The error of steps that delete more courses than allowed. */
export function refuseDeletions(
  steps: readonly Step[],
  scope: DeletionScope,
  most: number,
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  return checkLimit(deletions, most, describeScope(scope));
}

/** The courses of the files, once they have passed every check, and what reports say about them. */
async function loadDesired(
  { paths: typed, filesFrom, report, out, record, prune, rules = ALL_RULES }: PlanSources,
  context: Context,
) {
  const paths = await readPaths({ paths: typed, filesFrom }, context);
  const unread = prune ? "error" : "warning";
  const outputs = [...report.map(({ file }) => file), out, record];
  const except = outputs.filter((name) => name !== undefined);
  const loaded = await loadAllCourses(paths, context, { except, unread });
  const files = loaded.files.map(({ name }) => name);
  const courses = loaded.courses.length;
  const ending = { most: rules.most, endsWithCount: true };
  const { only } = rules;
  const chosen = await findingFilter({ ...rules, only: [] }, context);
  // Errors of other rules stop a push, too.
  const filter: FindingFilter = (findings) =>
    chosen(findings).filter(
      ({ rule, severity }) => severity === "error" || only.length === 0 || only.includes(rule),
    );
  const local = filter(loaded.files.flatMap(({ diagnostics }) => diagnostics));
  let known = { files, courses, courseSources: loaded.courses, diagnostics: local };
  return await withKnown(
    () => known,
    async () => {
      await stopAtErrors(filter(loaded.diagnostics), loaded.failures, context, ending);
      const providers = await readProviders(context);
      const foreign = new ForeignCourses(providers);
      foreign.add(loaded.courses);
      if (foreign.failure !== undefined) throw foreign.failure;
      const owned = sortByPlace(filter(await checkOwners(loaded.courses, providers)), files);
      known = { ...known, diagnostics: sortByPlace([...local, ...owned], files) };
      await stopAtErrors(owned, [], context, ending);
      const desired = loaded.courses.flatMap((source) =>
        isObject(source.value)
          ? [new FileCourse(source, resolveProvider(source.value, providers))]
          : [],
      );
      return { desired, providers, loaded: known };
    },
  );
}

function listProviderIds(desired: readonly Located[]): ReadonlySet<string> {
  return new Set(desired.map(({ value }) => String(value.provider_id).toLowerCase()));
}

/** A write without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  throw new CatalogError(
    "unreachable",
    `the service lists a course whose id is not a UUID: ${id}`,
    {
      advice: "Check that the base URL is that of the catalog service; nothing was sent.",
    },
  );
}

async function readRemote(
  desired: readonly Located[],
  providers: readonly Provider[],
  { prune }: PlanSources,
  context: Context,
): Promise<readonly Course[]> {
  const client = await context.client();
  const ownProviders = listProviderIds(desired);
  const remote: Course[] = [];
  const byId = new Map(desired.map(({ value }) => [chooseId(value), value]));
  // Most courses are as their files describe them: what is the same is in memory once.
  const keep = (course: Course): Course =>
    shareValues(course, byId.get(course.id.toLowerCase()) ?? {});
  const onRepeats = prune ? undefined : (text: string) => context.messages.warn(text);
  await showWork("Reading courses", context, async (progress) => {
    for (const providerId of ownProviders) {
      const before = remote.length;
      const update = (count: number): void => progress.update({ done: before + count });
      const courses = await readRemoteCourses(client, { providerId }, update, onRepeats, keep);
      for (const course of courses) remote.push(course);
    }
    const known = new Set(remote.map(({ id }) => id.toLowerCase()));
    const named = desired.map(({ value }) => value.id).filter((id) => typeof id === "string");
    const missing = named.filter((id) => !known.has(id.toLowerCase()));
    // A course of another provider would otherwise be planned as a creation.
    const concurrency = await concurrencyOf(context);
    for (const course of await lookUpCourses(missing, client, concurrency)) remote.push(course);
    // So would one that is described by its url, and got another provider.
    const providersOf = (course: Course): string[] =>
      possibleProviders(course, providers).filter((id) => !ownProviders.has(id.toLowerCase()));
    const elsewhere = await searchCourses(findNewCourses(desired, remote), context, {
      providersOf,
    });
    for (const course of elsewhere.courses) remote.push(course);
  });
  return remote;
}

/** The courses without an id that none of the remote ones matches. */
function findNewCourses(desired: readonly Located[], remote: readonly Course[]): Course[] {
  const index = new CourseIndex(remote);
  return desired.flatMap(({ value: course }) => {
    const match = index.identify(course);
    const isFound = "candidates" in match || match.found !== undefined;
    return isFound || typeof course.id === "string" ? [] : [{ ...course, id: chooseId(course) }];
  });
}

/** The error of a course for which it is unclear what it describes. */
async function diagnoseConflict(conflict: Conflict): Promise<Diagnostic> {
  const source = sourceOf(conflict.from);
  if (!("candidates" in conflict)) {
    return await diagnoseSame(source, sourceOf(conflict.other), conflict.id);
  }
  const ids = conflict.candidates.map(({ id }) => id).join(", ");
  const message = `several courses in the catalog have this url; add the id of the one you mean (${ids})`;
  const problem = { path: ["url"], severity: "error", at: "value", message } as const;
  return await placeProblem(source, { ...problem, rule: "several-courses" });
}

/** A new course that may be an existing one: an error if that one would be deleted. */
async function diagnoseMove(
  { from, remote, isDeleted }: Move,
  allowRecreate: boolean,
): Promise<Diagnostic> {
  const { name, url, id } = remote;
  const fate = isDeleted ? "which would be deleted" : "which no file describes";
  const isRefused = isDeleted && !allowRecreate;
  const message = [
    `would be created, but may be ${escapeName(JSON.stringify(name ?? null))} at ${escapeName(String(url))}, ${fate} (id ${id})`,
    `if this is the same course, add "id: ${id}"`,
    ...(isRefused ? ["to delete it and create a new course, pass --allow-recreate"] : []),
  ].join("; ");
  return await placeProblem(sourceOf(from), {
    rule: "possible-move",
    severity: isRefused ? "error" : "warning",
    path: ["url"],
    at: "value",
    message,
  });
}

/** Recommends to write the ids of courses into their files. */
async function describeAdopted(adopted: readonly Located[]): Promise<string[]> {
  const [first, ...others] = adopted;
  const place = await first?.place(["key"]);
  if (place === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const amount = pluralize(adopted.length, "course");
  return [
    `${amount} with a key ${adopted.length === 1 ? "was" : "were"} found by url (${place.file}:${place.line}${more}). ` +
      "Write the id into the file, so that the url can change: catalog courses push --write-ids.",
  ];
}

/** Counts the fields that the files leave out and the catalog has. */
function describeUnmanaged(steps: readonly Step[]): string[] {
  const counts = steps
    .map((step) => ("unmanaged" in step ? (step.unmanaged?.length ?? 0) : 0))
    .filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = counts.reduce((sum, count) => sum + count, 0);
  return [
    `${pluralize(fields, "field")} of ${pluralize(counts.length, "course")} ` +
      `${fields === 1 ? "is" : "are"} set in the catalog and left out in the files. ` +
      "To clear such fields, pass --complete.",
  ];
}
