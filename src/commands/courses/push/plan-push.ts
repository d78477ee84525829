/** Plans a push: reads the files and the remote courses, and compares them. `diff` shows the same plan. */
import { CatalogError } from "../../../base/errors.ts";
import { truncate } from "../../../base/text.ts";
import { isUuid } from "../../../base/uuid.ts";
import { isObject } from "../../../base/values.ts";
import type { Flag, FlagValues } from "../../../command-support/arguments.ts";
import type { Context } from "../../../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../../../command-support/course-files.ts";
import { parseLimit } from "../../../command-support/deletion-limit.ts";
import type { ReportTarget } from "../../../command-support/report-flag.ts";
import { ALL_RULES, findingFilter, type RuleChoice } from "../../../command-support/rule-choice.ts";
import type { RunState } from "../../../command-support/run-report.ts";
import { concurrencyOf, readProviders, showWork } from "../../../command-support/work.ts";
import { possibleProviders, resolveProvider } from "../../../course/ownership.ts";
import type { Provider } from "../../../course/provider.ts";
import type { Course } from "../../../course/request-body.ts";
import { sortByPlace } from "../../../files/diagnostic.ts";
import { checkOwners } from "../../../files/validate.ts";
import { CourseIndex } from "../../../sync/identify.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { findMoves } from "../../../sync/moves.ts";
import { planSync, type Step } from "../../../sync/plan.ts";
import { readRemoteCourses } from "../../../sync/remote.ts";
import { findCourses } from "../read-courses.ts";
import type { DeletionScope } from "./deletion.ts";
import { diagnoseConflict, diagnoseMove } from "./plan-findings.ts";
import type { DesiredCourse } from "./push-step.ts";

/** The flags that decide what a push plans; `diff` accepts them, too. */
export const PLAN_FLAGS = [
  {
    name: "max-deletes",
    value: "<n or p%>",
    parse: parseLimit,
    description: "with --prune, delete at most this many courses (default 5 or 10%, the larger)",
  },
  {
    name: "allow-recreate",
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
  /** Which warnings count; errors always do. */
  readonly rules?: RuleChoice;
}

/** The steps of a push, and what else was found out about them. */
export interface PushPlan {
  readonly steps: readonly Step<DesiredCourse>[];
  /** The courses with a key that were found by their url. */
  readonly adopted: readonly DesiredCourse[];
  /** Whether fields that a file leaves out are cleared. */
  readonly complete: boolean;
  readonly scope: DeletionScope;
}

/** Plans a push of the files. @param onReport receives the findings each time there are more */
export async function planPush(
  sources: PlanSources,
  onReport: (state: RunState) => void,
  context: Context,
): Promise<PushPlan> {
  const complete = sources.complete || (await context.settings()).complete.value;
  const loaded = await loadDesired(sources, onReport, context);
  const { desired, providers, files, diagnostics } = loaded;
  const remote = await readRemote(desired, providers, sources, context);
  const { steps, conflicts, adopted } = planSync(desired, remote, { ...sources, complete });
  const moves = conflicts.length > 0 ? [] : findMoves(steps, remote);
  const found = await Promise.all([
    ...conflicts.map(diagnoseConflict),
    ...moves.map((move) => diagnoseMove(move, sources)),
  ]);
  const findings = sortByPlace(found, files);
  if (findings.length > 0) onReport({ diagnostics: [...diagnostics, ...findings] });
  await stopAtErrors(findings, [], context);
  requireValidIds(steps);
  return { steps, adopted, complete, scope: measureScope(desired, remote, providers) };
}

interface LoadedCourses extends Required<Pick<RunState, "files" | "diagnostics">> {
  readonly desired: readonly DesiredCourse[];
  readonly providers: readonly Provider[];
}

async function loadDesired(
  { paths, report, out, record, prune, rules = ALL_RULES }: PlanSources,
  onReport: (state: RunState) => void,
  context: Context,
): Promise<LoadedCourses> {
  const unread = prune ? "error" : "warning";
  const outputs = [...report.map(({ file }) => file), out, record];
  const except = outputs.filter((name) => name !== undefined);
  const loaded = await loadAllCourses(paths, context, { except, unread });
  const files = loaded.files.map(({ name }) => name);
  const courses = loaded.courses.length;
  // Errors of other rules stop a push, too.
  const filter = await findingFilter({ ...rules, only: [] }, context);
  const local = filter(loaded.files.flatMap(({ diagnostics }) => diagnostics));
  const known = { files, courses, courseSources: loaded.courses };
  onReport({ ...known, diagnostics: local });
  await stopAtErrors(filter(loaded.diagnostics), loaded.failures, context, rules.most);
  const providers = await readProviders(context);
  const owned = sortByPlace(filter(await checkOwners(loaded.courses, providers)), files);
  const diagnostics = sortByPlace([...local, ...owned], files);
  onReport({ ...known, diagnostics });
  await stopAtErrors(owned, [], context, rules.most);
  const desired = loaded.files.flatMap((file, fileNumber) =>
    file.courses.flatMap((source): DesiredCourse[] => {
      if (!isObject(source.value)) return [];
      return [{ course: resolveProvider(source.value, providers), source, fileNumber }];
    }),
  );
  return { desired, providers, files, diagnostics };
}

function measureScope(
  desired: readonly DesiredCourse[],
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

function listProviderIds(desired: readonly DesiredCourse[]): ReadonlySet<string> {
  return new Set(desired.map(({ course }) => String(course.provider_id).toLowerCase()));
}

/** A write without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly Step<DesiredCourse>[]): void {
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
  desired: readonly DesiredCourse[],
  providers: readonly Provider[],
  { prune }: PlanSources,
  context: Context,
): Promise<readonly Course[]> {
  const client = await context.client();
  const ownProviders = listProviderIds(desired);
  const remote: Course[] = [];
  const onRepeats = prune ? undefined : (text: string) => context.messages.warn(text);
  await showWork("Reading courses", context, async (progress) => {
    for (const providerId of ownProviders) {
      const before = remote.length;
      const update = (count: number): void => progress.update({ done: before + count });
      const courses = await readRemoteCourses(client, { providerId }, update, onRepeats);
      for (const course of courses) remote.push(course);
    }
    const known = new Set(remote.map(({ id }) => id.toLowerCase()));
    const named = desired.map(({ course }) => course.id).filter((id) => typeof id === "string");
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

/** The courses without an id that none of the remote ones matches. */
function findNewCourses(desired: readonly DesiredCourse[], remote: readonly Course[]): Course[] {
  const index = new CourseIndex(remote);
  return desired.flatMap(({ course }) => {
    const match = index.match(course);
    const isNew = typeof course.id !== "string" && "id" in match && match.remote === undefined;
    return isNew ? [{ ...course, id: match.id }] : [];
  });
}
