/** Builds the problems of texts: what a parser refuses, and keys that one object has twice. */
import { truncate } from "../base/text.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { findCourses, type Parsed, type Positions, type TextProblem } from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

/** The problems of keys that one object has twice, by the positions of the courses. */
export function findDuplicateKeys(
  parsed: Pick<Parsed, "documents">,
  { place }: Positions,
): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const search = ({ entries = [], items = [], isAlias }: PlacedNode): void => {
    // The value with the anchor is searched at its own place.
    if (isAlias === true || problems.length >= MAX_FINDINGS) return;
    const first = new Map<string, Span>();
    for (const { name, key, value } of entries) {
      const earlier = first.get(name);
      const message = `duplicate key ${JSON.stringify(truncate(name))}`;
      if (earlier === undefined) first.set(name, key);
      else problems.push({ rule: "duplicate-key", message, span: key, earlier });
      search(value);
    }
    for (const item of items) search(item);
  };
  for (const course of findCourses(parsed)) search(place(course) ?? { span: { start: 0, end: 0 } });
  return problems;
}

/** The problem of a duplicate key whose position is not found, because the text is too long for the parser. */
export const UNPLACED_DUPLICATE: TextProblem = {
  rule: "duplicate-key",
  message: "an object has the same key twice",
  span: { start: 0, end: 1 },
};

/** A problem of a text that its parser refuses. */
export function syntaxProblem(format: "YAML" | "JSON", message: string, span: Span): TextProblem {
  return { rule: "syntax", message: `not valid ${format}: ${message}`, span };
}
