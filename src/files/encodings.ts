/** Decodes the text of tables, which spreadsheet programs save in many encodings. */
import { attempt, usageError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";
import { decodeWindows1252 } from "../base/windows-1252.ts";
import { type Decoded, decode, guessEncoding } from "./decode.ts";

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
  const decoded = decode(bytes);
  if (decoded.problem === undefined) return decoded;
  const guess = guessEncoding(bytes);
  if (guess !== undefined) {
    const notice =
      guess === "windows-1252"
        ? "read as Windows-1252; if letters look wrong, pass another with --encoding"
        : "read as UTF-16";
    return { ...decodeAs(bytes, guess), notice };
  }
  const example = bytes.includes(0) ? "utf-16le" : "shift_jis";
  const message = `not UTF-8: pass the encoding of the table, such as --encoding ${example}, or save it as CSV UTF-8`;
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
