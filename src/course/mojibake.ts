/** Finds text that is UTF-8 read as Windows-1252 or Latin-1 (`fÃ¼r` instead of `für`), and repairs it. */
import { isUtf8 } from "node:buffer";

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
