/** Decodes tables, which spreadsheet programs save in many encodings. */
import { attempt, usageError } from "../base/errors.ts";
import { truncateJson } from "../base/text.ts";
import { decodeWindows1252 } from "../base/windows-1252.ts";
import { type Decoded, decode, guessEncoding } from "./decode.ts";

/**
 * Parses the value of --encoding, with the names that browsers accept: `latin1` is `windows-1252`.
 *
 * @throws CatalogError of kind `usage` for an unknown name
 */
export function parseEncoding(label: string): string {
  const decoder = attempt(() => new TextDecoder(label));
  if (decoder !== undefined) return decoder.encoding;
  throw usageError(
    `--encoding must be the name of an encoding, not ${truncateJson(label)}`,
    "For example: --encoding windows-1250. Others: utf-8, utf-16le, windows-1252, shift_jis, gb18030.",
  );
}

/**
 * Decodes a table from the given encoding or, without one, from UTF-8, UTF-16 with a byte order mark, or Windows-1252.
 * A notice names the last two: the bytes `Caf\xe9` give `Café`, "read as Windows-1252".
 */
export function decodeTable(bytes: Buffer, encoding: string | undefined): Decoded {
  if (encoding !== undefined) return decodeAs(bytes, encoding);
  const decoded = decode(bytes);
  if (decoded.problem === undefined) return decoded;
  const guess = guessEncoding(bytes);
  if (guess !== undefined) {
    const notice =
      guess === "windows-1252"
        ? "read as Windows-1252; if letters look wrong, pass another encoding with --encoding"
        : "read as UTF-16";
    return { ...decodeAs(bytes, guess), notice };
  }
  const example = bytes.includes(0) ? "utf-16le" : "shift_jis";
  const message = `the table is not UTF-8: pass its encoding, for example --encoding ${example}, or save it as CSV UTF-8`;
  return { ...decoded, problem: { ...decoded.problem, message } };
}

function decodeAs(bytes: Buffer, encoding: string): Decoded {
  if (encoding === "windows-1252") return { text: decodeWindows1252(bytes) };
  const text = attempt(() => new TextDecoder(encoding, { fatal: true }).decode(bytes));
  if (text !== undefined) return { text };
  const { text: shown, problem } = decode(bytes);
  const span = problem?.span ?? { start: 0, end: 1 };
  const message = `the table is not in the encoding ${encoding}: pass another encoding with --encoding`;
  return { text: shown, problem: { rule: "encoding", message, span } };
}
