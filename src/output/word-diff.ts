/** Compares two texts word by word, in any language: for pages, and for differences on a terminal. */
import { diffArrays } from "diff";
import { splitWords } from "../base/text.ts";

/** A part of both texts, or of one of them. */
export interface TextPart {
  readonly text: string;
  /** The text that has the part; absent if both have it. */
  readonly side?: "old" | "new";
}

/** The most differences between two texts that are compared: finding more takes long. */
const MAX_EDITS = 200;
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
  const found = diffArrays(splitWords(old), splitWords(value), { maxEditLength: MAX_EDITS });
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
