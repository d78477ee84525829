/** Builds the problems of texts: what a parser refuses, and keys that one object has twice. */
import { truncate } from "../base/text.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { MAX_FINDINGS } from "./limits.ts";
import { findCourses, type Parsed } from "./parsed.ts";
import { oneAt, type PlacedNode, type Span } from "./position.ts";

/** A problem of a text that its parser refuses. */
export function syntaxProblem(format: "YAML" | "JSON", message: string, span: Span): Problem {
  return textProblem("syntax", `not valid ${format}: ${message}`, span);
}

/** What is said of a text about which nothing more is known. */
export const UNCLEAR = "check the quotes, brackets, commas and indentation here";

/** The problem of a duplicate key whose position is not known, because the text is too long for the parser. */
const DUPLICATE = textProblem("duplicate-key", "an object has a key twice", oneAt(0));

type Places = Pick<Parsed, "documents" | "place">;

/** The problems of keys that an object has twice. @param isKnown whether there are such keys */
export async function findDuplicates(parsed: Places, isKnown: boolean): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const course of findCourses(parsed)) addDuplicates(problems, await parsed.place(course));
  return isKnown && problems.length === 0 ? [DUPLICATE] : problems;
}

function addDuplicates(problems: Problem[], { entries = [], items = [] }: PlacedNode): void {
  if (problems.length >= MAX_FINDINGS) return;
  const names = new Set<string>();
  for (const { name, key, value } of entries) {
    const message = `duplicate key ${JSON.stringify(truncate(name))}`;
    if (names.has(name)) problems.push(textProblem("duplicate-key", message, key));
    names.add(name);
    addDuplicates(problems, value);
  }
  for (const item of items) addDuplicates(problems, item);
}
