/** Finds the word that the user probably meant. */
import { distance, closest as nearest } from "fastest-levenshtein";
import { usageError } from "./errors.ts";

/**
 * The candidate that `word` probably means; undefined if none is near enough. Case and separators do not matter,
 * and one letter, a third of the letters, or the order of two letters may differ: `curency` gives `currency`. A
 * part of only one candidate also counts: `image` gives `image_url`.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  const near = nearest(folded, candidates.map(fold));
  const best = candidates.find((candidate) => fold(candidate) === near);
  if (best !== undefined && isMisspelling(word, best)) return best;
  const containing = candidates.filter((candidate) => partsOf(candidate).includes(folded));
  return folded.length > 3 && containing.length === 1 ? containing[0] : undefined;
}

/** `Did you mean "currency"?` for the candidate nearest to `word`, or else the other advice. */
export function suggest<Other extends string | undefined>(
  word: string,
  candidates: readonly string[],
  otherwise: Other,
): string | Other {
  return formatSuggestion(closest(word, candidates), otherwise);
}

/** `Did you mean "currency"?` or `Did you mean --strict?` for a suggestion, or else the other advice. */
export function formatSuggestion<Other extends string | undefined>(
  suggestion: string | undefined,
  otherwise: Other,
): string | Other {
  if (suggestion === undefined) return otherwise;
  return `Did you mean ${/^["-]/.test(suggestion) ? suggestion : `"${suggestion}"`}?`;
}

/** Advice that lists all candidates, after a suggestion if there is one. */
export function suggestFrom(word: string, candidates: readonly string[], list: string): string {
  const suggestion = suggest(word, candidates, undefined);
  return suggestion === undefined ? list : `${suggestion} ${list}`;
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

/** Whether a word is a misspelling of a candidate; a part of the candidate is not. */
export function isMisspelling(word: string, candidate: string): boolean {
  const [one, other] = [fold(word), fold(candidate)];
  const length = Math.max(one.length, other.length);
  if (distance(one, other) <= (length < 6 ? 1 : Math.max(2, Math.floor(length / 3)))) return true;
  // Two swapped letters count as two changes.
  const moved = [...one].filter((letter, index) => letter !== other[index]);
  return moved.length === 2 && length > 2 && sorted(one) === sorted(other);
}

/** Whether a word differs from another by at most one letter in five. */
export function isNearlySame(word: string, other: string): boolean {
  const [one, two] = [fold(word), fold(other)];
  const most = Math.max(one.length, two.length) / 5;
  return Math.abs(one.length - two.length) <= most && distance(one, two) <= most;
}

function partsOf(candidate: string): string[] {
  return candidate.toLowerCase().split(/[\s_.-]/);
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

function fold(word: string): string {
  // A hostile file may contain a key of megabytes. No candidate is longer.
  return word
    .slice(0, 64)
    .toLowerCase()
    .replace(/[\s_-]/g, "");
}
