/** Shows how a text changes: the lines that differ, with the changed words in color. */
import { diffArrays, diffLines } from "diff";
import { escapeLine } from "../base/text.ts";
import { memoize } from "../base/values.ts";
import type { Styles } from "./text-measure.ts";

const segmenter = memoize(() => new Intl.Segmenter("en", { granularity: "word" }));

/** Spaces, and pieces of other text: the segmenter's time grows with the square of the length. */
const PIECES = /\s+|\S{1,500}/gu;
/** Words of ASCII, as the segmenter finds them: `network.py`, `49,00`, and each other character. */
const ASCII_WORDS = /\w+(?:[.,']\w+)*|\W/g;

/** The words of a text and what separates them. Some languages have no spaces: `学Python` is `学`, `Python`. */
function splitWords(text: string): string[] {
  return (text.match(PIECES) ?? []).flatMap((piece) => {
    if (/^[!-~]+$/.test(piece)) return piece.match(ASCII_WORDS) ?? [];
    if (/^\s/.test(piece)) return [piece];
    return Array.from(segmenter().segment(piece), ({ segment }) => segment);
  });
}

/** A part of both texts, or of one of them. */
export interface TextPart {
  readonly text: string;
  /** The text that has the part; absent if both have it. */
  readonly side?: "old" | "new";
}

/** In texts that share less than this part of their letters, nearly every word would be marked. */
const MIN_SHARED = 0.3;

/** In longer texts, finding the words takes long. */
const MAX_CHARACTERS = 200_000;

/**
 * The parts of both texts in order, where words that change next to each other are one part: `a b c` and
 * `a d c` are `a `, `b` (old), `d` (new) and ` c`. Undefined if the texts have too little in common, or are
 * longer than 200,000 characters.
 */
export function compareWords(old: string, value: string): readonly TextPart[] | undefined {
  if (Math.max(old.length, value.length) > MAX_CHARACTERS) return undefined;
  // Finding more differences takes long.
  const found = diffArrays(splitWords(old), splitWords(value), { maxEditLength: 200 });
  if (found === undefined) return undefined;
  const parts: TextPart[] = [];
  let shared = 0;
  let change = { old: "", new: "" };
  // A space between two changes belongs to both of them.
  let space = "";
  const add = (text: string, side?: TextPart["side"]): void => {
    if (text !== "") parts.push(side === undefined ? { text } : { text, side });
  };
  const endChange = (): void => {
    add(change.old, "old");
    add(change.new, "new");
    change = { old: "", new: "" };
  };
  for (const { value: words, added, removed } of found) {
    const text = words.join("");
    const isChanging = change.old + change.new !== "";
    if (added || removed) {
      change = { old: change.old + space, new: change.new + space };
      space = "";
      change[added ? "new" : "old"] += text;
    } else {
      shared += text.length;
      if (isChanging && text.trim() === "") {
        space = text;
      } else {
        endChange();
        add(text);
      }
    }
  }
  endChange();
  add(space);
  return shared < MIN_SHARED * Math.max(old.length, value.length) ? undefined : parts;
}

/** The parts, of which long unchanged ones have only the words next to changes. */
export function shortenSame(parts: readonly TextPart[], around: number): readonly TextPart[] {
  return parts.map((part, index) => {
    const { text, side } = part;
    if (side !== undefined || text.length <= 2 * around) return part;
    const start = index === 0 ? "" : text.slice(0, around).replace(/\s+\S*$/, "");
    const end = index === parts.length - 1 ? "" : text.slice(-around).replace(/^\S*\s+(?=\S)/, "");
    return { text: `${start}…${end}`.toWellFormed() };
  });
}

/** Milliseconds for comparing two texts by line; two that take longer are shown in full. */
const TIMEOUT = 500;

/** Characters of an unchanged text that are shown next to a change. */
const AROUND = 30;

/**
 * The lines that differ, as `- old` and `+ new`; undefined if the texts cannot be compared in time. Of long unchanged
 * parts of these lines, only the beginning and the end are shown: `- …the wool of a sheep…`.
 *
 * @param old null if the text is new, and likewise `value`
 */
export function textChangeLines(
  old: string | null,
  value: string | null,
  styles: Styles,
): string[] | undefined {
  if (old === null || value === null) return runLines(old, value, styles);
  const runs = diffLines(old, value, { timeout: TIMEOUT });
  return runs?.flatMap(({ value: text, removed, added }, index) => {
    const before = runs[index - 1];
    if (added) return runLines(before?.removed ? before.value : null, text, styles);
    if (removed) return runs[index + 1]?.added ? [] : runLines(text, null, styles);
    return index === 0 || index === runs.length - 1 ? [] : [styles.dim("…")];
  });
}

/** The lines of a text that others replace; one of both may be missing. */
function runLines(old: string | null, value: string | null, styles: Styles): string[] {
  // A line break at the end is shown only if one of both has none.
  const isWhole = [old, value].every((text) => text?.endsWith("\n") ?? true);
  const end = isWhole ? -1 : undefined;
  const [one, other] = [old?.slice(0, end) ?? "", value?.slice(0, end) ?? ""];
  const compared = old === null || value === null ? undefined : compareWords(one, other);
  const all: readonly TextPart[] = [
    { text: one, side: "old" },
    { text: other, side: "new" },
  ];
  const parts = shortenSame(compared ?? all, AROUND);
  return [
    ...(old === null ? [] : signedLines(parts, "old", "-", styles.red)),
    ...(value === null ? [] : signedLines(parts, "new", "+", styles.green)),
  ];
}

/** One of both texts, each line with a sign, and with the parts of this text in color. */
function signedLines(
  parts: readonly TextPart[],
  side: "old" | "new",
  sign: string,
  color: (text: string) => string,
): string[] {
  const lines = markedText(parts, side, color).split("\n");
  return lines.map((line) => `${color(sign)} ${line}`);
}

/** Two short texts with the changed words in color: `"a b" → "a c"`; undefined if they have little in common. */
export function wordChange(
  old: string,
  value: string,
  styles: Styles,
  show: (text: string) => string,
): string | undefined {
  const parts = compareWords(old, value);
  if (parts === undefined) return undefined;
  const before = markedText(parts, "old", styles.red, show);
  return `"${before}" → "${markedText(parts, "new", styles.green, show)}"`;
}

/** One of both texts, with the parts of this text in color. @param show makes a line safe to show */
function markedText(
  parts: readonly TextPart[],
  side: "old" | "new",
  color: (text: string) => string,
  show = escapeLine,
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
