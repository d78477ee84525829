/** Shows how a text changes: the lines that differ, and of long lines only the words around each change. */
import { cutText, escapeLine, escapeName } from "../base/text.ts";
import type { Styles } from "./color.ts";
import type { TextPart } from "./word-diff.ts";

/** Milliseconds for comparing two texts by line; two that take longer are shown in full. */
const LINES_TIMEOUT = 500;
/** Milliseconds for all comparisons of a run; texts after that are shown in full. */
const BUDGET = 3000;

type Hunks = readonly { readonly lines: readonly string[] }[];

/** Compares texts in limited time. Both results are undefined if that takes too long, or does not help. */
export interface TextComparer {
  readonly lines: (old: string, value: string) => Hunks | undefined;
  readonly words: (old: string, value: string) => readonly TextPart[] | undefined;
}

/** Loads what compares texts. @param now a clock in milliseconds */
export async function textComparer(now: () => number): Promise<TextComparer> {
  const { structuredPatch } = await import("diff");
  const { compareWords } = await import("./word-diff.ts");
  let left = BUDGET;
  const limited = <Result>(compare: () => Result): Result | undefined => {
    if (left <= 0) return undefined;
    const start = now();
    const result = compare();
    left -= now() - start;
    return result;
  };
  return {
    lines: (old, value) =>
      limited(() => {
        const timeout = Math.min(left, LINES_TIMEOUT);
        return structuredPatch("", "", old, value, "", "", { context: 1, timeout })?.hunks;
      }),
    words: (old, value) => limited(() => compareWords(old, value)),
  };
}

/** Characters of a longer unchanged part that are shown before and after changed words. */
const AROUND = 30;
const LONGEST_SAME = 2 * AROUND;

/**
 * The lines that differ, as `- old` and `+ new`, with at most one unchanged line before and after them;
 * undefined if the texts cannot be compared in time. Of lines that share enough of their words, only the
 * words around each change are shown, and the changed words have a color: `- …the wool of a sheep…`.
 *
 * @param old null if the text is new, and likewise `value`
 */
export function textChangeLines(
  old: string | null,
  value: string | null,
  styles: Styles,
  compare: TextComparer,
): string[] | undefined {
  if (old === null || value === null) {
    const side = old === null ? "new" : "old";
    const text = (old ?? value ?? "").replace(/\n$/, "");
    return signedLines([{ text, side }], side, styles);
  }
  if (old.trimEnd() === value.trimEnd()) {
    return [endLine(old, "-", styles.red), endLine(value, "+", styles.green)];
  }
  return compare
    .lines(old, value)
    ?.flatMap(({ lines }, index) => [
      ...(index === 0 ? [] : [styles.dim("…")]),
      ...hunkLines(lines, styles, compare),
    ]);
}

/** The end of a text with the spaces and line breaks after it, which are all that changes. */
function endLine(text: string, sign: string, color: (text: string) => string): string {
  const shown = text.trimEnd();
  const rest = escapeLine(text.slice(shown.length).replaceAll(" ", "·"));
  return `${color(sign)} ${escapeName(endOf(shown))}${rest === "" ? "" : color(rest)}`;
}

function hunkLines(lines: readonly string[], styles: Styles, compare: TextComparer): string[] {
  const shown: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const endRun = (): void => {
    shown.push(...runLines(removed, added, styles, compare));
    removed = [];
    added = [];
  };
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("-")) {
      removed.push(text);
    } else if (line.startsWith("+")) {
      added.push(text);
    } else if (line.startsWith(" ")) {
      endRun();
      if (text.trim() !== "") {
        shown.push(styles.dim(`  ${escapeName(cutText(text, LONGEST_SAME))}`));
      }
    }
  }
  endRun();
  return shown;
}

/** The lines of a text that others replace. */
function runLines(
  removed: readonly string[],
  added: readonly string[],
  styles: Styles,
  compare: TextComparer,
): string[] {
  if (removed.length + added.length === 0) return [];
  const whole = (text: string, side: "old" | "new"): TextPart[] => [{ text, side }];
  const old = removed.join("\n");
  const value = added.join("\n");
  if (added.length === 0) return signedLines(whole(old, "old"), "old", styles);
  if (removed.length === 0) return signedLines(whole(value, "new"), "new", styles);
  const parts = compare.words(old, value) ?? [...whole(old, "old"), ...whole(value, "new")];
  return excerpts(parts).flatMap((excerpt) => [
    ...signedLines(excerpt, "old", styles),
    ...signedLines(excerpt, "new", styles),
  ]);
}

/** The parts around each change; changes that are near each other are in one excerpt. */
function excerpts(parts: readonly TextPart[]): TextPart[][] {
  const found: TextPart[][] = [];
  let current: TextPart[] = [];
  for (const [index, part] of parts.entries()) {
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    if (part.side !== undefined || (!isFirst && !isLast && part.text.length <= LONGEST_SAME)) {
      current.push(part);
      continue;
    }
    if (!isFirst) current.push({ text: startOf(part.text) });
    if (isLast) continue;
    if (!isFirst) {
      found.push(current);
      current = [];
    }
    current.push({ text: endOf(part.text) });
  }
  return [...found, current];
}

/** The first words of a text, up to the end of its line: `the wool of…`. */
function startOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length <= LONGEST_SAME ? line : cutText(line, AROUND).replace(/\s+\S*…$/, "…");
}

/** The last words of a text, from the beginning of its line: `…of a sheep`. */
function endOf(text: string): string {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  if (line.length <= LONGEST_SAME) return line;
  const end = line.slice(-AROUND).replace(/^[\udc00-\udfff]/, "");
  return `…${end.replace(/^\S*\s+(?=\S)/, "")}`;
}

/** One of both texts, each line with a sign, and with the parts of this text in color. */
function signedLines(parts: readonly TextPart[], side: "old" | "new", styles: Styles): string[] {
  const [sign, color] = side === "old" ? ["-", styles.red] : ["+", styles.green];
  return markedText(parts, side, color)
    .split("\n")
    .map((line) => `${color(sign)} ${line}`);
}

/** One of both texts, with the parts of this text in color. @param show makes a line safe to show */
export function markedText(
  parts: readonly TextPart[],
  side: "old" | "new",
  color: (text: string) => string,
  show = escapeName,
): string {
  return parts
    .filter((part) => part.side === undefined || part.side === side)
    .map((part) => {
      if (part.side === undefined) return part.text.split("\n").map(show).join("\n");
      // A change of spaces alone would not be visible.
      const text = part.text.trim() === "" ? part.text.replaceAll(" ", "·") : part.text;
      const lines = text.split("\n").map(show);
      return lines.map((line) => (line === "" ? "" : color(line))).join("\n");
    })
    .join("");
}
