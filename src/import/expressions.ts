/** Writes JSONata expressions that convert the values of a column to the values of a field. */
import { safeJson } from "../base/text.ts";
import { addTo, isList, isObject } from "../base/values.ts";
import { checkCurrency } from "../course/codes.ts";
import { type ColumnKind, rankOfName } from "./column-names.ts";
import {
  foldChoice,
  isLevel,
  isPublished,
  isVideoLink,
  languageCodes,
  levelsOf,
  looksLikeHtml,
} from "./mapping-functions.ts";
import { amountOf, currencyOf, hoursOf } from "./quantities.ts";
import {
  distinctTexts,
  listSamples,
  nameOf,
  type SourceColumn,
  type Surroundings,
  textsOf,
  type Written,
} from "./source-columns.ts";
import { pacesIn, statusMeaning, unitMeaning, yesOrNo } from "./words.ts";

/** A note about values that a function does not understand, with the consequence; empty without such values. */
function noteUnknown(
  column: SourceColumn,
  read: (value: unknown) => unknown,
  consequence = "",
): string {
  const unknown = textsOf(column).filter((text) => read(text) === undefined);
  return unknown.length === 0 ? "" : `not understood${consequence}: ${listSamples(unknown)}`;
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

/** An expression for text, without HTML tags. */
export function writePlainText(column: SourceColumn): string {
  return textsOf(column).some(looksLikeHtml)
    ? `$plainText(${column.expression})`
    : column.expression;
}

/** Whether all values are strings, and one of them is longer than a name: with HTML tags, or more than 20 words. */
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

/** An expression for the codes of languages. */
export function writeLanguages(column: SourceColumn): string | undefined {
  return codesIn(column).some(isLanguageCode) ? `$languages(${column.expression})` : undefined;
}

function codesIn(column: SourceColumn): string[] {
  return textsOf(column).flatMap((text) => languageCodes(text) ?? []);
}

function isLanguageCode(code: string): boolean {
  return /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code);
}

/** Whether one of the strings is a URL. */
export function hasUrls(column: SourceColumn): boolean {
  return textsOf(column).some((text) => /^https?:\/\//i.test(text));
}

/** An expression for a URL; undefined if the values are lists. */
export function writeUrl(column: SourceColumn): string | undefined {
  return hasUrls(column) && !column.values.some(isList) ? column.expression : undefined;
}

/** An expression for a string. The values of a table are already strings. */
export function writeString({ isTable, expression }: SourceColumn): string {
  return isTable ? expression : `$string(${expression})`;
}

/** The unit of time in the name of a column of numbers: `Dauer in Minuten` gives `minute`. */
function unitInName(column: SourceColumn): string | undefined {
  if (!allMatch(column, /^\d+(?:[.,]\d+)?$/)) return undefined;
  const words = nameOf(column)
    .replace(/_/g, " ")
    .split(/[^\p{L}]+/u);
  const units = words.map((word) => (word.length > 1 || word === "分" ? unitMeaning(word) : ""));
  return units.find((unit) => unit === "minute" || unit === "day");
}

/** An expression for hours. A number has the unit in the name of its column. */
export function writeDuration(column: SourceColumn): Written | undefined {
  const days = findDays(column);
  const isKnown = textsOf(column).some((text) => hoursOf(text) !== undefined);
  if (!isKnown && days === undefined) return undefined;
  const unit = unitInName(column);
  const { expression } = column;
  const text = unit === undefined ? expression : `${writeString(column)} & " ${unit}s"`;
  const unknown = unit === "day" ? "" : noteUnknown(column, hoursOf);
  const advice =
    days === undefined
      ? ""
      : `to convert days, write $hours(${text}, { "day": 8 }) with your hours`;
  return { expression: `$hours(${text})`, note: [unknown, advice].filter(Boolean).join("; ") };
}

/** A value in days, for which only the user knows the hours of a day; undefined if there is none. */
function findDays(column: SourceColumn): string | undefined {
  const isNamed = unitInName(column) === "day";
  return distinctTexts(column).find(
    (text) => isNamed || (hoursOf(text) === undefined && hoursOf(text, { day: 1 }) !== undefined),
  );
}

/** An expression for a list of one price. The currency is in another column, or the only one that is named. */
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
  const inName = nameOf(column).match(/\b[A-Z]{3}\b/g) ?? [];
  const named = inName.filter((word) => checkCurrency(word) === undefined);
  const [only, ...others] = new Set([...named, ...texts.flatMap((text) => currencyOf(text) ?? [])]);
  const known = only !== undefined && others.length === 0 ? `"${only}"` : undefined;
  const code = currency === undefined ? known : `$$.${currency.expression}`;
  const unnamed = code === undefined ? 'write the currency, such as "currency": "EUR"' : "";
  return {
    expression: `[$price(${column.expression})[$number($) > 0].{ "type": "single_course", "price": $${code === undefined ? "" : `, "currency": ${code}`} }]`,
    note: [noteUnknown(column, amountOf), unnamed].filter(Boolean).join("; "),
  };
}

/** Whether all strings are prices, and one of them has a currency. */
export function hasPrices(column: SourceColumn): boolean {
  const texts = textsOf(column);
  return (
    texts.every((text) => amountOf(text) !== undefined) &&
    texts.some((text) => currencyOf(text) !== undefined)
  );
}

/** An expression for levels. */
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

/** An expression for objects with a name, from a list, or from a string with separators. */
export function writePeople({ expression, values }: SourceColumn): string | undefined {
  const items = values.flatMap((value) => (isList(value) ? value : [value]));
  if (items.every((item) => isObject(item) && typeof item.name === "string")) {
    return `[${expression}.{ "name": name }]`;
  }
  if (!items.every((item) => typeof item === "string")) return undefined;
  if (values.some(isList)) return `[${expression}.{ "name": $ }]`;
  // The comma in `Lovelace, Ada` separates the parts of one name.
  const isInverted = values.every((value) => /^[^\s,]+, [^\s,]+$/.test(String(value)));
  return `[$split(${expression}, /\\s*[${isInverted ? "" : ","};|&]\\s*/).{ "name": $ }]`;
}

/** An expression for objects with a title, from a list, or from a string with separators. */
export function writeTopics(column: SourceColumn): string | undefined {
  const { expression, values } = column;
  if (!values.every((value) => typeof value === "string" || isList(value))) return undefined;
  return values.some(isList)
    ? `[${expression}.{ "title": $ }]`
    : `[$split(${writePlainText(column)}, /\\s*[\\n;|]\\s*/)[$ != ""].{ "title": $ }]`;
}

/** An expression that chooses a value for each value of a column, each on a separate line. */
function writeChoice(column: SourceColumn, chosen: (text: string) => unknown): string {
  const texts = new Map<string, string[]>();
  for (const text of distinctTexts(column)) addTo(texts, foldChoice(text), text);
  const lines = [...texts.values()].map(
    ([text = ""]) => `    ${safeJson(text)}: ${safeJson(chosen(text))}`,
  );
  return `$choice(${column.expression}, {\n${lines.join(",\n")}\n  })`;
}

/** A column with more different values is not a choice. */
const MAX_CHOICES = 30;

/** An expression for the pace, from words or from a column such as `self_paced`. */
export function writePace(column: SourceColumn): Written | undefined {
  const { expression, names } = column;
  if (names[1].includes("selfpaced")) {
    return { expression: `$published(${expression}) = true ? "self_paced" : "instructor_paced"` };
  }
  const texts = distinctTexts(column);
  if (texts.length > MAX_CHOICES || !texts.some(paceOf)) return undefined;
  const unknown = noteUnknown(column, paceOf);
  return {
    expression: writeChoice(column, (text) => paceOf(text) ?? ""),
    note: unknown && `${unknown}; choose self_paced or instructor_paced`,
  };
}

/** The pace that a value names; undefined if it names none, or several. */
function paceOf(value: unknown): string | undefined {
  const [pace, ...others] = pacesIn(String(value));
  return others.length === 0 ? pace : undefined;
}

/** Whether all values mean published or not, and one of them in words that concern only publishing. */
export function hasStatuses(column: SourceColumn): boolean {
  return (
    column.values.every((value) => isPublished(value) !== undefined) &&
    textsOf(column).some((text) => statusMeaning(text) !== undefined)
  );
}

/** Whether the name or the values show which courses are published. */
export function isStatusLike(column: SourceColumn): boolean {
  const isNamed = isHidden(column) || isCalled(column, "published");
  return column.values.length > 0 && (isNamed || hasStatuses(column));
}

/** Whether the name of the column means that a course is not published. */
function isHidden(column: SourceColumn): boolean {
  return isCalled(column, "hidden");
}

function isCalled({ names }: SourceColumn, kind: ColumnKind): boolean {
  return names.some((name) => rankOfName(kind, name) !== undefined);
}

/** An expression for published. A value that is not understood does not count as yes. */
export function writePublished(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  if (!values.some((value) => isPublished(value) !== undefined)) return undefined;
  const isBoolean = values.every((value) => typeof value === "boolean");
  const says = isBoolean ? expression : `$published(${expression}) = true`;
  const [written, effect] = isHidden(column)
    ? [`$not(${says})`, "published"]
    : [says, "not published"];
  const note = noteUnknown(column, isPublished, `, and therefore ${effect}`);
  return { expression: written, note };
}

/** An expression for true or false, from words for yes and no. */
export function writeYesOrNo(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  if (values.every((value) => typeof value === "boolean")) return { expression };
  const texts = distinctTexts(column);
  if (texts.length > MAX_CHOICES || !texts.some((text) => yesOrNo(text) !== undefined)) {
    return undefined;
  }
  return {
    expression: writeChoice(column, (text) => yesOrNo(text) ?? ""),
    note: noteUnknown(column, (text) => yesOrNo(String(text))),
  };
}
