/** Finds the word that was probably meant. */
import { distance } from "fastest-levenshtein";

/**
 * The candidate nearest to `word`, if one is near enough to be worth saying: equal but for case and
 * separators, or with at most two of its letters, or a third of them, changed. Undefined otherwise.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const changes = distance(folded, fold(candidate));
    if (changes < fewest) {
      fewest = changes;
      best = candidate;
    }
  }
  const length = Math.min(Math.max(word.length, best?.length ?? 0), LONGEST);
  // Two letters in the wrong order are two changes.
  const allowed = length < 4 ? 1 : Math.max(2, Math.floor(length / 3));
  return fewest <= allowed ? best : undefined;
}

/** A hostile file may hold a key of megabytes; no candidate is longer than this. */
const LONGEST = 64;

function fold(word: string): string {
  return word
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[\s_-]/g, "");
}
