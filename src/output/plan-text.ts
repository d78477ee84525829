/** Prints a plan: briefly as `push` does, or with old and new values as `diff` does. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { maskValue } from "../base/credentials.ts";
import type { Output } from "../base/io.ts";
import { escapeLine, formatNumber, joinList, listSome, pluralize, truncate } from "../base/text.ts";
import { changedFields, formatPath, type Path } from "../base/values.ts";
import { countOutcomes, type Outcome, PAST, type Summary } from "../core/apply.ts";
import type { Plan } from "../core/plan.ts";
import { isShown, isWrite, RANK, type Risk, type Step, type StepChange } from "../core/step.ts";
import type { Change } from "../course/difference.ts";
import { courseLabel } from "../course/problem.ts";
import { isEmpty } from "./cells.ts";
import { messageWrapper, type Styles } from "./text-measure.ts";

export interface PlanEntry {
  /** `unchanged`: only others changed the course. */
  readonly action: "create" | "update" | "delete" | "unchanged";
  readonly id: string;
  /** The course's name in the service or the file; the id is shown if there is none. */
  readonly name: unknown;
  readonly file?: string | undefined;
  readonly changes: readonly StepChange[];
  /** What else the line of the course says. */
  readonly note?: string | undefined;
  /** What is rarely meant about the changes. */
  readonly risks?: readonly Risk[] | undefined;
}

/** The counts of a summary that are not zero: `3 created`. */
export function listCounts(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${formatNumber(count)} ${outcome}`);
}

/** The changes by the side on which they were made, the sides in order; first, changes without a side. */
export function groupBySide(changes: readonly StepChange[]) {
  const sides = Object.keys(SIDES) as (keyof typeof SIDES)[];
  const groups = [undefined, ...sides].map((where) => ({
    side: where === undefined ? "" : SIDES[where],
    changes: changes.filter(({ changedIn }) => changedIn === where),
  }));
  return groups.filter(({ changes: found }) => found.length > 0);
}

export const SIDES = { file: "in the file", catalog: "in the catalog", both: "in both" } as const;

/** One line per course that changes, without line breaks. */
export function planLines(entries: readonly PlanEntry[], styles: Styles): string[] {
  return entries.map((entry) => {
    const fields = groupsOf(entry).map(({ side, changes }) => {
      const names = changedFields(changes).join(", ");
      return side === "" ? names : `changed ${side}: ${names}`;
    });
    const isListed = entry.action === "update" || entry.action === "unchanged";
    const changed = isListed && fields.length > 0 ? `: ${fields.join("; ")}` : "";
    return `${headline(entry, styles)}${changed}`;
  });
}

function groupsOf({ action, changes }: PlanEntry): ReturnType<typeof groupBySide> {
  if (action === "create") return [{ side: "", changes: [...changes] }];
  // Of a course that is deleted, only what the user must decide.
  return groupBySide(changes).filter(({ side }) => action !== "delete" || side === SIDES.both);
}

function headline({ action, id, name, file, note }: PlanEntry, styles: Styles): string {
  const [sign, color] = SIGNS[action];
  // The id of a new course is of no use yet.
  const isNew = action === "create" && note === undefined;
  const parts = [file, isNew ? undefined : id, note];
  const origin = parts.filter((part) => part !== undefined && part !== "");
  const where = origin.length === 0 ? "" : ` ${styles.dim(`(${escapeLine(origin.join(", "))})`)}`;
  const label = typeof name === "string" && name !== "" ? name : id;
  return `${styles[color](sign)} ${styles.bold(escapeLine(truncate(label)))}${where}`;
}

const SIGNS = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  delete: ["-", "red"],
  unchanged: ["=", "dim"],
} as const;

/**
 * The counts as sentences: `Created 2 courses and updated 1. 5 were up to date.` or, of a plan, `2 courses to create and
 * 1 to update. 5 are up to date.` If nothing changes: `Already up to date: 14 courses.`
 */
export function summarize(counts: Summary, isPlan = false): string {
  const { unchanged, failed, unknown, skipped } = counts;
  const actions = (["create", "update", "delete"] as const).filter(
    (action) => counts[PAST[action]] > 0,
  );
  if (actions.length + failed + unknown + skipped === 0) {
    return `Already up to date${unchanged > 0 ? `: ${pluralize(unchanged, "course")}` : ""}.`;
  }
  const were = (amount: number): string =>
    amount === 1 ? (isPlan ? "is" : "was") : isPlan ? "are" : "were";
  const amounts = [
    ...actions.map((action) => {
      return [counts[PAST[action]], isPlan ? `# to ${action}` : `${PAST[action]} #`] as const;
    }),
    [unchanged, `# ${were(unchanged)} up to date`] as const,
    [failed, `# ${isPlan ? "would fail" : "failed"}`] as const,
    [unknown, "# may have been changed"] as const,
    [skipped, `# ${isPlan ? "would not be" : `${were(skipped)} not`} sent`] as const,
  ].filter(([amount]) => amount > 0);
  // Only the first amount names the noun: `created 3 courses`, `2 failed`.
  const parts = amounts.map(([amount, words], index) =>
    words.replace("#", index === 0 ? pluralize(amount, "course") : formatNumber(amount)),
  );
  const changes = joinList(parts.splice(0, actions.length), "and");
  const isNothing = !isPlan && unknown === 0 && parts.length > 0;
  return [changes || (isNothing ? "nothing was changed" : ""), ...parts]
    .filter((part) => part !== "")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`)
    .join(" ");
}

/** The counts of a run, or of a plan in which nothing was sent; of a plan with a base, also of what it leaves in the catalog. */
export function describeOutcomes(
  outcomes: readonly Outcome[],
  isPlan = outcomes.every(
    ({ step, status }) => status === "planned" || step.action === "refused" || !isWrite(step),
  ),
): string {
  const counts = countOutcomes(outcomes);
  const left = outcomes.filter(({ step }) => !isWrite(step) && isShown(step)).length;
  const summary = summarize({ ...counts, unchanged: counts.unchanged - left }, isPlan);
  if (left === 0) return summary;
  const stay = left === 1 ? "stays as it is" : "stay as they are";
  return `${summary} ${pluralize(left, "course")} that changed in the catalog ${stay}.`;
}

/** Names what a run leaves in the catalog: `Kept what changed in the catalog: "Weaving" (6f0f…): prices.` */
export function describeLeft(steps: readonly Step[]): string | undefined {
  const left = steps.filter(
    (step) => step.compared?.left !== undefined || (!isWrite(step) && step.compared !== undefined),
  );
  if (left.length === 0) return undefined;
  const names = left.map((step) => {
    const { event, left: changes = [] } = step.compared ?? {};
    return `${courseLabel(step)}: ${changedFields(changes).join(", ") || event}`;
  });
  return `Kept what changed in the catalog: ${listSome(names)}.`;
}

/**
 * The changes of each course with old and new values, ending its last line. On a terminal, lines are wrapped. Secrets are
 * masked before, because names and values may come from the service.
 */
export async function differencesText(
  unmasked: readonly PlanEntry[],
  styles: Styles,
  out: Pick<Output, "isTerminal" | "columns" | "mask">,
): Promise<string> {
  const entries = maskValue(unmasked, out.mask) as readonly PlanEntry[];
  const compares = entries.some(({ changes }) => changes.some(isText));
  const texts = compares ? await import("./text-changes.ts") : undefined;
  const wrap = messageWrapper(out);
  const blocks: string[] = [];
  let wasLine = true;
  for (const [index, entry] of entries.entries()) {
    // Comparing long texts takes a while, and Ctrl-C must stop it.
    await yieldToEventLoop();
    const lines = groupsOf(entry).flatMap(({ side, changes }) => [
      ...(side === "" ? [] : [`  changed ${side}:`]),
      ...changes.flatMap((change) => changeLines(change, entry.action, styles, texts, wrap)),
    ]);
    // Courses without fields, such as deletions, form a list.
    const isLine = lines.length === 0;
    if (index > 0 && !(isLine && wasLine)) blocks.push("\n");
    const shown = [wrap(headline(entry, styles), 4), ...lines.map((line) => wrap(line, 6))];
    blocks.push(`${shown.join("\n")}\n`);
    wasLine = isLine;
  }
  return blocks.join("");
}

/** Whether a change is one of a text. */
function isText({ old, new: value }: Change): boolean {
  return typeof (old ?? "") === "string" && typeof (value ?? "") === "string";
}

/** The old and the new value on one line; a text of several lines, or a long one, line by line. */
function changeLines(
  change: StepChange,
  action: PlanEntry["action"],
  styles: Styles,
  texts: typeof import("./text-changes.ts") | undefined,
  wrap: (line: string) => string,
): string[] {
  const { path, old, new: value, base, changedIn } = change;
  const label = `    ${escapeLine(formatPath(path))}:`;
  // If only one side has changed, the base is the old or the new value.
  const before = changedIn === "both" && base !== null ? ` (base: ${formatJson(base)})` : "";
  if (texts !== undefined && isText(change)) {
    const [one, other] = [old, value] as [string | null, string | null];
    const line = `${label} ${formatJson(one)} → ${formatJson(other)}`;
    const isLong = `${one ?? ""}${other ?? ""}`.includes("\n");
    // On a terminal, one line must also fit there.
    const areBoth = one !== null && other !== null;
    if (isLong || (areBoth && (line.length > 160 || wrap(line) !== line))) {
      const lines = texts.textChangeLines(one, other, styles);
      if (lines !== undefined) return [label + before, ...lines.map((each) => `      ${each}`)];
    } else if (areBoth) {
      const words = texts.wordChange(one, other, styles, (text) => formatJson(text).slice(1, -1));
      if (words !== undefined) return [`${label} ${words}${before}`];
    }
  }
  const none = styles.dim("none");
  const shown = isEmpty(value) ? none : styles.green(formatJson(value));
  if (action === "create") return [`${label} ${shown}${before}`];
  const was = isEmpty(old) ? none : styles.red(formatJson(old));
  return [`${label} ${was} → ${shown}${before}`];
}

/** A value as JSON on one line, which can be wrapped between its values: `[{"type": "other"}, 1]`. */
function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 1);
  return escapeLine(json.replace(/(?<=[[{])\n *|\n *(?=[\]}])/g, "").replace(/\n */g, " "));
}

/** A change to look at first, in words that are safe to show, and the course that changes, if it is one. */
export interface ListedRisk {
  readonly text: string;
  readonly id?: string;
}

/** What to look at first, the worst kind first. A plan that has only deletions lists them anyway. */
export function listRisks(
  entries: readonly (Pick<PlanEntry, "id" | "name" | "risks"> & { readonly action: string })[],
  many?: Plan["many"],
): ListedRisk[] {
  const hasOthers = entries.some(({ action }) => action !== "delete");
  const found = entries.flatMap(({ risks = [], id, name }) => {
    const label = escapeLine(truncate(typeof name === "string" && name !== "" ? name : id));
    const listed = risks.filter(({ kind }) => hasOthers || kind !== "delete");
    return listed.map((risk) => ({ ...risk, id, text: `${label}: ${escapeLine(riskText(risk))}` }));
  });
  const most = many && { text: `${many.field} changes in ${pluralize(many.count, "course")}` };
  found.sort((one, other) => RANK.indexOf(one.kind) - RANK.indexOf(other.kind));
  return most === undefined ? found : [most, ...found];
}

/** The lines of the first risks on a terminal, without line breaks; empty without risks. */
export function riskLines(all: readonly ListedRisk[], styles: Styles, most = all.length): string[] {
  if (all.length === 0) return [];
  const lines = all.slice(0, most).map(({ text }) => `${styles.yellow("!")} ${text}`);
  const rest = all.length > most ? [`… and ${formatNumber(all.length - most)} more`] : [];
  return [styles.bold(`${LOOK_FIRST}:`), ...lines, ...rest];
}

/** The heading of the risks. */
export const LOOK_FIRST = "Look at these first";

function riskText({ kind, path, old, new: now }: Risk): string {
  const field = placeText(path);
  switch (kind) {
    case "delete":
      return "deleted";
    case "unpublish":
      return "unpublished";
    case "since":
      return `${field} was set after the run`;
    case "text": {
      const [before, after] = [String(old).length, String(now).length];
      return after === 0
        ? `${field} is emptied`
        : `${field} is cut from ${formatNumber(before)} to ${formatNumber(after)} characters`;
    }
    default:
      return `${field}: ${old} → ${now ?? "none"}`;
  }
}

/** A place in a course as people name it: `price 2`, `currency of price 1`, `price of the certificate`, `short description`. */
function placeText(path: Path): string {
  const [field, index] = path;
  const part = String(path.at(-1)).replaceAll("_", " ");
  if (path.length === 1) return part;
  const owner = field === "prices" ? `price ${Number(index) + 1}` : `the ${field}`;
  return field === "prices" && part === "price" ? owner : `${part} of ${owner}`;
}
