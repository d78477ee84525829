/** What push and diff do before anything is sent: load → check → providers → listing → plan → base → risks → limits. */
import { resolve } from "node:path";
import { type CatalogError, usageError } from "../../base/errors.ts";
import { escapeLine, quoteShell } from "../../base/text.ts";
import {
  type Flag,
  type FlagValues,
  MAX_DELETES_FLAG,
  newFile,
  nonEmpty,
  parseWords,
} from "../../cli/arguments.ts";
import type { Context } from "../../cli/context.ts";
import { stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { describeRun, requireSameService } from "../../cli/record.ts";
import type { Report } from "../../cli/run.ts";
import { readCatalog, readProviders, writeOutput } from "../../cli/work.ts";
import type { ReportTarget } from "../../cli/write-reports.ts";
import { settleDrift } from "../../core/base.ts";
import { readRecord } from "../../core/history.ts";
import { belongsTo, compareEarly, findMoves, listProviderIds, planSync } from "../../core/plan.ts";
import { formatPlan, makeHeader } from "../../core/record.ts";
import {
  addRisks,
  describeOthers,
  describeScope,
  describeUnmanaged,
  findLost,
  findMany,
  refuseDeletions,
  refuseMoves,
  refuseReading,
  requireValidIds,
} from "../../core/risks.ts";
import { isWrite, type Step } from "../../core/step.ts";
import { checkStep } from "../../core/undo.ts";
import { requireProvider } from "../../course/provider.ts";
import { BASE_FLAG, loadBase, ON_DRIFT_FLAG } from "./base.ts";
import { loadDrafts, resolveDrafts } from "./drafts.ts";

/** The flags of `push` and `diff` that decide what a push plans. */
export const PLAN_FLAGS = [
  MAX_DELETES_FLAG,
  { name: "complete", description: "clear fields that are missing from a file" },
  BASE_FLAG,
  ON_DRIFT_FLAG,
  {
    name: "provider",
    value: "<provider>",
    repeatable: true,
    needs: "prune",
    parse: nonEmpty,
    description:
      "with --prune: also delete courses of this provider that no file has (slug, domain, name or UUID)",
  },
  ...TABLE_FLAGS,
] as const satisfies readonly Flag[];

export const OUT_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  description: "save the plan to a file, for push --plan",
} as const satisfies Flag;

export const PLAN_FLAG = {
  name: "plan",
  value: "<file>",
  parse: nonEmpty,
  // These flags decide what a plan contains, and the plan exists already.
  excludes: ["prune", "complete", "out", "provider", "base", "on-drift"],
} as const satisfies Omit<Flag, "description">;

/** Which files are read, and the flags that decide how they are checked and compared. */
interface Options extends FlagValues<typeof PLAN_FLAGS> {
  readonly paths: readonly string[];
  readonly prune: boolean;
  /** Files that the command writes, so they are not read as course files of a folder. */
  readonly report: readonly ReportTarget[];
  readonly out?: string | undefined;
}

/** The paths, which a plan, or providers whose courses no file has, replace. @throws CatalogError of kind `usage` */
export function parsePaths(
  words: readonly string[],
  { plan, provider }: { readonly plan?: string | undefined; readonly provider: readonly string[] },
): readonly string[] {
  if (plan !== undefined && words.length > 0) {
    throw usageError("--plan cannot be combined with paths");
  }
  if (plan === undefined && provider.length === 0 && words.length === 0) {
    throw usageError("missing <path>", "Pass course files or folders. For example: courses/");
  }
  return parseWords(words);
}

/** Plans a push. @throws CatalogError if files or courses cannot be read, or have errors, which are reported */
export async function planFiles(options: Options, report: Report, context: Context): Promise<void> {
  const { prune, out = [], onDrift = "stop" } = options;
  const complete = (await context.settings()).get("complete").value;
  const except = options.report.map(({ file }) => file).concat(out);
  const unread = prune ? "error" : "warning";
  const sources = { ...options, mode: "create", except, unread } as const;
  const drafts = await loadDrafts(sources, context, report);
  const providers = await readProviders(context);
  report.providers = providers;
  const named = options.provider.map((word) => requireProvider(word, providers).id.toLowerCase());
  const courses = await resolveDrafts(drafts, {}, context, report);
  const base = await loadBase(options, report, providers, context);
  const described = [...courses.map(({ value }) => value), ...(base?.courses ?? [])];
  const providerIds = new Set([...listProviderIds(described), ...named]);
  report.target = await context.target();
  const { unchanged, keep } = compareEarly(courses, complete);
  const { index, isUnreliable } = await readCatalog(context, keep);
  const plan = planSync(courses, index, { prune, complete, providerIds, unchanged });
  const moves = plan.problems.length > 0 ? [] : findMoves(plan.steps, index);
  await stopAtFound([...plan.problems, ...moves], context, report);
  requireValidIds(plan.steps);
  // Only a course that was in a workbook can have been removed from it.
  const isMeant = ({ action, id }: Step): boolean =>
    action !== "delete" || options.base !== undefined || base?.find(id) !== undefined;
  const steps = base === undefined ? plan.steps : plan.steps.filter(isMeant);
  const settled = settleDrift(steps, base, onDrift);
  await stopAtFound(findLost(settled.steps), context, report);
  const own = [...index.courses].filter((course) => belongsTo(course, providerIds));
  const names = providers.filter(({ id }) => providerIds.has(id.toLowerCase()));
  report.scope = { courses: own.length, providers: names.map(({ name }) => name) };
  const others = prune ? describeOthers(providers, providerIds, index) : [];
  const said = [...describeUnmanaged(settled.steps), ...others].map((text) => ({ text }));
  report.notices = [...said, ...settled.notices];
  const reading = refuseReading(settled.steps, isUnreliable);
  const refusals = [refuseMoves(moves), reading, settled.refusal];
  await assess(settled.steps, courses.length, refusals, report, context);
}

/**
 * Reads a plan that `savePlan` wrote. To apply it, it must fit the service, the account and the courses as they are now.
 *
 * @throws CatalogError if it is missing, damaged or not a plan
 */
export async function readPlan(
  file: string,
  isApplied: boolean,
  report: Report,
  context: Context,
): Promise<void> {
  const { header, steps: recorded } = readRecord(resolve(context.folder, file), file, "plan");
  const { scope = { courses: 0, providers: [] } } = header;
  report.scope = scope;
  if (!isApplied) {
    await context.messages.info(`Target: ${escapeLine(header.target)}`);
    const steps = recorded.map(({ step }) => step);
    return await assess(steps, scope.courses, [], report, context);
  }
  await requireSameService(header, "the plan", context);
  report.providers = await context.providers();
  const { index, isUnreliable } = await readCatalog(context);
  const steps = recorded.map(({ step }) => checkStep(step, index, "plan"));
  const refusals = [refuseReading(steps, isUnreliable)];
  await assess(steps, scope.courses, refusals, report, context);
}

/**
 * Adds the steps to the report with their risks, and the first reason why they must not be applied.
 *
 * @param of how many courses were compared
 */
async function assess(
  steps: readonly Step[],
  of: number,
  refusals: readonly (CatalogError | undefined)[],
  report: Report,
  { settings }: Context,
): Promise<void> {
  const { scope = { courses: 0, providers: [] } } = report;
  const deletions = steps.filter(({ action }) => action === "delete").length;
  const limit = (await settings()).get("maxDeletes").value;
  const tooMany = refuseDeletions(deletions, scope.courses, describeScope(scope), limit);
  report.steps = addRisks(steps);
  report.many = findMany(steps, of);
  report.refusal = [tooMany, ...refusals].find((refusal) => refusal !== undefined);
}

/** Writes the steps that send something. @throws CatalogError of kind `output` */
export async function savePlan(
  file: string,
  { steps = [], scope }: Report,
  context: Context,
): Promise<void> {
  const { clock, messages } = context;
  const now = clock.now();
  const facts = { ...(await describeRun(context)), ...(scope && { scope }) };
  const head = makeHeader("plan", new Date(now).toISOString(), now, facts);
  const text = await formatPlan(head, steps.filter(isWrite));
  await writeOutput(file, text, context);
  await messages.info(
    `Wrote the plan to ${file}. To apply it: catalog courses push --plan ${quoteShell(file)}`,
  );
}
