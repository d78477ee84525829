/** The functions that mappings may call besides those of JSONata. */
import { isList, isObject } from "../../../base/values.ts";
import { videoByAddress } from "../../../course/video-address.ts";
import { levelsOf } from "./levels.ts";
import { countryCode, languageCodes } from "./names.ts";
import { plainText } from "./plain-text.ts";

/** A function with its signature in JSONata's notation, and what it does. */
interface Helper {
  readonly signature: string;
  readonly run: (value: unknown) => unknown;
}

/** The functions by name; docs/import.md describes them. */
export const HELPERS: Readonly<Record<string, Helper>> = {
  languages: { signature: "<x?:a>", run: languageCodes },
  language: { signature: "<x?:s>", run: (value) => languageCodes(value)?.[0] },
  levels: { signature: "<x?:a>", run: levelsOf },
  country: {
    signature: "<x?:s>",
    run: (value) => (typeof value === "string" ? countryCode(value) : undefined),
  },
  plainText: {
    signature: "<x?:s>",
    run: (value) => (typeof value === "string" ? plainText(value) : undefined),
  },
  hours: { signature: "<x?:n>", run: hoursOf },
  video: { signature: "<x?:o>", run: videoOf },
};

/**
 * Hours of units in English, German, French and Spanish. A day has 24 hours; what weeks and months mean
 * differs from course to course.
 */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:d(?:ays?|[ií]as?)?|tage?n?|j(?:ours?)?)$/i, 24],
  [/^(?:h(?:ours?|rs?|eures?|oras?)?|std|stunden?)$/i, 1],
  [/^m(?:in(?:s|ut(?:e[ns]?|os?))?)?$/i, 1 / 60],
  [/^s(?:e[ck]s?|econd(?:e?s?)|ekunden?|egundos?)?$/i, 1 / 3600],
];

const LONGEST_DURATION = 100;

/** The hours of a duration: `7.5`, `1h 30m`, `90 minutes`, `1:30`, `1h30`, `PT1H30M`; undefined for others. */
export function hoursOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  // The expression below takes too long for hostile texts.
  if (text.length > LONGEST_DURATION) return undefined;
  if (/^\d+(?:[.,]\d+)?$/.test(text)) return Number(text.replace(",", "."));
  const clock = /^(\d+)\s?[:h]\s?([0-5]\d)(?::([0-5]\d))?$/i.exec(text);
  if (clock !== null) {
    const [, hours, minutes, seconds = 0] = clock;
    return round(Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600);
  }
  const written = /^P(?=.*\d)/i.test(text) ? text.replace(/^P|T/gi, "") : text;
  const part = /\s*(?:,|and|und|et|y)?\s*(\d+(?:[.,]\d+)?)\s*([a-zí]+)\.?/iy;
  let hours = 0;
  while (part.lastIndex < written.length) {
    const [, amount, unit = ""] = part.exec(written) ?? [];
    const size = UNITS.find(([pattern]) => pattern.test(unit))?.[1];
    if (amount === undefined || size === undefined) return undefined;
    hours += Number(amount.replace(",", ".")) * size;
  }
  return hours === 0 ? undefined : round(hours);
}

function round(hours: number): number {
  return Math.round(hours * 100) / 100;
}

/** Whether a text is the address of a video on YouTube or Vimeo. */
export function isVideoLink(text: string): boolean {
  const type = videoByAddress(text)?.value.type;
  return type === "youtube" || type === "vimeo";
}

/** The `video` field for the address of a video; undefined for other values. */
function videoOf(value: unknown): object | undefined {
  if (isObject(value)) return value;
  const address = isList(value) ? value[0] : value;
  return typeof address === "string" ? videoByAddress(address)?.value : undefined;
}
