/** Prints a plan: briefly as `push` does, or with old and new values as `diff` does. */
import { yieldToEventLoop } from "../base/async.ts";
import { maskValue } from "../base/secrets.ts";
import {
  escapeLine,
  escapeName,
  formatNumber,
  joinList,
  pluralize,
  truncate,
} from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Change } from "../course/difference.ts";
import type { ChangedIn, StepChange } from "../sync/step.ts";
import type { Styles } from "./color.ts";

export interface PlanEntry {
  readonly action: "create" | "update" | "delete";
  readonly id: string;
  /** The course's name in the service or the file; the id is shown if there is none. */
  readonly name: unknown;
  readonly file?: string | undefined;
  readonly changes: readonly StepChange[];
  /** What else to say about it. */
  readonly note?: string | undefined;
  /** Whether to say of each change on which side it was made. */
  readonly isGrouped?: boolean;
}

/** The entries with secrets masked: names and values may come from the service. */
export function maskEntries(
  entries: readonly PlanEntry[],
  mask: (text: string) => string,
): readonly PlanEntry[] {
  return maskValue(entries, mask) as readonly PlanEntry[];
}

/** What a step has done, in summaries. */
export const PAST = {
  create: "created",
  update: "updated",
  unchanged: "unchanged",
  delete: "deleted",
} as const;

/** The counts of a summary that are not zero, or always shown: `3 created`. */
export function listCounts(
  counts: Readonly<Record<string, number>>,
  always: readonly string[] = [],
): string[] {
  return Object.entries(counts)
    .filter(([outcome, count]) => count > 0 || always.includes(outcome))
    .map(([outcome, count]) => `${formatNumber(count)} ${outcome}`);
}

/** How many courses a plan creates, updates, leaves unchanged and deletes. */
export interface PlanCounts {
  readonly create: number;
  readonly update: number;
  readonly unchanged: number;
  readonly delete: number;
  /** Courses that do not exist; absent if there are none, and so are the others. */
  readonly missing?: number;
  /** Steps of a saved plan that no longer apply. */
  readonly stale?: number;
  /** Steps of an undo whose courses have changed or no longer exist. */
  readonly skipped?: number;
}

/** `"Weaving" (6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21)`; only the id of a course without a name. */
export function courseLabel({ name, id }: { readonly name: unknown; readonly id: string }): string {
  return typeof name !== "string" || name === ""
    ? id
    : `${escapeName(JSON.stringify(truncate(name)))} (${id})`;
}

/** The names of the fields that change, each once. */
export function changedFields(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ path }) => formatPath(path.slice(0, 1))))];
}

/** The changes by the side on which they were made, the sides in order. */
export function groupBySide(
  changes: readonly StepChange[],
): { readonly side: string; readonly changes: readonly StepChange[] }[] {
  const sides = Object.keys(SIDES) as ChangedIn[];
  const groups = [undefined, ...sides].map((where) => ({
    side: where === undefined ? "" : SIDES[where],
    changes: changes.filter(({ changedIn }) => changedIn === where),
  }));
  return groups.filter(({ changes: found }) => found.length > 0);
}

const SIDES = { file: "in the file", catalog: "in the catalog", both: "in both" } as const;

/** One line per course that changes, without line breaks. */
export function planLines(entries: readonly PlanEntry[], styles: Styles): string[] {
  return entries.map((entry) => {
    const { action, changes, isGrouped } = entry;
    const groups = isGrouped === true ? groupBySide(changes) : [{ side: "", changes }];
    const fields = groups.map(({ side, changes: found }) => {
      const names = changedFields(found).join(", ");
      return side === "" ? names : `changed ${side}: ${names}`;
    });
    const changed = action === "update" ? `: ${fields.join("; ")}` : "";
    return `${headline(entry, styles)}${changed}`;
  });
}

function headline({ action, id, name, file, note }: PlanEntry, styles: Styles): string {
  const [sign, color] = SIGNS[action];
  // The id of a new course says nothing yet; a course of a file may have none.
  const isNew = action === "create" && note === undefined;
  const parts = [file, isNew ? undefined : id, note];
  const origin = parts.filter((part) => part !== undefined && part !== "");
  const where = origin.length === 0 ? "" : ` ${styles.dim(`(${escapeLine(origin.join(", "))})`)}`;
  const label = typeof name === "string" && name !== "" ? name : id;
  return `${styles[color](sign)} ${styles.bold(escapeName(truncate(label)))}${where}`;
}

const SIGNS = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  delete: ["-", "red"],
} as const;

/** The counts as a sentence: `2 courses to create, 1 course to update and 5 courses unchanged.` */
export function planSummary(counts: PlanCounts): string {
  const parts = (["create", "update", "delete"] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${pluralize(counts[action], "course")} to ${action}`);
  const others = (["unchanged", "missing", "stale", "skipped"] as const)
    .filter((state) => (counts[state] ?? 0) > 0)
    .map((state) => `${pluralize(counts[state] ?? 0, "course")} ${state}`);
  return parts.length === 0
    ? `Nothing to change: ${joinList(others, "and") || "no courses"}.`
    : `${joinList([...parts, ...others], "and")}.`;
}

/** The changes of each course with old and new values. @param now limits the time of comparisons */
export async function differencesText(
  entries: readonly PlanEntry[],
  styles: Styles,
  now: () => number = () => 0,
): Promise<string> {
  const compares = entries.some(({ changes }) => changes.some(isLongText));
  const textDiff = compares ? await textComparer(now) : undefined;
  const texts: string[] = [];
  let wasLine = true;
  for (const [index, entry] of entries.entries()) {
    // Comparing long strings takes a while, and Ctrl-C has to be noticed meanwhile.
    if (index % YIELD_EVERY === 0 || entry.changes.some(isLongText)) await yieldToEventLoop();
    // A deletion shows no fields.
    const changes = entry.action === "delete" ? [] : entry.changes;
    const groups = entry.isGrouped === true ? groupBySide(changes) : [{ side: "", changes }];
    const lines = groups.flatMap(({ side, changes: found }) => [
      ...(side === "" ? [] : [`  changed ${side}:`]),
      ...found.flatMap((change) => changeLines(change, styles, textDiff)),
    ]);
    // Courses without fields, such as deletions, form a list.
    const isLine = lines.length === 0;
    if (index > 0 && !(isLine && wasLine)) texts.push("\n");
    texts.push(`${[headline(entry, styles), ...lines].join("\n")}\n`);
    wasLine = isLine;
  }
  return texts.join("");
}

const YIELD_EVERY = 100;
/** Milliseconds for comparing two strings; if that is not enough, they are shown in full. */
const DIFF_TIMEOUT = 500;
/** The same for all strings together. */
const DIFF_BUDGET = 3000;

type Hunks = readonly { readonly lines: readonly string[] }[];

/** Compares two strings by line; undefined if that takes too long. */
type TextComparer = (old: string, value: string) => Hunks | undefined;

async function textComparer(now: () => number): Promise<TextComparer> {
  const { structuredPatch } = await import("diff");
  let left = DIFF_BUDGET;
  return (old, value) => {
    if (left <= 0) return undefined;
    const start = now();
    const timeout = Math.min(left, DIFF_TIMEOUT);
    const patch = structuredPatch("", "", old, value, "", "", { context: 1, timeout });
    left -= now() - start;
    return patch?.hunks;
  };
}

/** Characters of a string that fit on one line next to another string. */
const SHORT_TEXT = 80;

/** Whether a change is shown line by line: a string of several lines, or one that replaces another. */
function isLongText({ old, new: value }: Change): boolean {
  const texts = [old ?? "", value ?? ""];
  if (!texts.every((text) => typeof text === "string")) return false;
  const most = old === null || value === null ? Number.POSITIVE_INFINITY : SHORT_TEXT;
  return texts.some((text) => text.includes("\n") || text.length > most);
}

function changeLines(
  change: StepChange,
  styles: Styles,
  compare: TextComparer | undefined,
): string[] {
  const { old, new: value, base, changedIn } = change;
  const label = `    ${escapeLine(formatPath(change.path))}:`;
  if (compare !== undefined && isLongText(change)) {
    const lines = diffLines(String(old ?? ""), String(value ?? ""), styles, compare);
    if (lines !== undefined) return [label, ...lines];
  }
  // Of a change on one side only, the base is one of both values.
  const before = changedIn === "both" && base !== null ? ` (base: ${formatJson(base)})` : "";
  if (old === null) return [`${label} ${styles.green(formatJson(value))}${before}`];
  const shown = value === null ? styles.dim("none") : styles.green(formatJson(value));
  return [`${label} ${styles.red(formatJson(old))} → ${shown}${before}`];
}

/** A value as JSON on one line. */
function formatJson(value: unknown): string {
  return escapeName(JSON.stringify(value));
}

/** The changed lines with one unchanged line before and after them. */
function diffLines(
  old: string,
  value: string,
  styles: Styles,
  compare: TextComparer,
): string[] | undefined {
  return compare(old, value)?.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [styles.dim("      …")]),
    ...lines.filter((line) => !line.startsWith("\\")).map((line) => styleLine(line, styles)),
  ]);
}

function styleLine(line: string, styles: Styles): string {
  const text = `      ${line.slice(0, 1)} ${escapeName(line.slice(1))}`;
  if (line.startsWith("+")) return styles.green(text);
  return line.startsWith("-") ? styles.red(text) : styles.dim(text);
}
