/** Finds text that is UTF-8 read as Windows-1252 or Latin-1 (`fÃ¼r` instead of `für`), and repairs it. */
import { isUtf8 } from "node:buffer";
import { memoize } from "../base/values.ts";

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

function repairOnce(text: string): string | undefined {
  if (!mayBeDamaged(text)) return undefined;
  const bytes = encodeWindows1252(text);
  if (bytes === undefined || !isUtf8(bytes) || !evidence().test(text)) return undefined;
  const repaired = Buffer.from(bytes).toString("utf8");
  return repaired.includes("\ufffd") ? undefined : repaired;
}

/** What the bytes that continue a character in UTF-8 look like in Windows-1252 and Latin-1. */
const CONTINUATION = `\\x80-\\xbf${decodeWindows1252(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))}`;

/** Continuations that people write after a word: a no-break space, quotes, dashes, `…`, `®`, `™`, `•`. */
const AFTER_WORD = "\\xa0«»®‘’“”›–—…™•";

/** Continuations that are letters, and follow others in real words: Slovak has `éš`. */
const LETTER = "ŠšŽžŒœŸƒ";

const ANY = `[${CONTINUATION}]`;
const UNUSUAL = `(?![${AFTER_WORD}])${ANY}`;
const beginning = memoize(() => new RegExp(`[\\xc2-\\xf4]${ANY}`));
const CHARACTER = `(?:[\\xc2-\\xdf]${ANY}|[\\xe0-\\xef]${ANY}{2}|[\\xf0-\\xf4]${ANY}{3})`;

/** Whether a text contains what the start of a character in UTF-8 looks like. A fast test: few texts do. */
function mayBeDamaged(text: string): boolean {
  return beginning().test(text);
}

/** Sequences that people never write. */
const NEVER_WRITTEN = [
  // People do write “Å–Ä–Ö”.
  `(?!(?:[ÄÅÆÖ][–—]){2})${CHARACTER}{2,}`,
  `[ÂÃÄÅÎÏÐÑ](?![©°¹²³])${UNUSUAL}|(?<!\\p{Lu})[ÂÃÄÅÎÏÐÑ][©°¹²³]`,
  "[ÃÎÏÐÑ][©°¹²³](?=\\p{Ll})",
  "[\\xc2-\\xdf][\\x80-\\x9f]",
  // A capital letter with a mark inside a word.
  `(?<=\\p{Ll})[Â-ÖØ-Þ]${ANY}`,
  // Ö of Österreich, but not the end of “SMÅ’s”.
  `[ÃÄÅ](?!\\xa0|’s\\b)[${AFTER_WORD}](?=\\p{Ll})`,
  // à as a word, and G with a dot or S with a caron at the start of a word.
  "(?<![\\p{L}\\xa0«])Ã\\xa0(?!»)",
  "(?<![\\p{L}\\xa0])[ÄÅ]\\xa0(?=\\p{Ll})",
  // Romanian letters with a comma below, the schwa of Azerbaijani and the comma of Uzbek.
  "[ÈÉ][˜™š›\\x98-\\x9b](?!s\\b)(?=\\p{Ll})|Ê»(?=\\p{Ll})",
  `[\\xe0-\\xef](?![${LETTER}])${UNUSUAL}${ANY}`,
  `[\\xf0-\\xf4]${ANY}{3}`,
];

/** Evidence if the complete text is valid UTF-8 as bytes, which “PIÙ…” and “CAFÉ’S” are by chance. */
const evidence = memoize(
  () =>
    new RegExp(
      [
        ...NEVER_WRITTEN,
        `Â[\\xa0-\\xbf]|(?<!\\p{Lu})[ÎÏÐÑ]${ANY}`,
        // Ö of KÖLN, Ó of JAPÓ, Š of ŠPANIJA, and à of Gàmbia.
        `Ã(?!\\xa0)[${AFTER_WORD}](?=\\p{Lu})|Ã[‘“]|(?<![\\p{L}\\xa0])[ÄÅ]\\xa0(?=\\p{Lu})`,
        "(?<=(?<!\\p{L})\\p{Lu})Ã\\xa0(?=[\\p{Ll} ])|(?<!\\p{L}\\p{L})Ã»",
        // A no-break space after “à” may be before any character.
        `(?<!\\p{Ll})[\\xe0-\\xef](?!\\xa0)${ANY}{2}`,
        `[\\xe0-\\xef](?![\\xa0${LETTER}])${ANY}(?:${UNUSUAL}|${ANY}(?=\\p{L}))`,
      ].join("|"),
      "u",
    ),
);
