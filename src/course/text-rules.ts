/**
 * The rules for texts that people write: names, titles and descriptions, at any path of a course. For example,
 * `Knitting ` as a name has the problem `name has spaces at its beginning or end`.
 */
import { invisibleCharacters, truncateJson } from "../base/text.ts";
import type { FoundValue, Path } from "../base/values.ts";
import { isFreeText } from "./fields.ts";
import { repairMojibake } from "./mojibake.ts";
import { isUnfilled, STILL_PLACEHOLDER } from "./placeholders.ts";
import { type Problem, problemAt, type RuleId } from "./problem.ts";

/** Whether a string may have a problem: characters beyond ASCII, spaces at an end, or a part to fill in. A fast test. */
export function isSuspectText(value: unknown): value is string {
  return typeof value === "string" && /[^\n\x20-\x7e]|^\s|\s$|\{\{|\$\{|\[object /.test(value);
}

/** Keys whose values are for programs, not text. */
const CODES: readonly unknown[] = ["id", "key", "slug"];

/**
 * The problems of a string: of any, half a character (RFC 7493, section 2.1) or a placeholder of a template; of a text
 * that people write, the others. All but mojibake check the repaired text, so that a repair breaks no other rule.
 */
export function* textProblems({ path, value }: FoundValue<string>): Generator<Problem> {
  // With the flag u, a surrogate matches only without its other half.
  if (/\p{Cs}/u.test(value)) {
    const text =
      "contains half of a character (an unpaired surrogate); write the complete character";
    yield problemAt(path, "lone-surrogate", text);
    return;
  }
  if (isUnfilled(value)) {
    yield problemAt(path, "placeholder", STILL_PLACEHOLDER);
    return;
  }
  const name = path.at(-1);
  if (!isFreeText(path) || CODES.includes(name)) return;
  const text = repairMojibake(value) ?? value;
  if (text !== value) yield fixable(path, "mojibake", "was damaged by a wrong encoding", text);
  const trimmed = text.trim();
  // A byte order mark, which `trim` removes, has another rule.
  if (
    (name === "name" || name === "title") &&
    trimmed !== "" &&
    /^[^\S\ufeff]|[^\S\ufeff]$/.test(text)
  ) {
    yield fixable(path, "spaces", "has spaces at its beginning or end", trimmed);
  }
  yield* invisible(path, text);
}

/** A problem that only the fixed text has not. */
function fixable(path: Path, rule: RuleId, text: string, fixed: string): Problem {
  return problemAt(path, rule, text, { suggestion: fixed, fix: { path, value: fixed } });
}

/** Embeddings and isolates of text in two directions. Overrides are not among them: they reverse text. */
const DIRECTION = /[\u202a-\u202c\u2066-\u2069]/;

/** The first invisible character that the text does not need. */
function* invisible(path: Path, text: string): Generator<Problem> {
  for (const { 0: character, index } of invisibleCharacters(text)) {
    if (DIRECTION.test(character)) continue;
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    const before = truncateJson(text.slice(Math.max(0, index - 20), index));
    const message = `contains the invisible character U+${code} after ${before}; delete it`;
    yield problemAt(path, "invisible", message);
    return;
  }
}
