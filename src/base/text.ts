/** Makes untrusted text safe to show, and forms parts of sentences. */
import { memoize } from "./values.ts";

/**
 * The characters besides the control characters of ASCII that no output shows as they are, as part of a
 * class: control characters beyond ASCII; line separators, at which some terminals break; overrides,
 * embeddings and isolates, which show text in another order (U+202A to U+202E, U+2066 to U+2069); and
 * byte order marks. Names in right-to-left scripts need the marks of direction (U+061C, U+200E, U+200F),
 * and several scripts and emoji need joiners: both are kept.
 */
export const UNSAFE = "\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ufeff";

// Functions, because compiling these takes a noticeable part of the time of a short command.
const unsafe = memoize(() => new RegExp(`[\\x00-\\x1f${UNSAFE}]`, "gu"));
/** With what YAML allows in no text. */
const unsafeInJson = memoize(() => new RegExp(`[${UNSAFE}\\ufffe\\uffff]`, "gu"));

const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/** The text on one line, every control character written as an escape such as `\x1b` or `\u202e`. */
export function escapeLine(text: string): string {
  return PLAIN.test(text) ? text : text.replace(unsafe(), escapeOf);
}

/** The text with its line breaks kept and every other control character written as an escape. */
export function escapeText(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text
    .replace(/\r\n/g, "\n")
    .replace(unsafe(), (character) => (character === "\n" ? character : escapeOf(character)));
}

/**
 * The text on one line, in which invisible characters are also escapes: of two names that look the same,
 * the wrong one might be deleted. Emoji and marks of direction are kept.
 */
export function escapeName(text: string): string {
  if (PLAIN.test(text)) return text;
  const invisible =
    /((?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\d#*])\ufe0f(?=\u20e3)|[\u061c\u200e\u200f])|\p{Default_Ignorable_Code_Point}/gu;
  return escapeLine(text).replace(
    invisible,
    (character, kept: string | undefined) => kept ?? escapeOf(character),
  );
}

function escapeOf(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : jsonEscape(character);
}

/**
 * JSON, or YAML with such characters only in double quotes, in which characters that must not reach a
 * terminal are escapes such as `\u202e`: the same data. JSON itself escapes the controls of ASCII.
 */
export function escapeJson(json: string): string {
  return isSafeJson(json) ? json : json.replace(unsafeInJson(), jsonEscape);
}

/** Whether `escapeJson` leaves a text as it is. */
export function isSafeJson(json: string): boolean {
  // For a long text, the first of both takes more time than compiling the other.
  return (json.length < LONG && PLAIN_LINES.test(json)) || json.search(unsafeInJson()) === -1;
}

const LONG = 10_000;

/** A value as JSON that is safe to show. */
export function safeJson(value: unknown, indent: string | number = 0): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** A field of tab-separated text: on one line, with escapes that a doubled backslash cannot be taken for. */
export function escapeField(text: string): string {
  const isPlain = PLAIN.test(text) && !text.includes("\\");
  return isPlain ? text : escapeJson(text.replace(/[\\\p{Cc}]/gu, fieldEscape));
}

/** The text with every control character as an escape, but tabs and line breaks as they are. */
export function escapeControls(text: string): string {
  return escapeJson(text.replace(/(?![\t\n]|\r\n)\p{Cc}/gu, jsonEscape));
}

function fieldEscape(character: string): string {
  if (character === "\\") return "\\\\";
  return /[\t\n\r]/.test(character) ? escapeOf(character) : jsonEscape(character);
}

function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
  return cutText(name, LONGEST_NAME);
}

const LONGEST_NAME = 200;

/** A value as JSON, shortened as `truncate` does, with invisible characters as escapes. */
export function truncateJson(value: unknown): string {
  return escapeName(truncate(JSON.stringify(value)));
}

/** A count with its noun: `1 course`, `3 courses`. */
export function pluralize(amount: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(amount)} ${amount === 1 ? singular : plural}`;
}

/** Names as a list in a sentence; if there are many, only the first ones: `a, b and 3 more`. */
export function listSome(names: readonly string[], most = MAX_LISTED): string {
  const rest = names.length - most;
  return joinList(rest > 0 ? [...names.slice(0, most), `${rest} more`] : names, "and");
}

const MAX_LISTED = 5;

/** The words as a list in a sentence: `a, b or c`. */
export function joinList(words: readonly string[], conjunction = "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words[words.length - 1]}`;
}

/** The entries of a list such as `a, b,c` that are not empty. */
export function splitList(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
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

const segmenter = memoize(() => new Intl.Segmenter("en", { granularity: "word" }));

/** Spaces, and pieces of other text: the segmenter's time grows with the square of the length. */
const PIECES = /\s+|\S{1,500}/gu;
/** Words of ASCII, as the segmenter finds them: `network.py`, `49,00`, and each other character. */
const ASCII_WORDS = /\w+(?:[.,']\w+)*|\W/g;

/** The words of a text and what separates them. Some languages have no spaces: `学Python` is `学`, `Python`. */
export function splitWords(text: string): string[] {
  return (text.match(PIECES) ?? []).flatMap((piece) => {
    if (/^[!-~]+$/.test(piece)) return piece.match(ASCII_WORDS) ?? [];
    if (/^\s/.test(piece)) return [piece];
    return Array.from(segmenter().segment(piece), ({ segment }) => segment);
  });
}

/** How `wrapText` measures text, and how it breaks a word that is longer than a line. */
export interface WrapOptions {
  /** The columns that a string takes; its length if omitted. */
  readonly width?: (text: string) => number;
  /** The parts of a word, between which it may be broken; words are never broken if omitted. */
  readonly breakWord?: (word: string, columns: number) => readonly string[];
  /** The width of the first line; `columns` if omitted. */
  readonly firstColumns?: number;
}

/** The text's lines, broken at spaces so that each is at most `columns` wide where words allow it. */
export function wrapText(text: string, columns: number, options: WrapOptions = {}): string[] {
  const lines = text.split("\n");
  return columns === Number.POSITIVE_INFINITY
    ? lines
    : lines.flatMap((line) => wrapLine(line, columns, options));
}

function wrapLine(
  line: string,
  columns: number,
  { width = (text) => text.length, breakWord, firstColumns = columns }: WrapOptions,
): string[] {
  const lines: string[] = [];
  let current: string | undefined;
  let used = 0;
  for (const word of line.split(" ")) {
    for (const [index, part] of (breakWord?.(word, columns) ?? [word]).entries()) {
      const separator = index === 0 ? " " : "";
      const added = separator.length + width(part);
      if (current !== undefined && used + added <= (lines.length === 0 ? firstColumns : columns)) {
        current += separator + part;
        used += added;
        continue;
      }
      if (current !== undefined) lines.push(current);
      current = part;
      used = width(part);
    }
  }
  return [...lines, current ?? ""];
}

/** The text as one string of lines that are at most `columns` wide and begin with `indent`. */
export function paragraph(text: string, columns: number, indent = ""): string {
  return wrapText(text, columns - indent.length)
    .map((line) => indent + line)
    .join("\n");
}
