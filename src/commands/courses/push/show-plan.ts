/** How a plan is shown: its courses and counts before a push, and the results of a dry run. */
import { formatNumber } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { type Result, Results } from "../../../command-support/results.ts";
import { describeCreation, describeDeletion } from "../../../course/difference.ts";
import { hasJsonMessages } from "../../../output/formats.ts";
import {
  maskEntries,
  type PlanCounts,
  type PlanEntry,
  planLines,
  planSummary,
} from "../../../output/plan.ts";
import { fileOf, type PushStep } from "./push-step.ts";

/** Steps that cannot be applied, by the id of their course, with the reason. */
export type StaleSteps = ReadonlyMap<string, NonNullable<Result["error"]>>;

/** Counts the steps by action; those that cannot be applied are stale. */
export function countSteps(steps: readonly PushStep[], stale?: StaleSteps): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0 };
  for (const { action, id } of steps) if (stale?.has(id) !== true) counts[action]++;
  return stale === undefined || stale.size === 0 ? counts : { ...counts, stale: stale.size };
}

/** Lines of the plan; only a dry run and `--verbose` show a longer one in full. */
const MAX_LINES = 100;

/** Prints one line per course that changes, and the counts. */
export async function showPlan(
  steps: readonly PushStep[],
  stale: StaleSteps | undefined,
  dryRun: boolean,
  context: Context,
): Promise<void> {
  const { messages, options } = context;
  const counts = countSteps(steps, stale);
  if (options.format !== undefined) {
    if (dryRun && hasJsonMessages(options.format)) {
      await messages.info(planSummary(counts), { counts });
    }
    return;
  }
  const changing = steps.filter(
    ({ action, id }) => action !== "unchanged" && stale?.has(id) !== true,
  );
  const shown = dryRun || options.verbose ? changing : changing.slice(0, MAX_LINES);
  await showEntries(await toPlanEntries(shown), context);
  const rest = changing.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  await messages.info(planSummary(counts));
}

/** Prints one line per course. */
export async function showEntries(
  entries: readonly PlanEntry[],
  { io, messages }: Pick<Context, "io" | "messages">,
): Promise<void> {
  await messages.show((styles) => planLines(maskEntries(entries, io.err.mask), styles));
}

/** Converts the steps that change something for printing. */
export async function toPlanEntries(steps: readonly PushStep[]): Promise<PlanEntry[]> {
  const repeated = findRepeated(steps.flatMap((step) => fileOf(step) ?? []));
  const entries: PlanEntry[] = [];
  for (const step of steps) {
    const { action, id } = step;
    if (action === "unchanged") continue;
    if (action === "delete") {
      const { name } = step.remote;
      entries.push({ action, id, name, changes: describeDeletion(step.remote) });
      continue;
    }
    const { name } = action === "create" ? step.body : step.remote;
    const changes = action === "create" ? describeCreation(step.body) : step.changes;
    entries.push({ action, id, file: await placeOf(step, repeated), name, changes });
  }
  return entries;
}

/** The file that describes a desired course, with the line if it describes several. */
async function placeOf(
  step: Exclude<PushStep, { action: "delete" }>,
  repeated: ReadonlySet<string>,
): Promise<string | undefined> {
  const { source, place } = step.item;
  if (source !== undefined) {
    const { name, courses } = source.file;
    return courses.length > 1 ? `${name}:${await source.line()}` : name;
  }
  if (place === undefined) return undefined;
  return repeated.has(place.file) ? `${place.file}:${place.line}` : place.file;
}

function findRepeated(words: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const word of words) (seen.has(word) ? repeated : seen).add(word);
  return repeated;
}

/** The part of a step's result that is known beforehand. */
export function describeStep(step: PushStep): Omit<Result, "status" | "error"> {
  const { id, action } = step;
  if (step.action === "delete") return { id, action, course: step.remote };
  const { source, place } = step.item;
  // A file may leave out what the catalog has.
  const course: PlainObject =
    step.action === "create" ? step.body : { ...step.remote, ...step.item.course };
  const unmanaged = step.action === "create" ? [] : step.unmanaged;
  return {
    ...{ id, action, course, ...(source === undefined ? place : { source }) },
    unmanaged: unmanaged.length === 0 ? undefined : unmanaged,
  };
}

/** The results of steps that were not applied; those that cannot be applied have failed. */
export function planResults(
  steps: readonly PushStep[],
  status: "planned" | "skipped",
  stale?: StaleSteps,
): readonly Result[] {
  return steps.map((step): Result => {
    const error = stale?.get(step.id);
    if (error !== undefined) return { ...describeStep(step), status: "failed", error };
    return { ...describeStep(step), status: step.action === "unchanged" ? step.action : status };
  });
}

/** Prints results that are known already. */
export async function showResults(results: readonly Result[], context: Context): Promise<void> {
  const printed = new Results(context);
  for (const result of results) await printed.add(result);
  await printed.end();
}
