/** What push and diff do before anything is sent: load → check → providers → listing → plan → base → risks → limits. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, listSome, pluralize, truncate } from "../base/text.ts";
import { asText, isObject, isUuid, type PlainObject } from "../base/values.ts";
import { compareStep, DRIFT_CHOICES, hasDrift, settleStep } from "../core/base.ts";
import type { CourseIndex } from "../core/identify.ts";
import {
  belongsTo,
  type Conflict,
  findMoves,
  listProviderIds,
  type Move,
  planSync,
} from "../core/plan.ts";
import { addRisks, findMany, type Many } from "../core/risks.ts";
import type { Step } from "../core/step.ts";
import { courseLabel } from "../course/course-label.ts";
import type { Located } from "../course/located.ts";
import type { RuleId } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { findForeignHosts, resolveProvider } from "../course/provider-ownership.ts";
import { type Diagnostic, placeProblem, sortByPlace } from "../files/diagnostic.ts";
import { checkOwners } from "../files/validate.ts";
import { alternatives, type Flag, type FlagValues, nonEmpty } from "./arguments.ts";
import { BASE_FLAG, type BaseCourses, findAtBase, loadBase } from "./base.ts";
import { readCatalog, refuseReading } from "./catalog.ts";
import {
  checkLimit,
  type DeletionScope,
  describeScope,
  MAX_DELETES_FLAG,
  resolveLimit,
} from "./confirm.ts";
import type { Context } from "./context.ts";
import { loadAllCourses, stopAtErrors, TABLE_FLAGS } from "./course-files.ts";
import { diagnoseLost, diagnoseMatch, diagnoseSame, FileCourse, sourceOf } from "./located.ts";
import { foreignCourses, requireProvider } from "./providers.ts";
import type { ReportTarget } from "./reports.ts";
import { findingFilter } from "./rule-choice.ts";
import type { RunReport } from "./run-report.ts";
import { readProviders } from "./work.ts";

/** The flags of `push` and `diff` that decide what a push plans. */
export const PLAN_FLAGS = [
  MAX_DELETES_FLAG,
  { name: "complete", description: "clear fields that are missing from a file" },
  BASE_FLAG,
  {
    name: "on-drift",
    value: alternatives(DRIFT_CHOICES),
    choices: DRIFT_CHOICES,
    needs: "base",
    description:
      "what to do with values that changed in the files and in the catalog since the base (default: stop)",
  },
  {
    name: "provider",
    value: "<provider>",
    repeatable: true,
    needs: "prune",
    parse: nonEmpty,
    description:
      "with --prune: include this provider, which no file names: its slug, domain, name or UUID",
  },
  ...TABLE_FLAGS,
] as const satisfies readonly Flag[];

/** Which files are read, and the flags that decide how they are checked and compared. */
export interface PlanOptions extends FlagValues<typeof PLAN_FLAGS> {
  readonly paths: readonly string[];
  readonly prune: boolean;
  /** Files that the command writes, so they are not read as course files of a folder. */
  readonly report: readonly ReportTarget[];
  readonly out?: string | undefined;
  readonly record?: string | undefined;
  /** The rules whose warnings do not count. */
  readonly ignore?: readonly (readonly RuleId[])[];
}

/** The courses of the files, once they have passed every check, and the providers whose courses are compared. */
interface Desired {
  readonly courses: readonly Located[];
  readonly providers: readonly Provider[];
  /** In lowercase. */
  readonly providerIds: ReadonlySet<string>;
  /** The courses of `--base`, by id and url. */
  readonly base: BaseCourses | undefined;
}

/** The steps of a push, and what the command needs to show, refuse, confirm and save them. */
export interface FilePlan {
  readonly steps: readonly Step[];
  readonly notices: readonly string[];
  /** How many courses of the same providers are in no file; 0 with `--prune`, where they are deletions. */
  readonly unlisted: number;
  /** Why the steps must not be applied. */
  readonly refusal: CatalogError | undefined;
  /** The field that changes in many of the courses. */
  readonly many: Many | undefined;
  /** What the deletions are chosen from. */
  readonly scope: DeletionScope;
}

/** Plans a push. @throws CatalogError if files or courses cannot be read, or have errors, which are reported */
export async function planFiles(
  options: PlanOptions,
  report: RunReport,
  context: Context,
): Promise<FilePlan> {
  const complete = options.complete || (await context.settings()).complete.value;
  const desired = await loadDesired(options, report, context);
  report.target = await context.target();
  const { providers, providerIds } = desired;
  const catalog = await readCatalog(context);
  const plan = planSync(desired.courses, catalog.index, { ...options, complete, providerIds });
  const moves = plan.conflicts.length > 0 ? [] : findMoves(plan.steps, catalog.index);
  const found = await Promise.all([
    ...plan.conflicts.map(diagnoseConflict),
    ...moves.map(diagnoseMove),
  ]);
  await addProblems(found, report, context);
  requireValidIds(plan.steps);
  const { onDrift = "stop" } = options;
  const { base } = desired;
  const compared =
    base === undefined
      ? plan.steps
      : plan.steps.map((step) => compareStep(step, findStepBase(step, base)));
  const settled = compared.map((step) => settleStep(step, onDrift));
  await addProblems(await diagnoseLost(settled), report, context);
  const steps = addRisks(settled);
  const own = [...catalog.index.courses].filter((course) => belongsTo(course, providerIds));
  const names = providers.filter(({ id }) => providerIds.has(id.toLowerCase()));
  const scope = { courses: own.length, providers: names.map(({ name }) => name) };
  const described = new Set(plan.steps.map(({ id }) => id));
  const limit = await resolveLimit(scope.courses, options.maxDeletes, context);
  return {
    steps,
    scope,
    many: findMany(steps, desired.courses.length),
    unlisted: own.filter(({ id }) => !described.has(id.toLowerCase())).length,
    refusal:
      refuseDeletions(steps, scope, limit) ??
      refuseMoves(moves) ??
      refuseReading(steps, catalog.isUnreliable) ??
      (onDrift === "stop" ? refuseDrift(steps) : undefined),
    notices: [
      ...describeUnmanaged(steps),
      ...(options.prune ? describeOthers(desired, catalog.index) : []),
      ...describeBase(compared, settled, base),
    ],
  };
}

async function loadDesired(
  options: PlanOptions,
  report: RunReport,
  context: Context,
): Promise<Desired> {
  const { paths, report: reports, out, record, prune, ignore = [], ...table } = options;
  const outputs = [...reports.map(({ file }) => file), out, record];
  const except = outputs.filter((name) => name !== undefined);
  const unread = prune ? "error" : "warning";
  const loaded = await loadAllCourses(paths, context, { ...table, except, unread });
  report.files = loaded.files.map(({ name }) => name);
  report.courses = loaded.courses;
  const filter = await findingFilter(context, ignore.flat());
  report.diagnostics = filter(loaded.files.flatMap(({ diagnostics }) => diagnostics));
  await stopAtErrors(filter(loaded.diagnostics), loaded.failures, context);
  const providers = await readProviders(context);
  report.providers = providers;
  const named = options.provider.map((word) => requireProvider(word, providers).id.toLowerCase());
  const values = loaded.courses.map(({ value }) => value).filter(isObject);
  const foreign = foreignCourses(findForeignHosts(values, providers), values.length, providers);
  if (foreign !== undefined) throw foreign;
  await addProblems(filter(await checkOwners(loaded.courses, providers)), report, context);
  const resolve = (value: unknown): PlainObject[] =>
    isObject(value) ? [resolveProvider(value, providers)] : [];
  const courses = loaded.courses.flatMap((source) =>
    resolve(source.value).map((value) => new FileCourse(source, value)),
  );
  const base = await loadBase(options.base, options, providers, context);
  return {
    courses,
    providers,
    providerIds: new Set([
      ...listProviderIds([...courses.map(({ value }) => value), ...(base?.courses ?? [])]),
      ...named,
    ]),
    base,
  };
}

/** Reports problems that were found with the service's help. @throws ReportedError if one of them is an error */
async function addProblems(
  found: readonly Diagnostic[],
  report: RunReport,
  context: Context,
): Promise<void> {
  const sorted = sortByPlace(found, report.files);
  report.diagnostics = sortByPlace([...report.diagnostics, ...sorted], report.files);
  await stopAtErrors(sorted, [], context);
}

/** The course of a step at the base. */
function findStepBase(step: Step, base: BaseCourses): PlainObject | undefined {
  const described = [step.from?.value, step.action === "delete" ? step.before : undefined];
  return findAtBase(step.id, described.filter(isObject), base);
}

/** A request without a valid id could change or delete every course of a service of this kind. */
function requireValidIds(steps: readonly Step[]): void {
  const invalid = steps.find(({ id }) => !isUuid(id));
  if (invalid === undefined) return;
  const id = JSON.stringify(truncate(invalid.id));
  const message = `the service lists a course whose id is not a UUID: ${id}`;
  const advice = "Nothing was sent. Is the base URL right? Another service may have responded.";
  throw new CatalogError("unreachable", message, { advice });
}

/** The problem of a course of a file that fits several courses, or the same course as another one does. */
async function diagnoseConflict(conflict: Conflict): Promise<Diagnostic> {
  const { from } = conflict;
  if (!("same" in conflict)) return await diagnoseMatch(from, conflict);
  return await diagnoseSame(sourceOf(from), sourceOf(conflict.same), conflict.id);
}

/** The problem of a new course that may be an existing course. */
async function diagnoseMove({ from, remote, isDeleted }: Move): Promise<Diagnostic> {
  const { name, url, id } = remote;
  const fate = isDeleted ? "would be deleted" : "is in no file";
  const message = `looks like a course that moved: ${escapeName(JSON.stringify(name ?? null))} at ${escapeName(asText(url))} (id ${id}) ${fate}; if this is the same course, add "id: ${id}"`;
  const problem = { path: ["url"], severity: "warning", at: "value", message } as const;
  return await placeProblem(sourceOf(from), { ...problem, rule: "possible-move" });
}

/** The error of steps that delete more courses than the limit; undefined within it. */
export function refuseDeletions(
  steps: readonly Step[],
  scope: DeletionScope,
  limit: number,
  condition = "Did you pass all your files? If you do mean it",
): CatalogError | undefined {
  const deletions = steps.filter(({ action }) => action === "delete").length;
  return checkLimit(deletions, limit, describeScope(scope), { verb: "delete", condition });
}

/** The refusal of a run that would delete courses which may only have moved; undefined without such courses. */
function refuseMoves(moves: readonly Move[]): CatalogError | undefined {
  const amount = moves.filter(({ isDeleted }) => isDeleted).length;
  if (amount === 0) return undefined;
  const looks = amount === 1 ? "looks like a course" : "look like courses";
  return usageError(
    `${pluralize(amount, "new course")} ${looks} that --prune would delete`,
    "If it is the same course, add the id that the warning shows. If not, push first and prune afterwards.",
  );
}

function refuseDrift(steps: readonly Step[]): CatalogError | undefined {
  const drifted = steps.filter(hasDrift);
  if (drifted.length === 0) return undefined;
  const courses = pluralize(drifted.length, "course");
  const message = `${courses} changed in the catalog since the base: ${nameChanged(drifted)}; nothing was sent`;
  return new CatalogError("drift", message, {
    advice:
      "To keep what changed in the catalog, pass --on-drift keep. To send the values of the files, pass --on-drift overwrite.",
  });
}

/** The names of the courses, each with its fields that changed in the catalog: `"Weaving" (6f0f…): price`. */
function nameChanged(steps: readonly Step[]): string {
  return listSome(
    steps.map((step) => {
      const { event = "changed", changedIn = {} } = step.compared ?? {};
      const fields = Object.keys(changedIn).filter((name) => changedIn[name] !== "file");
      return `${courseLabel(step)}: ${event === "changed" ? fields.join(", ") : event}`;
    }),
  );
}

/** What is left in the catalog, and how many courses the base lacks. */
function describeBase(
  compared: readonly Step[],
  settled: readonly Step[],
  base: BaseCourses | undefined,
): string[] {
  if (base === undefined) return [];
  const unknown = compared.filter(
    (step) => step.action === "update" && step.compared === undefined,
  );
  const left = settled.filter((step) => step.compared?.left !== undefined);
  const skipped = settled.filter(
    (step, index) => step.action !== compared[index]?.action && step.action === "refused",
  );
  const kept = [...left, ...skipped];
  const are = unknown.length === 1 ? "is" : "are";
  const its = unknown.length === 1 ? "its" : "their";
  return [
    ...(unknown.length === 0
      ? []
      : [
          `${pluralize(unknown.length, "course")} ${are} not in the base, so push sends all values of ${its} files.`,
        ]),
    ...(kept.length === 0 ? [] : [`Kept what changed in the catalog: ${nameChanged(kept)}.`]),
  ];
}

/** Counts the fields that are set in the catalog and missing from the files. */
function describeUnmanaged(steps: readonly Step[]): string[] {
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
function describeOthers({ providers, providerIds }: Desired, index: CourseIndex): string[] {
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
