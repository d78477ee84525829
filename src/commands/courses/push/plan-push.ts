/** Plans a push: reads the files and the remote courses, and compares them. `diff` shows the same plan. */

import { CatalogError } from "../../../base/errors.ts";
import { formatNumber, listSome, truncate } from "../../../base/text.ts";
import { isUuid } from "../../../base/uuid.ts";
import { isObject, type PlainObject } from "../../../base/values.ts";
import type { Flag, FlagValues } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../../../command-support/course-files.ts";
import {
  checkLimit,
  type DeletionScope,
  describeScope,
  MAX_DELETES_FLAG,
  resolveLimit,
} from "../../../command-support/deletion-limit.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { findCourses } from "../../../command-support/read-courses.ts";
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
import { findForeignHosts, possibleProviders, resolveProvider } from "../../../course/ownership.ts";
import type { Provider } from "../../../course/provider.ts";
import { type Course, derivedId } from "../../../course/request-body.ts";
import { sortByPlace } from "../../../files/diagnostic.ts";
import type { SourceCourse } from "../../../files/read.ts";
import { checkOwners } from "../../../files/validate.ts";
import type { Target } from "../../../output/diagnostics.ts";
import { CourseIndex } from "../../../sync/identify.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { findMoves } from "../../../sync/moves.ts";
import { planSync } from "../../../sync/plan.ts";
import { readRemoteCourses } from "../../../sync/remote.ts";
import type { Located, Step } from "../../../sync/step.ts";
import {
  describeAdopted,
  describeUnmanaged,
  diagnoseConflict,
  diagnoseMove,
} from "./plan-findings.ts";

/** The flags that decide what a push plans; `diff` accepts them, too. */
export const PLAN_FLAGS = [
  { ...MAX_DELETES_FLAG, needs: ["prune", "plan"] },
  {
    name: "allow-recreate",
    needs: ["prune"],
    description: "with --prune, delete and create again a course that may only have a new url",
  },
  { name: "complete", description: "clear fields that a file leaves out" },
] as const satisfies readonly Flag[];

export interface PlanSources extends FlagValues<typeof PLAN_FLAGS> {
  readonly paths: readonly string[];
  readonly prune: boolean;
  /** Files that the command writes, which a folder does not include. */
  readonly report: readonly ReportTarget[];
  readonly out: string | undefined;
  readonly record?: string | undefined;
  readonly writeIds?: boolean;
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
 * @param isIncluded whether the course of a file, by its number, is part of this run
 */
export async function planPush(
  sources: PlanSources,
  context: Context,
  isIncluded: (fileNumber: number) => boolean = () => true,
): Promise<PushPlan> {
  let known: RunState = {};
  return await withKnown(
    () => known,
    async () => {
      const complete = sources.complete || (await context.settings()).complete.value;
      const loaded = await loadDesired(sources, context, (state) => {
        known = state;
      });
      const { desired, providers } = loaded;
      const target = await findTarget(context);
      known = { ...known, target };
      const remote = await readRemote(desired, providers, sources, context);
      const plan = planSync(desired, remote, { ...sources, complete });
      const { conflicts } = plan;
      const moves = conflicts.length > 0 ? [] : findMoves(plan.steps, remote);
      const found = await Promise.all([
        ...conflicts.map(diagnoseConflict),
        ...moves.map((move) => diagnoseMove(move, sources)),
      ]);
      const findings = sortByPlace(found, known.files ?? []);
      known = { ...known, diagnostics: [...(known.diagnostics ?? []), ...findings] };
      await stopAtErrors(findings, [], context, { endsWithCount: true });
      requireValidIds(plan.steps);
      const steps = plan.steps.filter(
        ({ from }) => !(from instanceof FileCourse) || isIncluded(loaded.numberOf(from)),
      );
      const scope = measureScope(desired, remote, providers);
      const maxDeletes = resolveLimit(scope.courses, sources.maxDeletes);
      const adopted = sources.writeIds === true ? [] : await describeAdopted(plan.adopted);
      return {
        ...{ steps, complete, scope, maxDeletes, target, known },
        notices: [...adopted, ...describeUnmanaged(steps)],
        unlisted: scope.courses - countListed(plan.steps, remote, desired),
        refusal: refuseDeletions(steps, scope, maxDeletes),
      };
    },
  );
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

interface LoadedCourses {
  readonly desired: readonly FileCourse[];
  readonly providers: readonly Provider[];
  /** The number of a course's file among those that were read, from 0. */
  readonly numberOf: (course: FileCourse) => number;
}

/** One error instead of several for each course. @throws CatalogError of kind `auth` */
function requireOwnKey(courses: readonly SourceCourse[], providers: readonly Provider[]): void {
  const values = courses.flatMap(({ value }) => (isObject(value) ? [value] : []));
  const hosts = findForeignHosts(values, providers);
  if (values.length < 2 || providers.length === 0 || hosts === undefined) return;
  const owner = listSome(providers.map(({ name }) => truncate(name)));
  const amount = formatNumber(values.length);
  throw new CatalogError(
    "auth",
    `this key belongs to ${owner}; all ${amount} courses are of ${listSome(hosts)}: wrong key or wrong folder?`,
    { advice: 'Run "catalog status" to see which key is used. Nothing was sent.' },
  );
}

/** @param tell receives what is known each time that there is more */
async function loadDesired(
  { paths, report, out, record, prune, rules = ALL_RULES }: PlanSources,
  context: Context,
  tell: (known: RunState) => void,
): Promise<LoadedCourses> {
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
  const known = { files, courses, courseSources: loaded.courses };
  tell({ ...known, diagnostics: local });
  await stopAtErrors(filter(loaded.diagnostics), loaded.failures, context, ending);
  const providers = await readProviders(context);
  requireOwnKey(loaded.courses, providers);
  const owned = sortByPlace(filter(await checkOwners(loaded.courses, providers)), files);
  tell({ ...known, diagnostics: sortByPlace([...local, ...owned], files) });
  await stopAtErrors(owned, [], context, ending);
  const desired = loaded.courses.flatMap((source) =>
    isObject(source.value)
      ? [new FileCourse(source, resolveProvider(source.value, providers))]
      : [],
  );
  const numbers = new Map(loaded.files.map(({ name }, index) => [name, index]));
  return { desired, providers, numberOf: ({ file }) => numbers.get(file) ?? 0 };
}

function measureScope(
  desired: readonly Located[],
  remote: readonly Course[],
  providers: readonly Provider[],
): DeletionScope {
  const ids = listProviderIds(desired);
  const isIncluded = (id: unknown): boolean => typeof id === "string" && ids.has(id.toLowerCase());
  return {
    courses: remote.filter(({ provider_id: id }) => isIncluded(id)).length,
    providers: providers.filter(({ id }) => isIncluded(id)).map(({ name }) => name),
  };
}

/** How many of the remote courses of the files' providers have a step. */
function countListed(
  steps: readonly Step[],
  remote: readonly Course[],
  desired: readonly Located[],
): number {
  const providers = listProviderIds(desired);
  const ids = new Set(steps.map(({ id }) => id));
  return remote.filter(
    ({ id, provider_id: provider }) =>
      ids.has(id.toLowerCase()) && providers.has(String(provider).toLowerCase()),
  ).length;
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
  const byId = new Map(desired.map(({ value }) => [idOf(value), value]));
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
    const elsewhere = await findCourses(findNewCourses(desired, remote), context, { providersOf });
    for (const course of elsewhere.courses) remote.push(course);
  });
  return remote;
}

function idOf(course: PlainObject): string {
  return typeof course.id === "string" ? course.id.toLowerCase() : derivedId(course);
}

/** The courses without an id that none of the remote ones matches. */
function findNewCourses(desired: readonly Located[], remote: readonly Course[]): Course[] {
  const index = new CourseIndex(remote);
  return desired.flatMap(({ value: course }) => {
    const match = index.match(course);
    const isNew = typeof course.id !== "string" && "id" in match && match.remote === undefined;
    return isNew ? [{ ...course, id: match.id }] : [];
  });
}
