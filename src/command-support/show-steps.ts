/** Shows the steps of a run before they are applied, and names what they change. */
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
import { describeEvent, hasDrift } from "../sync/three-way.ts";
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

/** Lines of a plan; only a dry run and `--verbose` show a longer one in full. */
const MAX_LINES = 100;

/** What is shown of a step: its fields, the values that it changes, or also those of a new course. */
export type ShownAs = "lines" | "values" | "all values";

/** Prints one line per course that changes, or also its values, on standard error. */
export async function showSteps(
  steps: readonly Step[],
  { as = "lines", isComplete = false }: { as?: ShownAs; isComplete?: boolean },
  context: Context,
): Promise<void> {
  const { messages, options, io } = context;
  if (options.format !== undefined || options.quiet) return;
  const entries = await toPlanEntries(steps);
  const listed = isComplete || options.verbose ? entries : entries.slice(0, MAX_LINES);
  // Of a course that is created again, every value is what it was.
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
}

/** Converts the steps that change something for printing; a file of several has lines. */
export async function toPlanEntries(steps: readonly Step[]): Promise<PlanEntry[]> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { from } of steps) {
    if (from?.file !== undefined) (seen.has(from.file) ? repeated : seen).add(from.file);
  }
  return await Promise.all(
    steps.filter(isWrite).map(async (step): Promise<PlanEntry> => {
      const { action, id, from, remote } = step;
      // An update is known by the name that the course has now; a saved one has only what it changes.
      const present = step.action === "create" ? undefined : (step.before.name ?? remote?.name);
      const name = present ?? describeCourse(step).name;
      const line = repeated.has(from?.file ?? "") ? await from?.line() : undefined;
      const file = line === undefined ? from?.file : `${from?.file}:${line}`;
      const changes = listChanges(step);
      const isGrouped = step.base?.isNamed === true || hasDrift(step);
      const event = describeEvent(step);
      const note = event === undefined ? undefined : `${event} in the catalog`;
      return { action, id, name, file, changes, isGrouped, note };
    }),
  );
}

/** The target of the settings in effect. What cannot be named neither stops a run nor delays it. */
export async function findTarget(
  context: Pick<Context, "providers" | "settings">,
): Promise<Target> {
  const { baseUrl, profile } = await context.settings();
  const providers = await context.providers({ retries: 0 }).catch(() => []);
  return {
    baseUrl: baseUrl?.value ?? "",
    providers: providers.map(({ name }) => name),
    ...(profile === undefined ? {} : { profile: profile.value }),
  };
}
