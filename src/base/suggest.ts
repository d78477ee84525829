/** Finds the word that was probably meant. */
import { distance } from "fastest-levenshtein";

/**
 * The candidate nearest to `word`, if one is near enough to be worth saying: equal but for case and
 * separators, or with at most a third of its letters changed. Undefined otherwise.
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
  const allowed = Math.max(1, Math.floor(Math.max(word.length, best?.length ?? 0) / 3));
  return fewest <= allowed ? best : undefined;
}

function fold(word: string): string {
  // A hostile file may hold a key of megabytes; no candidate is longer than this.
  return word.slice(0, 64).toLowerCase().replace(/[\s_-]/g, "");
}
