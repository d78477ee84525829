/** Makes untrusted text safe to show, forms parts of sentences, and finds the word that the user probably meant. */

import { distance, closest as nearest } from "fastest-levenshtein";
import { usageError } from "./errors.ts";
import { commonEnds, memoize } from "./values.ts";

/**
 * The characters besides the control characters of ASCII that no output shows as they are, as part of a class: control
 * characters beyond ASCII; line separators, at which some terminals break; overrides, embeddings and isolates, which
 * show text in another order (U+202A to U+202E, U+2066 to U+2069); and byte order marks. Names in right-to-left
 * scripts need the marks of direction (U+061C, U+200E, U+200F), which are kept.
 */
const UNSAFE = "\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ufeff";

/** Invisible characters, as part of a class: `UNSAFE`, control characters except tabs and line breaks, and characters without width. */
const INVISIBLE = `\\0-\\x08\\x0b\\x0c\\x0e-\\x1f${UNSAFE}\\xad\\u180e\\u200b-\\u200d\\u2060-\\u206f\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}`;

/** Joiners and zero-width spaces in scripts from Hebrew to Khmer and Mongolian; and parts of emoji. */
const NEEDED = [
  "[\\u200b-\\u200d](?:(?=[\\u0590-\\u1fff])|(?<=[\\u0590-\\u1fff].))",
  "\\u200d(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?.)(?=\\p{Extended_Pictographic})",
  "[\\u{e0020}-\\u{e007f}](?<=\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{1,9})",
];

// Functions, because compiling these takes a noticeable part of the time of a short command.
/** Matches every invisible character. The first group matches those that scripts and emoji need. */
const invisible = memoize(() => new RegExp(`(${NEEDED.join("|")})|[${INVISIBLE}]`, "gu"));
const invisibleInLine = memoize(
  () => new RegExp(`(${NEEDED.join("|")})|[\\t\\n\\r${INVISIBLE}]`, "gu"),
);
/** Matches what no output shows as it is, and the characters that YAML allows in no text. */
const unsafeInJson = memoize(() => new RegExp(`[${UNSAFE}\\ufffe\\uffff]`, "gu"));

/** The invisible characters that a text does not need, one by one: a list of millions would fill the memory. */
export function* invisibleCharacters(text: string): Generator<RegExpExecArray, void> {
  for (const found of text.matchAll(invisible())) if (found[1] === undefined) yield found;
}

const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Text for people on one line: control characters, what reorders text, and invisible characters are escapes such as `\x1b`,
 * `\u202e` and `\u200b`. A user might delete the wrong one of two courses whose names look the same.
 */
export function escapeLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(invisibleInLine(), (found, needed?: string) => needed ?? escapeOf(found));
}

/** Text for people with its line breaks kept. */
export function escapeText(text: string): string {
  return text.split(/\r?\n/).map(escapeLine).join("\n");
}

function escapeOf(character: string): string {
  const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : jsonEscape(character);
}

function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * JSON, or YAML with such characters only in double quotes, in which what must not reach a terminal or a log is an escape
 * such as `\u202e`: the same data. JSON itself escapes the controls of ASCII. The log of a CI service would execute
 * `##vso[` (Azure Pipelines), `##teamcity[` and `##[` anywhere, and `::` at the beginning of a line (GitHub).
 */
export function escapeJson(json: string): string {
  const commands = /#(?=#\w*\[)|:(?=:)(?<=^\s*:)/gm;
  return json.replace(commands, jsonEscape).replace(unsafeInJson(), jsonEscape);
}

/** A value as JSON that is safe to show. */
export function safeJson(value: unknown, indent: string | number = 0): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** A field of tab-separated text: on one line, with escapes. A backslash is doubled, so that it begins no escape. */
export function escapeField(text: string): string {
  const escaped = text.replace(/[\\\t\n\r]/g, (found) =>
    found === "\\" ? "\\\\" : escapeOf(found),
  );
  return escaped.replace(/\p{Cc}/gu, jsonEscape).replace(unsafeInJson(), jsonEscape);
}

/** The text with every control character as an escape, but tabs and line breaks as they are. */
export function escapeControls(text: string): string {
  return escapeJson(text.replace(/(?![\t\n]|\r\n)\p{Cc}/gu, jsonEscape));
}

/** The text for comparisons that ignore case. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** A whole number with thousands separators: `12,345`. */
export function formatNumber(amount: number): string {
  // toLocaleString loads locale data, which takes long.
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The text; if it has more than `most` characters, only its start and `…`. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not split a surrogate pair.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The name, shortened so that it fits into a sentence. */
export function truncate(name: string): string {
  return cutText(name, 200);
}

/** A value as JSON, shortened as `truncate` does, as text for people. */
export function truncateJson(value: unknown): string {
  return escapeLine(truncate(JSON.stringify(value)));
}

/** A count with its noun: `1 course`, `3 courses`. */
export function pluralize(amount: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(amount)} ${amount === 1 ? singular : plural}`;
}

/** Names as a list in a sentence; if there are more than ten, only the first ones: `a, b and 3 more`. */
export function listSome(names: readonly string[]): string {
  const rest = names.length - 10;
  return joinList(rest > 0 ? [...names.slice(0, -rest), `${rest} more`] : names, "and");
}

/** The words as a list in a sentence: `a, b or c`. */
export function joinList(words: readonly string[], conjunction = "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words[words.length - 1]}`;
}

/** The entries of a list such as `a, b,c` that are not empty. */
export function splitList(text: string, separator: string | RegExp = ","): string[] {
  const entries = text.split(separator).map((entry) => entry.trim());
  return entries.filter((entry) => entry !== "");
}

/** A word as a POSIX shell reads it. */
export function quoteShell(word: string): string {
  return /^[\w./+@:%,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A copy of a string. A slice would keep the complete string in memory. */
export function copyString(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

/**
 * The candidate that `word` is probably a misspelling of; undefined if there is none. Case and separators do not matter,
 * and one letter, a third of the letters, or the order of letters may differ: `curency` gives `currency`.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  if (candidates.length === 0) return undefined;
  const near = nearest(folded, candidates.map(fold));
  const length = Math.max(folded.length, near.length);
  const isSimilar = distance(folded, near) <= Math.max(length < 6 ? 1 : 2, Math.floor(length / 3));
  if (!isSimilar && sorted(folded) !== sorted(near)) return undefined;
  return candidates.find((candidate) => fold(candidate) === near);
}

/**
 * The only candidate that `word` can mean: in another case, with other separators, or with one letter more, less or
 * swapped with the next one. `single-course` gives `single_course`; `unpaid` is not a slip of `paid`.
 */
export function findSlip(word: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((candidate) => isSlip(fold(word), fold(candidate)));
  return found.length === 1 ? found[0] : undefined;
}

function isSlip(one: string, other: string): boolean {
  const { start, end } = commonEnds(one.split(""), other.split(""), Object.is);
  const [left = "", right = ""] = [one, other].map((each) => each.slice(start, each.length - end));
  const isSwapped = left.length === 2 && right === left.charAt(1) + left.charAt(0);
  return left.length + right.length <= 1 || isSwapped;
}

/** `Did you mean "currency"?` for the candidate nearest to `word`, or else the other advice. */
export function suggest(word: string, candidates: readonly string[], otherwise?: string) {
  return formatSuggestion(closest(word, candidates), otherwise);
}

/** `Did you mean "currency"?` or `Did you mean --strict?` for a suggestion, or else the other advice. */
export function formatSuggestion(suggestion?: string, otherwise?: string): string | undefined {
  if (suggestion === undefined) return otherwise;
  return `Did you mean ${/^["-]/.test(suggestion) ? suggestion : `"${suggestion}"`}?`;
}

/** The choice that the user typed. @param what `--format` @throws CatalogError of kind `usage`, with a suggestion */
export function requireChoice<Choice extends string>(
  word: string,
  choices: readonly Choice[],
  what: string,
  otherwise?: string,
): Choice {
  const found = choices.find((choice) => choice === word);
  if (found !== undefined) return found;
  const problem = `${what} must be ${joinList(choices)}, not ${truncateJson(word)}`;
  throw usageError(problem, suggest(word, choices, otherwise));
}

/** Whether a word differs from another by at most one letter in five. */
export function isNearlySame(word: string, other: string): boolean {
  const [one, two] = [fold(word), fold(other)];
  return distance(one, two) <= Math.max(one.length, two.length) / 5;
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

function fold(word: string): string {
  // A hostile file may contain a key of megabytes. No candidate is longer.
  const text = word.slice(0, 64).toLowerCase();
  return text.replace(/[\s_-]/g, "");
}
