/**
 * The rules for texts that people write: names, titles and descriptions, at any path of a course. For example,
 * `Knitting ` as a name has the problem `name has spaces at its beginning or end`.
 */
import { invisibleCharacters, truncateJson, withoutInvisible } from "../base/text.ts";
import { type FoundValue, memoize } from "../base/values.ts";
import { isFreeText } from "./fields.ts";
import { repairMojibake } from "./mojibake.ts";
import { isUnfilled, STILL_PLACEHOLDER } from "./placeholders.ts";
import { type Fault, type Problem, problemOf } from "./problem.ts";

/** Whether a string may have a problem: characters beyond ASCII, untidy spaces, or a part to fill in. A fast test. */
export function isSuspectText(value: unknown): value is string {
  return typeof value === "string" && /[^\n\x20-\x7e]|^\s|\s\s|\s$|\{\{|\$\{|\[object /.test(value);
}

/** Keys whose values are for programs, not text. */
const CODES: readonly unknown[] = ["id", "key", "slug"];

/**
 * The problems of a string: of any, half a character (RFC 7493, section 2.1) or a placeholder of a template; of a text
 * that people write, the others. All but mojibake check the repaired text, so that a repair breaks no other rule.
 */
export function textProblems({ path, value }: FoundValue<string>): Problem[] {
  const unusable = halfCharacter(value) ?? unfilled(value);
  if (unusable !== undefined) return [problemOf(unusable, path)];
  const name = path.at(-1);
  if (!isFreeText(path) || CODES.includes(name)) return [];
  const repaired = repairMojibake(value);
  const text = repaired ?? value;
  const faults = [
    repaired === undefined ? undefined : damaged(value, repaired),
    name === "name" || name === "title" ? untidySpaces(text) : undefined,
    invisible(text),
  ];
  return faults.flatMap((fault) => (fault === undefined ? [] : problemOf(fault, path)));
}

function halfCharacter(value: string): Fault | undefined {
  // With the flag u, a surrogate matches only without its other half.
  const [half] = /\p{Cs}/u.exec(value) ?? [];
  if (half === undefined) return undefined;
  const text = `contains half of a character (\\u${half.charCodeAt(0).toString(16)}); write the complete character`;
  return { rule: "lone-surrogate", text };
}

function unfilled(value: string): Fault | undefined {
  return isUnfilled(value) ? { rule: "placeholder", text: STILL_PLACEHOLDER } : undefined;
}

/** A fault that only the fixed text has not. */
function fixable(rule: Fault["rule"], text: string, fixed: string): Fault {
  return { rule, text, suggestion: fixed, fixed };
}

function damaged(value: string, repaired: string): Fault {
  let start = 0;
  while (value[start] === repaired[start]) start++;
  const word = /\S{0,20}$/.exec(value.slice(0, start))?.index ?? start;
  const [before, after] = [value, repaired].map((text) => {
    return truncateJson(/^\S{0,40}/.exec(text.slice(word))?.[0]);
  });
  const text = `was damaged by a wrong encoding: ${before} should be ${after}`;
  return fixable("mojibake", text, repaired);
}

function untidySpaces(name: string): Fault | undefined {
  // For JavaScript, a byte order mark is also a space. It has another rule.
  if (name.includes("\ufeff")) return undefined;
  const trimmed = name.trim();
  // An ideographic space is as wide as a letter.
  const fixed = trimmed.replace(/\s{2,}/g, (run) => (run.includes("\u3000") ? "\u3000" : " "));
  if (fixed === name || fixed === "") return undefined;
  const place = trimmed === name ? "several spaces in a row" : "spaces at its beginning or end";
  return fixable("spaces", `has ${place}`, fixed);
}

/** Embeddings and isolates of text in two directions. Overrides are not among them: they reverse text. */
const DIRECTION = /[\u202a-\u202c\u2066-\u2069]/;
const rightToLeft = memoize(
  () => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u,
);

/** Invisible characters with their names. Deleting them changes nothing visible. */
const NAMES: Readonly<Record<string, string>> = {
  "\xad": "a soft hyphen",
  "\u200b": "a zero-width space",
  "\u2060": "a word joiner",
  "\ufeff": "a byte order mark",
};

function invisible(text: string): Fault | undefined {
  const isRightToLeft = rightToLeft().test(text);
  let first: RegExpExecArray | undefined;
  let isCertain = true;
  for (const found of invisibleCharacters(text)) {
    const [one] = found;
    if (isRightToLeft && DIRECTION.test(one)) continue;
    first ??= found;
    isCertain = Object.hasOwn(NAMES, one);
    if (!isCertain) break;
  }
  if (first === undefined) return undefined;
  const [character] = first;
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const before = text.slice(Math.max(0, first.index - 20), first.index);
  const shown = truncateJson(before.replace(/^[\udc00-\udfff]/, ""));
  const place = before === "" ? "at its beginning" : `after ${shown}`;
  const name = NAMES[character] ?? "an invisible character";
  const fixed = isCertain ? withoutInvisible(text) : undefined;
  const message = `contains ${name} (U+${code}) ${place}; delete it`;
  return { rule: "invisible", text: message, suggestion: fixed, fixed };
}
