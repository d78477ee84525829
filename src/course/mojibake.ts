/** Finds text that is UTF-8 read as Windows-1252 or Latin-1 (`fÃ¼r` instead of `für`), and repairs it. */
import { isUtf8 } from "node:buffer";
import { memoize } from "../base/values.ts";
import { decodeWindows1252, encodeWindows1252 } from "../base/windows-1252.ts";

/**
 * The text as it was before it was read in the wrong encoding, be it repeatedly; undefined unless all of
 * it certainly was.
 */
export function repairMojibake(text: string): string | undefined {
  let repaired: string | undefined;
  // Each step halves what is damaged.
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

/** A part of a text that was probably read in the wrong encoding, and what it was before. */
export interface DamagedPart {
  readonly damaged: string;
  readonly repaired: string;
}

/** The first part of a text that is damaged, although not all of it can be repaired. */
export function findDamagedPart(text: string): DamagedPart | undefined {
  if (!mayBeDamaged(text)) return undefined;
  for (const [damaged] of text.matchAll(partEvidence())) {
    const bytes = encodeWindows1252(damaged);
    if (bytes === undefined || !isUtf8(bytes)) continue;
    return { damaged, repaired: Buffer.from(bytes).toString("utf8") };
  }
  return undefined;
}

/** The characters of the bytes that continue a character in UTF-8. */
const CONTINUATION = `\\x80-\\xbf${decodeWindows1252(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at))}`;

/** Those that also follow the last letter of a word: a no-break space, quotes, dashes, `…`, `®`, `™`, `•`. */
const AFTER_WORD = "\\xa0«»®‘’“”›–—…™•";

/** Those that are letters: Slovak has `éš`. */
const LETTER = "ŠšŽžŒœŸƒ";

const ANY = `[${CONTINUATION}]`;
const UNUSUAL = `(?![${AFTER_WORD}])${ANY}`;
const beginning = memoize(() => new RegExp(`[\\xc2-\\xf4]${ANY}`));
const CHARACTER = `(?:[\\xc2-\\xdf]${ANY}|[\\xe0-\\xef]${ANY}{2}|[\\xf0-\\xf4]${ANY}{3})`;

/** Whether a text contains the beginning of a character in UTF-8: hardly any does. */
function mayBeDamaged(text: string): boolean {
  return beginning().test(text);
}

/** What people never write, wherever it is. */
const NEVER_WRITTEN = [
  // But “Å–Ä–Ö” is written.
  `(?!(?:[ÄÅÆÖ][–—]){2})${CHARACTER}{2,}`,
  `[ÂÃÄÅÎÏÐÑ](?![©°¹²³])${UNUSUAL}|(?<!\\p{Lu})[ÂÃÄÅÎÏÐÑ][©°¹²³]`,
  "[ÃÎÏÐÑ][©°¹²³](?=\\p{Ll})",
  "[\\xc2-\\xdf][\\x80-\\x9f]",
  // A capital letter with a mark inside of a word.
  `(?<=\\p{Ll})[Â-ÖØ-Þ]${ANY}`,
  // Ö of Österreich, but not the end of “SMÅ’s”.
  `[ÃÄÅ](?!\\xa0|’s\\b)[${AFTER_WORD}](?=\\p{Ll})`,
  // à as a word, G with a dot and S with a caron at the start of one.
  "(?<![\\p{L}\\xa0«])Ã\\xa0(?!»)",
  "(?<![\\p{L}\\xa0])[ÄÅ]\\xa0(?=\\p{Ll})",
  // Romanian letters with a comma below, the schwa of Azerbaijani and the comma of Uzbek.
  "[ÈÉ][˜™š›\\x98-\\x9b](?!s\\b)(?=\\p{Ll})|Ê»(?=\\p{Ll})",
  `[\\xe0-\\xef](?![${LETTER}])${UNUSUAL}${ANY}`,
  `[\\xf0-\\xf4]${ANY}{3}`,
];

/** In a text that is valid UTF-8 as bytes, this is enough; “PIÙ…” and “CAFÉ’S” are such texts, too. */
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

const partEvidence = memoize(
  () => new RegExp([...NEVER_WRITTEN, "(?<=[a-z0-9.,:;!?)])Â\\xa0"].join("|"), "gu"),
);
