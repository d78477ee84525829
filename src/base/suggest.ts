/** Finds the word that was probably intended. */
import { distance, closest as nearest } from "fastest-levenshtein";
import { usageError } from "./errors.ts";

/**
 * The candidate nearest to `word`, if one is near enough: equal apart from case and separators, with
 * one letter or a third of them changed or two swapped, or the only one with `word` as one of its
 * parts (`image` of `image_url`). Undefined otherwise.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  const near = nearest(folded, candidates.map(fold));
  const best = candidates.find((candidate) => fold(candidate) === near);
  if (best !== undefined && isMisspelling(word, best)) return best;
  const containing = candidates.filter((candidate) => partsOf(candidate).includes(folded));
  return folded.length >= SHORTEST_PART && containing.length === 1 ? containing[0] : undefined;
}

/** `Did you mean x?` for the candidate nearest to `word`, otherwise the other advice. */
export function suggest<Other extends string | undefined>(
  word: string,
  candidates: readonly string[],
  otherwise: Other,
): string | Other {
  return formatSuggestion(closest(word, candidates), otherwise);
}

/** `Did you mean x?` for a suggestion, otherwise the other advice. */
export function formatSuggestion<Other extends string | undefined>(
  suggestion: string | undefined,
  otherwise: Other,
): string | Other {
  return suggestion === undefined ? otherwise : `Did you mean ${suggestion}?`;
}

/** The list of all candidates, after the one nearest to `word` if there is one. */
export function suggestFrom(word: string, candidates: readonly string[], list: string): string {
  const found = closest(word, candidates);
  return found === undefined ? list : `Did you mean ${found}? ${list}`;
}

/** The choice that a user has typed. @throws CatalogError of kind `usage` with that problem */
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

/** Whether a word is a misspelling of a candidate, not only a part of it. */
export function isMisspelling(word: string, candidate: string): boolean {
  const [one, other] = [fold(word), fold(candidate)];
  const changes = distance(one, other);
  const length = Math.max(one.length, other.length);
  if (changes <= (length < 6 ? 1 : Math.max(2, Math.floor(length / 3)))) return true;
  // Two swapped letters count as two changes.
  return changes === 2 && one.length > 2 && sorted(one) === sorted(other);
}

const SHORTEST_PART = 4;

function partsOf(candidate: string): string[] {
  return candidate.toLowerCase().split(/[\s_.-]/);
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

/** A hostile file may contain a key of megabytes; no candidate is longer than this. */
const LONGEST = 64;

function fold(word: string): string {
  return word
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[\s_-]/g, "");
}
