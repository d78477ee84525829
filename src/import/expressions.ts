/** How the values of columns are written in JSONata, so that they fit a field. */
import { safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { rankOfName } from "./column-names.ts";
import {
  isLevel,
  isVideoLink,
  languageCodes,
  levelsOf,
  looksLikeHtml,
} from "./mapping-functions.ts";
import { amountOf, currencyIn, currencyOf, hoursOf } from "./quantities.ts";
import {
  distinctTexts,
  listSamples,
  nameOf,
  type SourceColumn,
  type Surroundings,
  textsOf,
  type Written,
} from "./source-columns.ts";
import { unitMeaning } from "./words.ts";

/** A note about values that a function of mappings does not understand; empty if there are none. */
export function noteUnknown(column: SourceColumn, read: (value: unknown) => unknown): string {
  const unknown = textsOf(column).filter((text) => read(text) === undefined);
  return unknown.length === 0 ? "" : `not understood: ${listSamples(unknown)}`;
}

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

/** The unit of time that the name of a column of numbers contains. */
function unitInName(column: SourceColumn): string | undefined {
  if (!allMatch(column, /^\d+(?:[.,]\d+)?$/)) return undefined;
  const words = nameOf(column)
    .replace(/_/g, " ")
    .split(/[^\p{L}]+/u);
  const units = words.map((word) => (word.length > 1 || word === "分" ? unitMeaning(word) : ""));
  return units.find((unit) => unit === "minute" || unit === "day");
}

/** The hours of a duration; a number has the unit of its column's name. */
export function writeDuration(
  column: SourceColumn,
  { answers: { hours = {} } }: Surroundings,
): Written | undefined {
  const asked = unitsToAsk(column).map(({ unit }) => unit);
  const texts = textsOf(column);
  if (asked.length === 0 && !texts.some((text) => hoursOf(text) !== undefined)) return undefined;
  const numbers = unitInName(column);
  const { expression } = column;
  const text = numbers === undefined ? expression : `${writeString(column)} & " ${numbers}s"`;
  const own = Object.entries(hours).filter(([unit]) => asked.includes(unit));
  const options = own.length === 0 ? "" : `, ${writeHours(Object.fromEntries(own))}`;
  const open = asked.filter((unit) => !own.some(([known]) => known === unit));
  const guessed = open.map((unit): [string, number] => [unit, unit === "day" ? 8 : 1]);
  const example = Object.fromEntries([...own, ...guessed]);
  const unknown = numbers === "day" ? "" : noteUnknown(column, (value) => hoursOf(value, hours));
  const advice =
    open.length === 0 ? "" : `write $hours(${text}, ${writeHours(example)}) with the right hours`;
  return {
    expression: `$hours(${text}${options})`,
    note: [unknown, advice].filter(Boolean).join("; "),
  };
}

function writeHours(hours: Readonly<Record<string, number>>): string {
  const entries = Object.entries(hours).map(([unit, number]) => `${safeJson(unit)}: ${number}`);
  return `{ ${entries.join(", ")} }`;
}

/** Units of durations of which only the user knows the hours, each with a value. */
export function unitsToAsk(column: SourceColumn): { unit: string; value: string }[] {
  const values = new Map<string, string>();
  for (const value of distinctTexts(column)) {
    if (unitInName(column) === "day") values.set("day", values.get("day") ?? value);
    else if (hoursOf(value) === undefined) {
      const [, word = ""] = /(\p{L}+(?:-\p{L}+)*)\.?$/u.exec(value) ?? [];
      const unit = ["day", word].find((each) => hoursOf(value, { [each]: 1 }) !== undefined);
      if (unit !== undefined && !values.has(unit)) values.set(unit, value);
    }
  }
  return [...values].map(([unit, value]) => ({ unit, value }));
}

/** The currency of a name such as `Price (USD)`, `price_eur` or `価格（円）`. */
function currencyInName(name: string): string | undefined {
  return (
    name
      .normalize("NFKC")
      .split(/[\s()[\]_.,:/-]+/)
      // A word of two letters is rather a country.
      .filter((word) => !/^\p{Script=Latin}{1,2}$/u.test(word))
      .map(currencyIn)
      .find((code) => code !== undefined)
  );
}

/** A list of one price, with the currency of another column, a symbol or the name; none for free courses. */
export function writePrices(
  column: SourceColumn,
  { columns, use }: Surroundings,
): Written | undefined {
  const texts = textsOf(column);
  if (!texts.some((text) => amountOf(text) !== undefined)) return undefined;
  const currency = columns.find(
    ({ names, values }) => values.length > 0 && rankOfName("currency", names[1]) !== undefined,
  );
  if (currency !== undefined) use(currency);
  const found = [...new Set(texts.flatMap((text) => currencyOf(text) ?? []))];
  const known = currencyInName(nameOf(column)) ?? found[0];
  const guess = known === undefined ? '"EUR" /* a guess: no currency found */' : `"${known}"`;
  const code = currency === undefined ? guess : `$$.${currency.expression}`;
  const isMixed = currency === undefined && found.length > 1;
  return {
    expression: `[$price(${column.expression})[$number($) > 0].{ "type": "single_course", "price": $, "currency": ${code} }]`,
    note: [noteUnknown(column, amountOf), isMixed ? `several currencies: ${found.join(", ")}` : ""]
      .filter(Boolean)
      .join("; "),
  };
}

/** Whether all strings are prices, one of them with a currency. */
export function hasPrices(column: SourceColumn): boolean {
  const texts = textsOf(column);
  return (
    texts.every((text) => amountOf(text) !== undefined) &&
    texts.some((text) => currencyOf(text) !== undefined)
  );
}

/** Whether the course is free, from a column with prices of which some are nothing. */
export function writeFree(column: SourceColumn): Written | undefined {
  const isFree = textsOf(column).some((text) => amountOf(text) === "0.00");
  return isFree ? { expression: `$number($price(${column.expression})) = 0 ? true` } : undefined;
}

/** The levels by their words. */
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
