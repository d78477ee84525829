/** How the values of columns are written in JSONata, so that they fit a field. */
import { isList, isObject } from "../base/values.ts";
import { checkCurrency } from "../course/codes.ts";
import {
  hoursOf,
  isLevel,
  isVideoLink,
  languageCodes,
  levelsOf,
  looksLikeHtml,
} from "./mapping-functions.ts";
import { type SourceColumn, textsOf, words } from "./source-columns.ts";

/** Whether all values are strings. */
export function isText({ values }: SourceColumn): boolean {
  return values.every((value) => typeof value === "string");
}

/** Whether there are strings, and each fits the pattern. */
export function allMatch(column: SourceColumn, pattern: RegExp): boolean {
  const texts = textsOf(column);
  return texts.length > 0 && texts.every((text) => pattern.test(text.trim()));
}

/** A string, without tags if it has some. */
export function writePlainText(column: SourceColumn): string {
  return textsOf(column).some(looksLikeHtml)
    ? `$plainText(${column.expression})`
    : column.expression;
}

/** A string is long if it is more than a name: with tags, or of many words. */
export function hasLongTexts(column: SourceColumn): boolean {
  const texts = textsOf(column);
  return (
    isText(column) && texts.some((text) => looksLikeHtml(text) || text.split(/\s+/).length > 20)
  );
}

/** Whether one of the strings is a link to a video. */
export function hasVideos(column: SourceColumn): boolean {
  return textsOf(column).some(isVideoLink);
}

/** Whether all strings are languages. */
export function allLanguages(column: SourceColumn): boolean {
  const codes = textsOf(column).flatMap((text) => languageCodes(text) ?? []);
  return codes.length > 0 && codes.every((code) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code));
}

/** Whether one of the strings is an address. */
export function hasUrls(column: SourceColumn): boolean {
  return textsOf(column).some((text) => /^https?:\/\//i.test(text));
}

/** The address, unless the values are lists. */
export function writeUrl(column: SourceColumn): string | undefined {
  return hasUrls(column) && !column.values.some(isList) ? column.expression : undefined;
}

/** The codes of languages by their names or codes. */
export function writeLanguages(column: SourceColumn): string | undefined {
  const codes = textsOf(column).flatMap((text) => languageCodes(text) ?? []);
  const isKnown = codes.some((code) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code));
  return isKnown ? `$languages(${column.expression})` : undefined;
}

/** The values of a table are strings already. */
export function writeString({ isTable, expression }: SourceColumn): string {
  return isTable ? expression : `$string(${expression})`;
}

/** The pace, from words or from a column such as `self_paced`. */
export function writePace(column: SourceColumn): string | undefined {
  const { expression, values, names } = column;
  if (names[1].includes("selfpaced")) {
    return `$lowercase(${writeString(column)}) in ["true", "1", "yes"] ? "self_paced" : "instructor_paced"`;
  }
  const isPace = values.some((value) => /self|instructor|cohort|live/i.test(String(value)));
  return isPace
    ? `$contains($lowercase(${expression}), "self") ? "self_paced" : "instructor_paced"`
    : undefined;
}

const YES = words(
  "publish published active visible online true 1 yes ja oui sí si wahr vrai verdadero sichtbar",
);
const NO = words("draft hidden offline false 0 no nein non falsch faux falso verborgen");

/** Whether it is true, from the words of other systems. */
export function writePublished(column: SourceColumn): string | undefined {
  const { expression, values, names } = column;
  const texts = new Set(values.map((value) => String(value).toLowerCase()));
  const operator = names[1] === "hidden" ? "!=" : "=";
  const yes = YES.find((text) => texts.has(text));
  const no = NO.some((text) => texts.has(text));
  if (yes === undefined && !no) return undefined;
  if (values.every((value) => typeof value === "boolean")) {
    return operator === "=" ? expression : `$not(${expression})`;
  }
  const value = yes ?? "1";
  const text = /\d/.test(value) ? writeString(column) : `$lowercase(${writeString(column)})`;
  return `${text} ${operator} "${value}"`;
}

function nameOf({ path }: SourceColumn): string {
  return path.at(-1) ?? "";
}

/** The currency of a name such as `Price (USD)` or `price_eur`. */
function currencyIn(name: string): string | undefined {
  return name
    .toUpperCase()
    .split(/[^A-Z]+/)
    .find((word) => checkCurrency(word) === undefined);
}

/** The hours of a duration; a number is in minutes if the name of the column says so. */
export function writeDuration(column: SourceColumn): string | undefined {
  if (!textsOf(column).some((text) => hoursOf(text) !== undefined)) return undefined;
  const isMinutes = allMatch(column, /^\d+$/) && /\bmin/i.test(nameOf(column).replace(/_/g, " "));
  const text = isMinutes ? `${writeString(column)} & " min"` : column.expression;
  return `$hours(${text})`;
}

/** A list of one price, with the currency of another column, a symbol or the name. */
export function writePrices(
  column: SourceColumn,
  columns: readonly SourceColumn[],
  use: (column: SourceColumn) => void,
): string | undefined {
  const texts = textsOf(column);
  if (!texts.some((text) => /\d/.test(text))) return undefined;
  const currency = columns.find(({ names }) =>
    /^(?:price)?(?:currency(?:code)?|wahrung|devise|moneda)$/.test(names[1]),
  );
  const symbols = { "€": "EUR", "£": "GBP", $: "USD", "₴": "UAH", "¥": "JPY" };
  const symbol = Object.entries(symbols).find(([each]) =>
    [...texts, nameOf(column)].some((text) => text.includes(each)),
  );
  const known = currencyIn(nameOf(column)) ?? symbol?.[1];
  const guess = known === undefined ? '"EUR" /* a guess: no currency found */' : `"${known}"`;
  const code = currency === undefined ? guess : `$$.${currency.expression}`;
  if (currency !== undefined) use(currency);
  const isPlain = allMatch(column, /^\d+(?:\.\d+)?$/);
  const text = writeString(column);
  // A separator before three digits groups thousands; any other is the decimal point.
  const grouped = `$replace($replace(${text}, /[^\\d.,]/, ""), /[.,](?=\\d{3}(?!\\d))/, "")`;
  const amount = isPlain ? text : `$replace(${grouped}, ",", ".")`;
  return `[${amount}[$ != "" and $number($) > 0].{ "type": "single_course", "price": $, "currency": ${code} }]`;
}

/** The levels by their words in four languages. */
export function writeLevels(column: SourceColumn): string | undefined {
  return levelsIn(column).some(isLevel) ? `$levels(${column.expression})` : undefined;
}

/** Whether all strings are levels. */
export function hasLevels(column: SourceColumn): boolean {
  const found = levelsIn(column);
  return found.length > 0 && found.every(isLevel);
}

function levelsIn(column: SourceColumn): string[] {
  return textsOf(column).flatMap((text) => levelsOf(text) ?? []);
}

/** Objects with the names of a list, or of a string with separators. */
export function writePeople({ expression, values }: SourceColumn): string | undefined {
  const items = values.flatMap((value) => (isList(value) ? value : [value]));
  if (items.every((item) => isObject(item) && typeof item.name === "string")) {
    return `[${expression}.{ "name": name }]`;
  }
  if (!items.every((item) => typeof item === "string")) return undefined;
  if (values.some(isList)) return `[${expression}.{ "name": $ }]`;
  // The comma of `Lovelace, Ada` separates the parts of one name.
  const isInverted = values.every((value) => /^[^\s,]+, [^\s,]+$/.test(String(value)));
  return `[$split(${expression}, /\\s*[${isInverted ? "" : ","};|&]\\s*/).{ "name": $ }]`;
}

/** Objects with the titles of a list, or of a string with separators. */
export function writeTopics(column: SourceColumn): string | undefined {
  const { expression, values } = column;
  if (!values.every((value) => typeof value === "string" || isList(value))) return undefined;
  return values.some(isList)
    ? `[${expression}.{ "title": $ }]`
    : `[$split(${writePlainText(column)}, /\\s*[\\n;|]\\s*/)[$ != ""].{ "title": $ }]`;
}
