/** Decodes and encodes Windows-1252, the encoding of Western European text before UTF-8, as browsers do. */

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
