/**
 * The rules for texts that people write: names, titles and descriptions, at any path of a course. For example,
 * `Knitting ` as a name has the problem `name has spaces at its beginning or end`.
 */
import { invisibleCharacters, truncateJson, withoutInvisible } from "../base/text.ts";
import { type FoundValue, memoize, type Path } from "../base/values.ts";
import { isFreeText } from "./fields.ts";
import { repairMojibake } from "./mojibake.ts";
import type { Problem } from "./problem.ts";
import { STILL_PLACEHOLDER } from "./string-formats.ts";
import { LONGEST_SUGGESTION, problem } from "./zod-problems.ts";

/** What is wrong with a text: a clause that follows its path. */
interface TextFault extends Pick<Problem, "rule" | "severity"> {
  readonly text: string;
  /** The automatic fix: the text without the problem. */
  readonly fixed?: string | undefined;
}

/** Whether a string may have a problem: characters beyond ASCII, untidy spaces, or a part to fill in. A fast test. */
export function isSuspectText(value: unknown): value is string {
  return typeof value === "string" && /[^\n\x20-\x7e]|^\s|\s\s|\s$|\{\{|\$\{|\[object /.test(value);
}

/** What a template or a program leaves where it had no value. */
const UNFILLED = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[object Object\]/g;

/** Whether a value, or a part of a url, was never filled in: `{{ name }}`, `https://academy.example/${slug}`. */
function isUnfilled(value: string): boolean {
  const left = value.replace(UNFILLED, "");
  return left !== value && (left.trim() === "" || /^https?:/i.test(value));
}

/**
 * The problems of a string: of any, half a character (RFC 7493, section 2.1) or a placeholder of a template; of a text
 * that people write, the others.
 */
export function textProblems({ path, value }: FoundValue<string>): Problem[] {
  // With the flag u, a surrogate matches only without its other half.
  const [half] = /\p{Cs}/u.exec(value) ?? [];
  if (half !== undefined) {
    const text = `contains half of a character (\\u${half.charCodeAt(0).toString(16)}); write the complete character`;
    return [problem({ rule: "lone-surrogate", path }, text)];
  }
  if (isUnfilled(value)) return [problem({ rule: "placeholder", path }, STILL_PLACEHOLDER)];
  if (!isFreeText(path) || CODES.includes(path.at(-1))) return [];
  return faultsOf(value, path).map((fault) => problemOf(fault, path));
}

/** Keys whose values are for programs, not text. */
const CODES: readonly unknown[] = ["id", "key", "slug"];

/** All rules but mojibake check the repaired text, so that a repair cannot break another rule. */
function faultsOf(value: string, path: Path): TextFault[] {
  const repaired = repairMojibake(value);
  const text = repaired ?? value;
  const faults = [
    repaired === undefined ? undefined : damaged(value, repaired),
    path.at(-1) === "name" || path.at(-1) === "title" ? untidySpaces(text) : undefined,
    invisible(text),
  ];
  return faults.filter((fault) => fault !== undefined);
}

function problemOf({ text, fixed, ...facts }: TextFault, path: Path): Problem {
  const isShort = fixed !== undefined && fixed.length <= LONGEST_SUGGESTION;
  const fix = fixed === undefined ? undefined : { path, value: fixed };
  return problem({ ...facts, path, suggestion: isShort ? fixed : undefined, fix }, text);
}

/** How many characters a message shows before the damaged or invisible character. */
const LONGEST_BEFORE = 20;

function damaged(value: string, repaired: string): TextFault {
  let start = 0;
  while (value[start] === repaired[start]) start++;
  const spaces = ["\t", "\n", "\r", " "].map((space) => value.lastIndexOf(space, start));
  const word = Math.max(...spaces, start - LONGEST_BEFORE) + 1;
  const [before, after] = [value, repaired].map((text) => quoteWord(text.slice(word)));
  const text = `was damaged by a wrong encoding: ${before} should be ${after}`;
  return { rule: "mojibake", severity: "error", text, fixed: repaired };
}

function quoteWord(text: string): string {
  return truncateJson(/^[^\t\n\r ]{0,40}/.exec(text)?.[0]);
}

function untidySpaces(name: string): TextFault | undefined {
  // For JavaScript, a byte order mark is also a space. It has another rule.
  if (name.includes("\ufeff")) return undefined;
  const trimmed = name.trim();
  // An ideographic space is as wide as a letter.
  const fixed = trimmed.replace(/\s{2,}/g, (run) => (run.includes("\u3000") ? "\u3000" : " "));
  if (fixed === name || fixed === "") return undefined;
  const text =
    trimmed === name ? "has several spaces in a row" : "has spaces at its beginning or end";
  return { rule: "spaces", severity: "warning", text, fixed };
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

function invisible(text: string): TextFault | undefined {
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
  const before = text
    .slice(Math.max(0, first.index - LONGEST_BEFORE), first.index)
    .replace(/^[\udc00-\udfff]/, "");
  const place = before === "" ? "at its beginning" : `after ${truncateJson(before)}`;
  return {
    rule: "invisible",
    severity: "warning",
    text: `contains ${NAMES[character] ?? "an invisible character"} (U+${code}) ${place}; delete it`,
    fixed: isCertain ? withoutInvisible(text) : undefined,
  };
}
