/** Decodes the text of tables, which spreadsheet programs save in many encodings. */
import { attempt, usageError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";
import { decodeWindows1252 } from "../base/windows-1252.ts";
import { type Decoded, decode } from "./decode.ts";

/**
 * The name of an encoding, as browsers know it.
 *
 * @throws CatalogError of kind `usage` for another name
 */
export function parseEncoding(label: string): string {
  const decoder = attempt(() => new TextDecoder(label));
  if (decoder !== undefined) return decoder.encoding;
  throw usageError(
    `--encoding: no encoding is called ${truncateJson(label)}`,
    "Examples are utf-8, utf-16le, windows-1252, windows-1250, shift_jis and gb18030.",
  );
}

/**
 * The text of a table: in the encoding given, else UTF-8, UTF-16 with a byte order mark, or
 * Windows-1252, of which the last two are named in a notice.
 */
export function decodeTable(bytes: Buffer, encoding: string | undefined): Decoded {
  if (encoding !== undefined) return decodeAs(bytes, encoding);
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return { ...decodeAs(bytes, utf16), notice: "read as UTF-16" };
  const decoded = decode(bytes);
  if (decoded.problem === undefined) return decoded;
  if (isWestern(bytes)) {
    const notice = "read as Windows-1252; if letters are wrong, pass its --encoding";
    return { text: decodeWindows1252(bytes), notice };
  }
  const message =
    "not UTF-8: pass the encoding of the table, such as --encoding shift_jis, or save it as CSV UTF-8";
  return { ...decoded, problem: { ...decoded.problem, message } };
}

function decodeAs(bytes: Buffer, encoding: string): Decoded {
  if (encoding === "windows-1252") return { text: decodeWindows1252(bytes) };
  const text = attempt(() => new TextDecoder(encoding, { fatal: true }).decode(bytes));
  if (text !== undefined) return { text };
  const { text: shown, problem } = decode(bytes);
  const span = problem?.span ?? { start: 0, end: 1 };
  const message = `not in the encoding ${encoding}: pass another with --encoding`;
  return { text: shown, problem: { rule: "encoding", message, span } };
}

function utf16Of(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Bytes from which the encoding is guessed. */
const SAMPLE = 1024 * 1024;

/**
 * Whether bytes that are not UTF-8 are Windows-1252. In Western European languages, three letters with marks
 * hardly ever follow each other, and in a damaged UTF-8 text, most characters are still whole.
 */
function isWestern(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  const latin1 = sample.toString("latin1");
  if (/[\0\x81\x8d\x8f\x90\x9d]/.test(latin1)) return false;
  const high = latin1.match(/[\x80-\xff]/g)?.length ?? 0;
  const inRuns = latin1.match(/[\x80-\xff]{3,}/g)?.join("").length ?? 0;
  const characters = sample.toString("utf8").match(/[^\0-\x7f]/g) ?? [];
  const whole = characters.filter((character) => character !== "\ufffd").length;
  return inRuns * 5 <= high && whole * 2 <= characters.length;
}
