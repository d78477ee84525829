/** Shows what is to change: briefly, as `push` does (cli.md section 8). */
import { escapeLine, joinList, pluralize, truncate } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Change } from "../course/difference.ts";
import type { Styles } from "./color.ts";

/** One course of a plan, as people see it. */
export interface PlanEntry {
  readonly action: "create" | "update" | "delete";
  readonly id: string;
  /** The course's name, as the service or the file has it. */
  readonly name: string;
  readonly file?: string;
  readonly changes: readonly Change[];
}

/** How many courses a plan creates, changes, leaves and deletes. */
export interface PlanCounts {
  readonly create: number;
  readonly update: number;
  readonly unchanged: number;
  readonly delete: number;
}

/** One line for each course that changes, without a line break at the end. */
export function planLines(entries: readonly PlanEntry[], paint: Styles): string[] {
  return entries.map((entry) => {
    const fields = [...new Set(entry.changes.map(({ path }) => formatPath(path.slice(0, 1))))];
    const what = entry.action === "update" ? `: ${fields.join(", ")}` : "";
    return `${headline(entry, paint)}${what}`;
  });
}

/** The sign of an action, the course's name, and where it comes from. */
export function headline({ action, id, name, file }: PlanEntry, paint: Styles): string {
  const [sign, color] = SIGNS[action];
  const origin = [file, action === "create" ? undefined : id].filter((part) => part !== undefined);
  const where = origin.length === 0 ? "" : ` ${paint.dim(`(${escapeLine(origin.join(", "))})`)}`;
  return `${paint[color](sign)} ${paint.bold(escapeLine(truncate(name)))}${where}`;
}

const SIGNS = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  delete: ["-", "red"],
} as const;

/** What the plan comes to: `2 to create, 1 to update, 5 unchanged`. */
export function planSummary(counts: PlanCounts): string {
  const parts = (["create", "update", "delete"] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${pluralize(counts[action], "course")} to ${action}`);
  const still =
    counts.unchanged === 0 ? [] : [`${pluralize(counts.unchanged, "course")} unchanged`];
  return parts.length === 0
    ? `Nothing to change: ${still.join("") || "no courses"}.`
    : `${joinList([...parts, ...still], "and")}.`;
}
