/** Shows what is to change field by field, old value and new, as `diff` does (cli.md section 8). */
import { escapeLine, escapeText } from "../base/text.ts";
import { formatPath } from "../base/values.ts";
import type { Change } from "../course/difference.ts";
import type { Styles } from "./color.ts";
import { headline, type PlanEntry } from "./plan.ts";

type TextDiff = typeof import("diff");

/** A paragraph for each course that changes, each ending its last line. */
export async function differencesText(
  entries: readonly PlanEntry[],
  paint: Styles,
): Promise<string> {
  const isLong = entries.some(({ changes }) => changes.some(isLongText));
  const differ = isLong ? await import("diff") : undefined;
  return entries
    .map((entry) => {
      // That all of it goes is said by its sign; a backup keeps what it was.
      const shown = entry.action === "delete" ? [] : entry.changes;
      const lines = shown.flatMap((change) => changeLines(change, paint, differ));
      return `${[headline(entry, paint), ...lines].join("\n")}\n`;
    })
    .join("\n");
}

/** Texts this long are shown by what differs in them. */
const LONG = 60;
/** Milliseconds for comparing two texts; beyond that they are shown whole. */
const PATIENCE = 500;

function isLongText({ old, new: value }: Change): boolean {
  return typeof old === "string" && typeof value === "string" && isLong(old) && isLong(value);
}

function isLong(text: string): boolean {
  return text.length > LONG || text.includes("\n");
}

function changeLines(change: Change, paint: Styles, differ: TextDiff | undefined): string[] {
  const { old, new: value } = change;
  const label = `    ${escapeLine(formatPath(change.path))}:`;
  if (differ !== undefined && typeof old === "string" && typeof value === "string") {
    if (old.includes("\n") || value.includes("\n")) {
      const lines = lineDifference(old, value, paint, differ);
      if (lines !== undefined) return [label, ...lines];
    } else if (isLongText(change)) {
      const words = wordDifference(old, value, paint, differ);
      if (words !== undefined) return [`${label} ${words}`];
    }
  }
  const only = old ?? value;
  if ((old === null || value === null) && typeof only === "string" && only.includes("\n")) {
    const sign = old === null ? "+" : "-";
    const lines = only.replace(/\n$/, "").split("\n");
    return [label, ...lines.map((line) => paintedLine(sign + line, paint))];
  }
  if (old === null) return [`${label} ${paint.green(shown(value))}`];
  if (value === null) return [`${label} ${paint.red(shown(old))} → ${paint.dim("none")}`];
  return [`${label} ${paint.red(shown(old))} → ${paint.green(shown(value))}`];
}

/** A value as it would stand in a file of JSON, on one line. */
function shown(value: unknown): string {
  return escapeLine(JSON.stringify(value));
}

/** The changed lines, and one unchanged line on either side of them. */
function lineDifference(
  old: string,
  value: string,
  paint: Styles,
  { structuredPatch }: TextDiff,
): string[] | undefined {
  const patch = structuredPatch("", "", old, value, "", "", { context: 1, timeout: PATIENCE });
  return patch?.hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [paint.dim("      …")]),
    ...lines.filter((line) => !line.startsWith("\\")).map((line) => paintedLine(line, paint)),
  ]);
}

function paintedLine(line: string, paint: Styles): string {
  const text = `      ${line.slice(0, 1)} ${escapeLine(line.slice(1))}`;
  if (line.startsWith("+")) return paint.green(text);
  return line.startsWith("-") ? paint.red(text) : paint.dim(text);
}

/** The text with what goes as `[-old-]` and what comes as `{+new+}`: never by color alone. */
function wordDifference(
  old: string,
  value: string,
  paint: Styles,
  { diffWordsWithSpace }: TextDiff,
): string | undefined {
  const parts = diffWordsWithSpace(old, value, { timeout: PATIENCE });
  if (parts === undefined) return undefined;
  return parts
    .map((part, index) => {
      const text = escapeText(part.value);
      if (part.added) return paint.green(`{+${text}+}`);
      if (part.removed) return paint.red(`[-${text}-]`);
      return unchanged(text, index === 0, index === parts.length - 1);
    })
    .join("");
}

const KEPT = 30;

/** A long stretch that stays is shown by its ends. */
function unchanged(text: string, isFirst: boolean, isLast: boolean): string {
  const characters = [...text];
  if (characters.length <= 2 * KEPT) return text;
  const head = isFirst ? [] : characters.slice(0, KEPT);
  const tail = isLast ? [] : characters.slice(-KEPT);
  return `${head.join("")}…${tail.join("")}`;
}
