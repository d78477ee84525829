/** Counts what came of the courses of a run, and says so. */
import { joinList, pluralize } from "../base/text.ts";
import { listCounts, PAST } from "../output/plan.ts";
import type { Result } from "./results.ts";

/** How many courses had each outcome. */
export type Counts = Readonly<Record<(typeof OUTCOMES)[number], number>>;

const OUTCOMES = [
  ...(["created", "updated", "unchanged", "deleted"] as const),
  ...(["failed", "skipped", "planned", "unknown"] as const),
] as const;

export function countResults(results: readonly Result[]): Counts {
  const counts = Object.fromEntries(OUTCOMES.map((name) => [name, 0])) as Record<
    keyof Counts,
    number
  >;
  for (const { action, status } of results) counts[status === "done" ? PAST[action] : status]++;
  return counts;
}

/** How many courses a run changed. */
export function countChanged({ created, updated, deleted }: Counts): number {
  return created + updated + deleted;
}

/** `Courses: 3 created, 1 updated, 10 unchanged and 1 failed.` */
export function listOutcomes(counts: Counts): string {
  const parts = listCounts(counts);
  return parts.length === 0 ? "No courses." : `Courses: ${joinList(parts, "and")}.`;
}

/** `Created 3 courses, 1 unchanged, 1 failed.` @param words how the sentence begins: `Created` */
export function describeOutcomes(
  counts: Counts,
  words: { readonly done: string; readonly planned: string },
): string {
  const { planned } = counts;
  const amount = planned > 0 ? planned : countChanged(counts);
  if (amount + counts.failed + counts.skipped + counts.unknown === 0) {
    return `Nothing to change: ${pluralize(counts.unchanged, "course")} unchanged.`;
  }
  const { unchanged, failed, skipped, unknown } = counts;
  // What a stopped run has left is said completely.
  const others = listCounts({ unchanged, failed, skipped, unknown }, skipped > 0 ? ["failed"] : []);
  const rest = others.map((part) => `, ${part}`).join("");
  return `${planned > 0 ? words.planned : words.done} ${pluralize(amount, "course")}${rest}.`;
}
