/** The functions that mappings may call besides those of JSONata. */
import { Parser } from "htmlparser2";
import { isList, isObject } from "../base/values.ts";
import { checkCountry, checkLanguage, countryByName, languageByName } from "../course/codes.ts";
import { videoByAddress } from "../course/string-formats.ts";
import { requireShallow } from "../files/rows.ts";

/** A function with its signature in JSONata's notation, and what it does. */
interface MappingFunction {
  readonly signature: string;
  readonly run: (value: unknown) => unknown;
}

/** The functions by name; docs/import.md describes them. */
export const MAPPING_FUNCTIONS: Readonly<Record<string, MappingFunction>> = {
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
  // The expression below takes too long for hostile strings.
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

/** Whether a string is the address of a video on YouTube or Vimeo. */
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

/** The country code of a code in any case, or of a name. */
function countryCode(text: string): string | undefined {
  const code = text.trim();
  const fault = checkCountry(code);
  if (fault === undefined) return code;
  const [suggestion] = code.length === 2 ? fault.suggestions : [];
  return suggestion ?? countryByName(code);
}

/** The codes of languages: of a list, or of a string such as `en_US` or `English; Portuguese (Brazil)`. */
export function languageCodes(value: unknown): readonly string[] | undefined {
  const parts = isList(value) ? value : typeof value === "string" ? splitNames(value) : [];
  const codes = parts.flatMap((part) => (typeof part === "string" ? codeOf(part) : []));
  return codes.length === 0 ? undefined : [...new Set(codes)];
}

function splitNames(text: string): string[] {
  return text.split(/[,;|/]/).filter((part) => part.trim() !== "");
}

/** The code of one language; text that is none is left for the checker to report. */
function codeOf(text: string): string {
  const name = text.trim();
  const [, language = name, region] = /^([a-z]{2,3})[-_]([a-z]{2})$/i.exec(name) ?? [];
  const code = languageCode(language);
  if (code === undefined) return languageByName(name) ?? name;
  const country = region === undefined ? undefined : countryCode(region);
  return country === undefined ? code : `${code}-${country}`;
}

function languageCode(text: string): string | undefined {
  if (text.length > 3) return undefined;
  const fault = checkLanguage(text);
  return fault === undefined ? text : fault.suggestions[0];
}

/** The beginnings of words for each level in four languages, without marks of letters. */
const LEVELS: readonly (readonly [string, RegExp])[] = [
  [
    "beginner",
    /\b(?:begin|novice|introd|basi[cqs]|element|anfanger|einst(?:eiger|ieg)|grund|debut|princip|inici)/,
  ],
  ["intermediate", /\b(?:intermed|mittel|medio|aufbau)/],
  ["advanced", /\b(?:advanc|expert|fortgeschritten|avanc|avanz)/],
];

const ALL = /\b(?:all|alle|tous|toutes|todos)\b/;

const NAMES: ReadonlySet<string> = new Set(LEVELS.map(([name]) => name));

/** Whether a string is the name of a level as courses have it. */
export function isLevel(text: string): boolean {
  return NAMES.has(text);
}

/** The levels in a list, or in a string such as `Beginner; Intermediate`; unknown words are left as they are. */
export function levelsOf(value: unknown): readonly string[] | undefined {
  const texts = isList(value) ? value : [value];
  const found = texts.flatMap((text) =>
    typeof text === "string" ? text.split(/[,;|/]/).flatMap(levelsIn) : [],
  );
  return found.length === 0 ? undefined : [...new Set(found)];
}

function levelsIn(text: string): readonly string[] {
  const part = text.trim();
  if (part === "") return [];
  const folded = part.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const known = LEVELS.filter(([, pattern]) => ALL.test(folded) || pattern.test(folded));
  return known.length === 0 ? [part] : known.map(([name]) => name);
}

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  "address article aside blockquote dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table tr ul".split(
    " ",
  ),
);
/** Elements between which there is an empty line. */
const PARAGRAPHS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote"]);
/** Elements whose content is not text. */
const HIDDEN = new Set(["script", "style", "template", "noscript", "head"]);

/** Whether a string contains tags or character references. */
export function looksLikeHtml(text: string): boolean {
  return /<\/?[a-z][^<>]*>|&(?:[a-z]+|#\d+|#x[\da-f]+);/i.test(text);
}

/** The text of HTML, with paragraphs and list items on lines of their own. */
function plainText(html: string): string {
  let text = "";
  let hidden = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name) => {
      requireShallow(++depth);
      if (HIDDEN.has(name)) hidden++;
      else if (name === "br") text += "\n";
      else if (name === "li") text += "\n- ";
      else if (BLOCKS.has(name)) text += PARAGRAPHS.has(name) ? "\n\n" : "\n";
    },
    onclosetag: (name) => {
      depth--;
      if (HIDDEN.has(name)) hidden--;
      else if (BLOCKS.has(name)) text += PARAGRAPHS.has(name) ? "\n\n" : "\n";
    },
    ontext: (part) => {
      if (hidden === 0) text += part.replace(/\s{2,}|[^\S ]/g, " ");
    },
  });
  parser.end(html);
  return text
    .replace(/[ \t\u00a0]{2,}|[\t\u00a0]/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
