/** The steps of a push, and how they are shown. */
import { formatNumber } from "../../../base/text.ts";
import type { Context } from "../../../command-support/context.ts";
import { type Change, diffCourses } from "../../../course/difference.ts";
import { WRITABLE_FIELDS } from "../../../course/fields.ts";
import type { Course } from "../../../course/request-body.ts";
import type { SourceCourse } from "../../../files/read.ts";
import { hasJsonMessages } from "../../../output/formats.ts";
import { type PlanCounts, type PlanEntry, planLines, planSummary } from "../../../output/plan.ts";
import type { Desired, Step } from "../../../sync/plan.ts";

/** The desired course of a step, and where it is described. */
export interface StepItem extends Desired {
  readonly source?: SourceCourse;
  /** Where it was described when a plan was made. */
  readonly place?: { readonly file: string; readonly line: number };
}

/** A course in a file. `course` is the desired state, with `provider` replaced by `provider_id`. */
export interface DesiredCourse extends StepItem {
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** A step whose desired course was read from a file. */
export type PushStep = Step<DesiredCourse>;

/** The file that describes a desired course, with the line if it describes several. */
export async function placeOf(
  { source, place }: StepItem,
  hasSeveral: (file: string) => boolean,
): Promise<string | undefined> {
  if (source !== undefined) {
    const { name, courses } = source.file;
    return courses.length > 1 ? `${name}:${await source.line()}` : name;
  }
  if (place === undefined) return undefined;
  return hasSeveral(place.file) ? `${place.file}:${place.line}` : place.file;
}

/** The name of the file that describes a desired course. */
export function fileOf({ source, place }: StepItem): string | undefined {
  return source?.file.name ?? place?.file;
}

/** Whether a step changes something. */
function isChanging(step: Pick<Step<StepItem>, "action">): boolean {
  return step.action !== "unchanged";
}

/** Converts the steps that change something for printing. */
export async function toPlanEntries(steps: readonly Step<StepItem>[]): Promise<PlanEntry[]> {
  const files = steps.flatMap((step) =>
    step.action === "delete" ? [] : (fileOf(step.item) ?? []),
  );
  const repeated = findRepeated(files);
  const entries: PlanEntry[] = [];
  for (const step of steps) {
    const { action, id } = step;
    if (action === "unchanged") continue;
    if (action === "delete") {
      entries.push(deletionEntry(step.remote));
      continue;
    }
    const file = await placeOf(step.item, (name) => repeated.has(name));
    entries.push(
      action === "create"
        ? { action, id, file, name: displayName(step.body), changes: additions(step.body) }
        : { action, id, file, name: displayName(step.remote), changes: step.changes },
    );
  }
  return entries;
}

export function deletionEntry(course: Course): PlanEntry {
  const changes = diffCourses(EMPTY_COURSE, course);
  return { action: "delete", id: course.id, name: displayName(course), changes };
}

const EMPTY_COURSE = Object.fromEntries(
  WRITABLE_FIELDS.filter(({ name }) => name !== "id").map(({ name }) => [name, null]),
);

function additions(body: Course): Change[] {
  return Object.entries(body)
    .filter(([name]) => name !== "id")
    .map(([name, value]) => ({ path: [name], old: null, new: value }));
}

function displayName({ name, id }: Course): string {
  return typeof name === "string" && name !== "" ? name : id;
}

function findRepeated(words: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const word of words) (seen.has(word) ? repeated : seen).add(word);
  return repeated;
}

/** Counts the steps by action. */
export function countSteps(steps: readonly Pick<Step<StepItem>, "action">[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0 };
  for (const { action } of steps) counts[action]++;
  return counts;
}

/** Lines of the plan; only a dry run and `--verbose` show a longer one in full. */
const MAX_LINES = 100;

/** Prints one line per course that changes, and the counts. */
export async function showPlan(
  steps: readonly Step<StepItem>[],
  dryRun: boolean,
  { messages, options }: Context,
  counts: PlanCounts = countSteps(steps),
): Promise<void> {
  if (options.format !== undefined) {
    if (dryRun && hasJsonMessages(options.format)) {
      await messages.info(planSummary(counts), { counts });
    }
    return;
  }
  const changing = steps.filter(isChanging);
  const shown = dryRun || options.verbose ? changing : changing.slice(0, MAX_LINES);
  const entries = await toPlanEntries(shown);
  await messages.show((styles) => planLines(entries, styles));
  const rest = changing.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  await messages.info(planSummary(counts));
}
