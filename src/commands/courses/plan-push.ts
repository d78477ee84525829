/** What push and diff do before anything is sent: load → check → providers → listing → plan → base → risks → limits. */
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { cutText, escapeLine, quoteShell } from "../../base/text.ts";
import { type Flag, MAX_DELETES_FLAG, newFile, nonEmpty, type Typed } from "../../cli/arguments.ts";
import { readCatalog, readListing } from "../../cli/catalog.ts";
import type { Context } from "../../cli/context.ts";
import { stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { describeRun, requireSameService } from "../../cli/record.ts";
import { readProviders, type Stages, writeOutput } from "../../cli/work.ts";
import {
  describeKeyed,
  describeOthers,
  describeUnmanaged,
  makePlan,
  measureDeletions,
  type Plan,
} from "../../core/plan.ts";
import { formatPlan, makeHeader, readRecord, refusedSteps } from "../../core/record.ts";
import { findLost } from "../../core/risks.ts";
import { isWrite, type Step } from "../../core/step.ts";
import { compareEarly, findMoves, findSame, planSync, refuseMoves } from "../../core/sync.ts";
import { checkSteps } from "../../core/undo.ts";
import { listProviderIds, requireProvider } from "../../course/provider.ts";
import { BASE_FLAG, loadBase, ON_DRIFT_FLAG, settleFiles } from "./base.ts";
import { draftCourses } from "./drafts.ts";

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
  file: "written",
  description: "save the plan to a file, for push --plan",
} as const satisfies Flag;

export const PLAN_FLAG = {
  name: "plan",
  value: "<file>",
  parse: nonEmpty,
  file: "read",
  // These flags decide what a plan contains, and the plan exists already.
  excludes: ["prune", "complete", "out", "provider", "base", "on-drift"],
} as const satisfies Omit<Flag, "description">;

/** Which files are read, and the flags that decide how they are checked and compared. */
interface Options extends Typed<typeof PLAN_FLAGS> {
  readonly prune: boolean;
}

/** Requires paths, which a plan, or providers whose courses no file has, replace. @throws CatalogError of kind `usage` */
export function requirePaths<
  Given extends Pick<Options, "words" | "provider"> & { readonly plan: string | undefined },
>(options: Given): Given {
  const { words, plan, provider } = options;
  if (plan !== undefined && words.length > 0) {
    throw usageError("--plan cannot be combined with paths");
  }
  if (plan === undefined && provider.length === 0 && words.length === 0) {
    throw usageError("missing <path>", "Pass course files or folders. For example: courses/");
  }
  return options;
}

/** Plans a push. @throws CatalogError if files or courses cannot be read, or have errors, which are reported */
export async function* planFiles(options: Options, context: Context): Stages<Plan> {
  const { prune } = options;
  const { get } = await context.settings();
  const complete = get("complete").value;
  const unread = prune ? "error" : "warning";
  const sources = { ...options, paths: options.words, mode: "create", unread } as const;
  const drafts = yield* draftCourses(sources, context);
  const { courses } = drafts;
  const providers = await readProviders(context);
  const named = options.provider.map((word) => requireProvider(word, providers).id.toLowerCase());
  const loaded = await loadBase(options, drafts, providers, context);
  yield { providers, target: await context.target() };
  const index = await readListing(context, compareEarly(courses, complete));
  const base = loaded.at(index);
  const described = [...courses.map(({ value }) => value), ...(base?.all.courses ?? [])];
  const providerIds = new Set([...listProviderIds(described), ...named]);
  const synced = planSync(courses, index, { prune, complete, base, providerIds });
  // Only a course that was in a workbook can have been removed from it.
  const isMeant = ({ action, id }: Step): boolean =>
    action !== "delete" || options.base !== undefined || base?.all.find(id) !== undefined;
  const steps = base === undefined ? synced.steps : synced.steps.filter(isMeant);
  const { notices, refusal, ...settled } = settleFiles(steps, base, options, loaded);
  const problems = [...synced.unclear, ...findSame(settled.steps, index)];
  const moves = problems.length > 0 ? [] : findMoves(settled.steps, index);
  yield* stopAtFound([...problems, ...moves], context);
  yield* stopAtFound(findLost(settled.steps), context);
  return makePlan(settled.steps, index, {
    ...measureDeletions(settled.steps, index, providers),
    limit: get("maxDeletes").value,
    compared: courses.length,
    notices: [
      ...describeUnmanaged(settled.steps),
      ...describeKeyed(synced.keyed),
      ...(prune ? describeOthers(providers, providerIds, index) : []),
      ...notices,
    ],
    origin: { workbooks: loaded.workbooks },
    refusal: refuseMoves(moves) ?? refusal,
  });
}

/**
 * Reads a plan that `savePlan` wrote. To apply it, it must fit the service, the account and the courses as they are now.
 *
 * @throws CatalogError if it is missing, damaged or not a plan
 */
export async function* readPlan(file: string, isApplied: boolean, context: Context): Stages<Plan> {
  const { header, steps: recorded } = readRecord(resolve(context.folder, file), file, "plan");
  const { scope = { courses: 0, providers: [] }, compared, workbooks, review } = header;
  const limit = (await context.settings()).get("maxDeletes").value;
  const facts = { limit, compared, origin: { workbooks, review } };
  const planned = recorded.map(({ step }) => step);
  const refused = refusedSteps(header);
  if (!isApplied) {
    await context.messages.info(`Target: ${escapeLine(cutText(header.target, 1000))}`);
    return makePlan([...planned, ...refused], undefined, { ...facts, scope });
  }
  await requireSameService(header, "the plan", context);
  const providers = await context.providers();
  yield { providers, target: await context.target() };
  const index = await readCatalog(context);
  const steps = [...checkSteps(planned, index, "plan"), ...refused];
  return makePlan(steps, index, { ...facts, ...measureDeletions(planned, index, providers) });
}

/** Writes the steps that send something. @returns the text of the plan @throws CatalogError of kind `output` */
export async function savePlan(
  file: string,
  { steps, scope, compared, origin }: Plan,
  context: Context,
): Promise<string> {
  const { clock, messages } = context;
  const now = clock.now();
  const facts = { ...(await describeRun(context)), scope, compared, ...origin };
  const head = makeHeader("plan", new Date(now).toISOString(), now, facts);
  const text = formatPlan(head, steps.filter(isWrite));
  await writeOutput(file, text, context);
  await messages.info(
    `Wrote the plan to ${file}. To apply it: catalog courses push --plan ${quoteShell(file)}`,
  );
  return text;
}
