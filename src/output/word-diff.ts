/** Compares two texts word by word, in any language. */
import { diffArrays } from "diff";
import { memoize } from "../base/values.ts";

/** A part of a text, and whether the other text does not have it. */
export interface TextPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** More differences are another text, and take long to find. */
const MOST_EDITS = 200;
/** Of texts that share less than this part of their letters, marks would be on nearly every word. */
const LEAST_SHARED = 0.3;

/** Words, and what is between them, also in languages without spaces. */
const segmenter = memoize(() => new Intl.Segmenter("en", { granularity: "word" }));

function wordsOf(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/** Both texts in parts; undefined if they have too little in common for a comparison to help. */
export function compareWords(
  old: string,
  value: string,
): { readonly old: readonly TextPart[]; readonly new: readonly TextPart[] } | undefined {
  const parts = diffArrays(wordsOf(old), wordsOf(value), { maxEditLength: MOST_EDITS });
  if (parts === undefined) return undefined;
  const sides = { old: [] as TextPart[], new: [] as TextPart[] };
  let shared = 0;
  for (const { value: words, added, removed } of parts) {
    const text = words.join("");
    const isChanged = added || removed;
    if (!isChanged) shared += text.length;
    if (!added) sides.old.push({ text, isChanged });
    if (!removed) sides.new.push({ text, isChanged });
  }
  return shared < LEAST_SHARED * Math.max(old.length, value.length) ? undefined : sides;
}
