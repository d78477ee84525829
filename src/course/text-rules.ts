/**
 * The rules for texts that people write: names, titles and descriptions, at any path of a course. For example,
 * `Knitting ` as a name has the problem `name has spaces at its beginning or end`. Text that is UTF-8 read as Windows-1252
 * (`fÃ¼r` instead of `für`) is repaired, and placeholders of templates are found.
 */
import { isUtf8 } from "node:buffer";
import { invisibleCharacters, truncateJson } from "../base/text.ts";
import { type FoundValue, isList, type Path } from "../base/values.ts";
import { isFreeText, shapeAt } from "./fields.ts";
import { plainText } from "./plain-text.ts";
import { type Problem, problemAt, type RuleId } from "./problem.ts";
import { PROVIDER_KEY } from "./special-fields.ts";
import { isUrl } from "./string-formats.ts";

/** Characters beyond ASCII, and those with which placeholders, HTML, errors of spreadsheets and passwords begin. */
const SUSPECT = /[^\n !"%'-;=-?A-Z\\\]^_`a-z|}~]/;

/** Whether a string may have a problem, by a fast test: also spaces at an end, and words for no value. */
export function isSuspectText(value: unknown): value is string {
  if (typeof value !== "string") return false;
  return (
    SUSPECT.test(value) ||
    value.trim() !== value ||
    /(?:undefined|null|NaN)$/.test(value.slice(-"undefined".length)) ||
    value === "Loading..."
  );
}

/** Keys whose values people write as sentences or titles. */
const PROSE: readonly unknown[] = [
  "name",
  "title",
  "short_description",
  "long_description",
  "description",
];

/** Whether the value at a path is a name, a title or a description, or a paragraph of one. */
export function isProse(path: Path): boolean {
  const name = path.findLast((step) => typeof step === "string");
  return isFreeText(path) && PROSE.includes(name);
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
  const shape = shapeAt(path);
  const isUrlField = shape?.kind === "string" && shape.format === "url";
  if (isUnfilled(value, isUrlField)) {
    // Where the string is not a url, the problem of its format says enough.
    if (!isUrlField || isUrl(value)) yield problemAt(path, "placeholder", STILL_PLACEHOLDER);
    return;
  }
  if (isUrlField) yield* urlProblems(path, value);
  const name = path.at(-1);
  if (!isFreeText(path) || CODES.includes(name)) return;
  if (SPREADSHEET_ERROR.test(value)) {
    const text = `is ${JSON.stringify(value)}, an error of a spreadsheet; correct the cell`;
    yield problemAt(path, "spreadsheet-error", text);
    return;
  }
  if (value.includes("\ufffd")) {
    const text = "contains U+FFFD in place of a character that was lost; write the character";
    yield problemAt(path, "replacement-character", text);
  }
  const repaired = repairMojibake(value) ?? value;
  if (repaired !== value)
    yield fixable(path, "mojibake", "was damaged by a wrong encoding", repaired);
  const text = /<[a-z!]|&#?\w+;/i.test(repaired) ? plainText(repaired) : repaired;
  if (text !== repaired)
    yield fixable(path, "markup", "has HTML, but the service shows plain text", text);
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

/** What a program may have left in a valid url. */
function* urlProblems(path: Path, url: string): Generator<Problem> {
  if (/^[^/]*:\/\/[^/?#]*@/.test(url)) {
    const text = "has a user name or a password, which everyone could read; remove it";
    yield problemAt(path, "url-credentials", text);
  }
  if (/&amp;/i.test(url)) {
    const suggestion = url.replace(/&amp;/gi, "&");
    yield problemAt(path, "url-entity", "has &amp; in place of &", { suggestion });
  }
}

/** What Excel, LibreOffice and Google Sheets show in a cell without a result. */
const SPREADSHEET_ERROR =
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|ERROR!|GETTING_DATA)$|^Loading\.\.\.$/;

/** A problem that the fixed text does not have. */
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

/**
 * The characters of the bytes 0x80 to 0x9f. Five of these bytes have no character and are control characters.
 * Not decoded by Node.js, because the decoder of version 20 returns a control character for each of them.
 */
const HIGH =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const FIRST = 0x80;

const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(HIGH, (character, index) => [character, FIRST + index]),
);

/** Decodes bytes in Windows-1252, in which every byte is a character: 0x80 gives `€`. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return latin1.replace(/[\x80-\x9f]/g, (byte) => HIGH.charAt(byte.charCodeAt(0) - FIRST));
}

/**
 * Encodes a string in Windows-1252: `€` gives 0x80; undefined if the encoding has no byte for a character. The
 * control characters from U+0080 to U+009F, which Latin-1 has instead of quotes and dashes, keep their bytes.
 */
export function encodeWindows1252(text: string): Uint8Array | undefined {
  if (/[^\0-\xff\u0152-\u0192\u02c6-\u2122]/.test(text)) return undefined;
  const bytes = Buffer.alloc(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const byte = code <= 0xff ? code : BYTES.get(text.charAt(index));
    if (byte === undefined) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

/** The text before it was read in the wrong encoding, even repeatedly: `fÃ¼r` → `für`; undefined if uncertain. */
export function repairMojibake(text: string): string | undefined {
  let repaired: string | undefined;
  // Terminates, because each step makes the text shorter.
  for (let next = repairOnce(text); next !== undefined; next = repairOnce(next)) repaired = next;
  return repaired;
}

/** The complete text as UTF-8, if it is, and not by chance. */
function repairOnce(text: string): string | undefined {
  // A fast test, because few texts contain what the start of a character in UTF-8 looks like.
  const bytes = START.test(text) ? encodeWindows1252(text) : undefined;
  if (bytes === undefined || !isUtf8(bytes) || !EVIDENCE.test(text)) return undefined;
  const repaired = Buffer.from(bytes).toString("utf8");
  return repaired.includes("\ufffd") ? undefined : repaired;
}

/** What the bytes that continue a character in UTF-8 look like in Windows-1252 and Latin-1. */
const ANY = `[\\x80-\\xbf${HIGH}]`;

const START = new RegExp(`[Â-ô]${ANY}`);

/** Continuations that people write after a letter with a mark: punctuation, signs, and letters of Slovak and French. */
const WRITTEN = "[\\xa0«»®©°¹²³‘’“”›–—…™•ŠšŽžŒœŸ]";

/**
 * What no text has, not even “PIÙ…”, “CAFÉ’S” or “« Ã »”: the start of a character in UTF-8 with an unusual
 * continuation; two characters in a row; a capital letter inside a word; one of the letters that few words end with, before anything but the end of a
 * sentence or a sign; and an emoji.
 */
const EVIDENCE = new RegExp(
  [
    `[Â-ô](?!${WRITTEN})${ANY}|[à-ï](?!\\xa0|${WRITTEN}{2})${ANY}{2}`,
    `(?:[Â-ß]${ANY}|[à-ï]${ANY}{2}){2}|(?<=\\p{Ll})[Â-ÖØ-Þ]${ANY}`,
    "[ÄÅÈÉÊ][˜™š›»](?=\\p{Ll})",
    `[ÂÃÎÏÐÑ](?![…’”—™•›]|\\xa0[»!?:;]|(?<=\\p{Lu}.)[©®°¹²³](?!\\p{Ll}))${ANY}`,
    "ðŸ",
  ].join("|"),
  "u",
);

const LANGUAGE_PLACEHOLDER = "Replace this with a language code";

/** What is wrong with a placeholder. */
export const STILL_PLACEHOLDER = "still has the placeholder text; replace it";

/** The end of a placeholder url, which starts with the website of a provider. */
const PLACEHOLDER_PATH = "/replace-this-path";

/** The placeholders of the template, for each field that only the author can fill in. */
export const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  name: "Replace this with the name of the course",
  url: `https://academy.example${PLACEHOLDER_PATH}`,
  short_description: "Replace this with a short description.",
  long_description: "Replace this with the text of the course card.",
  audio: [LANGUAGE_PLACEHOLDER],
  [PROVIDER_KEY]: "Replace this with the slug of your provider",
};

/** Whether the value of a field is the placeholder of the template. */
export function isPlaceholder(name: string, value: unknown): boolean {
  if (isList(value)) return name === "audio" && value.includes(LANGUAGE_PLACEHOLDER);
  if (typeof value !== "string") return false;
  const text = value.trim();
  return text === PLACEHOLDERS[name] || (name === "url" && text.endsWith(PLACEHOLDER_PATH));
}

/** What a template or a program leaves where it had no value. */
const UNFILLED = /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[object Object\]/g;

/**
 * Whether a value, or a part of a url, was never filled in: `{{ name }}`, `undefined`, `https://academy.example/${slug}`;
 * of a url, also the last part `null` or `NaN`.
 */
function isUnfilled(value: string, isUrl: boolean): boolean {
  if (value.trim() === "undefined") return true;
  if (isUrl && /\/(?:undefined|null|NaN)$/.test(value)) return true;
  const left = value.replace(UNFILLED, "");
  return left !== value && (left.trim() === "" || isUrl);
}
