/** Words that are lists: `a,b,c`. */
import { type Answer, begun, behind, type Candidate } from "./answer.ts";

/** Names that say enough. */
export function named(names: readonly string[]): Candidate[] {
  return names.map((value) => ({ value }));
}

/**
 * The answer for a list: its last entry is completed, and none is offered twice.
 *
 * @param candidates what an entry may become, given its text so far
 */
export function listed(typed: string, candidates: (entry: string) => readonly Candidate[]): Answer {
  const start = typed.lastIndexOf(",") + 1;
  const before = typed.slice(0, start);
  const taken = before.split(",").map((entry) => entry.trim());
  const free = candidates(typed.slice(start)).filter(({ value }) => !taken.includes(value));
  return behind(before, begun(free));
}
