/** Converts the steps of a push for printing. */
import { type Change, diffCourses } from "../../course/difference.ts";
import { WRITABLE_FIELDS } from "../../course/fields.ts";
import type { Course } from "../../course/request-body.ts";
import type { PlanEntry } from "../../output/plan.ts";
import type { Step } from "../../sync/plan.ts";
import { fileOf, placeOf, type StepItem } from "./push-step.ts";

/** Whether a step changes something. */
export function isChanging(step: Pick<Step<StepItem>, "action">): boolean {
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
    const place = await placeOf(step.item, (file) => repeated.has(file));
    const file = place === undefined ? {} : { file: place };
    entries.push(
      action === "create"
        ? { action, id, ...file, name: displayName(step.body), changes: additions(step.body) }
        : { action, id, ...file, name: displayName(step.remote), changes: step.changes },
    );
  }
  return entries;
}

/** A deletion for printing. */
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
