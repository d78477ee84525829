/** Shows the steps of a run before they are applied, and names the service and the account that they change. */
import { formatNumber } from "../base/text.ts";
import type { Target } from "../output/diagnostics.ts";
import {
  differencesText,
  maskEntries,
  type PlanCounts,
  type PlanEntry,
  planLines,
} from "../output/plan.ts";
import { describeCourse, isWrite, listChanges, type Step } from "../sync/step.ts";
import { describeEvent } from "../sync/three-way.ts";
import type { Context } from "./context.ts";

/** Counts the steps by action. */
export function countSteps(steps: readonly Step[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0 };
  const refused = { missing: 0, stale: 0, skipped: 0 };
  for (const step of steps) {
    if (step.action !== "refused") counts[step.action]++;
    else if (step.status === "skipped") refused.skipped++;
    else refused[step.error?.kind === "missing" ? "missing" : "stale"]++;
  }
  const others = Object.entries(refused).filter(([, count]) => count > 0);
  return { ...counts, ...Object.fromEntries(others) };
}

/** The most lines of a plan that a run prints. A dry run and `--verbose` print all lines. */
const MAX_LINES = 100;

/** How a step is shown: the names of its fields, their values, or the values even of a new course. */
export type ShownAs = "lines" | "values" | "all values";

/**
 * Prints one line per course that changes, or its values, on standard error. @param isComplete whether to print a plan
 * of any length @returns whether every step was printed
 */
export async function showSteps(
  steps: readonly Step[],
  { as = "lines", isComplete = false }: { as?: ShownAs; isComplete?: boolean },
  context: Context,
): Promise<boolean> {
  const { messages, options, io } = context;
  if (options.format !== undefined || options.quiet) return false;
  const entries = await toPlanEntries(steps);
  const listed = isComplete || options.verbose ? entries : entries.slice(0, MAX_LINES);
  // A recreated course has the values that it had, so they are not listed.
  const shown = listed.map((each) =>
    each.action === "create" && as === "values" ? { ...each, changes: [] } : each,
  );
  const masked = maskEntries(shown, io.err.mask);
  await messages.show(async (styles) => {
    if (as === "lines") return planLines(masked, styles);
    return (await differencesText(masked, styles, io.err, context.clock.monotonic))
      .split("\n")
      .slice(0, -1);
  });
  const rest = entries.length - listed.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  return rest === 0;
}

/** The steps that change a course, as entries of a plan. In a file of several courses, an entry has its line. */
export async function toPlanEntries(steps: readonly Step[]): Promise<PlanEntry[]> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { from } of steps) {
    if (from?.file !== undefined) (seen.has(from.file) ? repeated : seen).add(from.file);
  }
  return await Promise.all(
    steps.filter(isWrite).map(async (step): Promise<PlanEntry> => {
      const { action, id, from, remote } = step;
      // An update shows the name before the change. A step of a saved plan has only the fields that change.
      const present = step.action === "create" ? undefined : (step.before.name ?? remote?.name);
      const name = present ?? describeCourse(step).name;
      const line = repeated.has(from?.file ?? "") ? await from?.line() : undefined;
      const file = line === undefined ? from?.file : `${from?.file}:${line}`;
      const changes = listChanges(step);
      const isGrouped = step.base !== undefined;
      const event = describeEvent(step);
      const note = event === undefined ? undefined : `${event} in the catalog`;
      return { action, id, name, file, changes, isGrouped, note };
    }),
  );
}

/** The settings that choose the account or what is cleared: a project config file that decides one is named. */
const DECIDABLE = [
  ["profile", "profile"],
  ["apiKey", "key"],
  ["complete", "complete"],
] as const;

/** The service and account of the settings in effect. */
export async function findTarget(
  context: Pick<Context, "providers" | "settings">,
): Promise<Target> {
  const settings = await context.settings();
  const { baseUrl, profile, project } = settings;
  const providers = await context.providers();
  const decided = DECIDABLE.flatMap(([name, word]) =>
    settings[name]?.source === "project config" ? [word] : [],
  );
  return {
    baseUrl: baseUrl?.value ?? "",
    providers: providers.map(({ name }) => name),
    ...(profile === undefined ? {} : { profile: profile.value }),
    ...(decided.length === 0 ? {} : { decided, file: project?.value }),
  };
}
