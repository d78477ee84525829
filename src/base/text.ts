/** Makes text that comes from elsewhere safe to show. */

/**
 * Matches controls, those of writing direction included, and the line separators that some terminals
 * break at. Zero-width joiners stay: emoji and several scripts need them. It is made where it is
 * needed, since to make it takes as long as many other things together.
 */
function unsafe(): RegExp {
  return /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
}

/* Most texts are like these, and hold nothing that is unsafe. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/** The text on one line, every control character written out as `\x1b` or `\u202e` (cli.md section 3). */
export function escapeLine(text: string): string {
  return PLAIN.test(text) ? text : text.replace(unsafe(), escapeOf);
}

/** The text with its line breaks kept and every other control character written out. */
export function escapeText(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text
    .replace(/\r\n/g, "\n")
    .replace(unsafe(), (character) => (character === "\n" ? character : escapeOf(character)));
}

function escapeOf(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A whole number with its thousands set apart: `12,345`. */
export function formatNumber(amount: number): string {
  // The locale's own way loads so much data that it would be half of a short command's time.
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** As much of a stranger's name as a sentence has room for. */
export function truncate(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  // Never between the halves of a character.
  return `${name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "")}…`;
}

const LONGEST_NAME = 200;

/** A count with its noun: `1 course`, `3 courses`. */
export function pluralize(amount: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(amount)} ${amount === 1 ? singular : plural}`;
}

/** Words as a sentence lists them: `a, b or c`. */
export function joinList(words: readonly string[], conjunction = "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words[words.length - 1]}`;
}

/** The same text in memory of its own: a piece of a long text keeps the whole of it. */
export function copyString(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
