/** Finds the word that the user probably meant. */
import { distance, closest as nearest } from "fastest-levenshtein";
import { usageError } from "./errors.ts";

/**
 * The candidate that `word` is probably a misspelling of; undefined if there is none. Case and separators do not matter,
 * and one letter, a third of the letters, or the order of letters may differ: `curency` gives `currency`.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  if (candidates.length === 0) return undefined;
  const near = nearest(folded, candidates.map(fold));
  const length = Math.max(folded.length, near.length);
  const isSimilar = distance(folded, near) <= Math.max(length < 6 ? 1 : 2, Math.floor(length / 3));
  if (!isSimilar && sorted(folded) !== sorted(near)) return undefined;
  return candidates.find((candidate) => fold(candidate) === near);
}

/** `Did you mean "currency"?` for the candidate nearest to `word`, or else the other advice. */
export function suggest(word: string, candidates: readonly string[], otherwise?: string) {
  return formatSuggestion(closest(word, candidates), otherwise);
}

/** `Did you mean "currency"?` or `Did you mean --strict?` for a suggestion, or else the other advice. */
export function formatSuggestion(suggestion?: string, otherwise?: string): string | undefined {
  if (suggestion === undefined) return otherwise;
  return `Did you mean ${/^["-]/.test(suggestion) ? suggestion : `"${suggestion}"`}?`;
}

/** The choice that the user typed. @throws CatalogError of kind `usage`, with the problem and a suggestion */
export function requireChoice<Choice extends string>(
  word: string,
  choices: readonly Choice[],
  problem: string,
  otherwise?: string,
): Choice {
  const found = choices.find((choice) => choice === word);
  if (found !== undefined) return found;
  throw usageError(problem, suggest(word, choices, otherwise));
}

/** Whether a word differs from another by at most one letter in five. */
export function isNearlySame(word: string, other: string): boolean {
  const [one, two] = [fold(word), fold(other)];
  return distance(one, two) <= Math.max(one.length, two.length) / 5;
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

function fold(word: string): string {
  // A hostile file may contain a key of megabytes. No candidate is longer.
  const text = word.slice(0, 64).toLowerCase();
  return text.replace(/[\s_-]/g, "");
}
