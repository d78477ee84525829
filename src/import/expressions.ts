/** Writes the expressions of a suggested mapping, each for the values of a column. */
import { pluralize } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { choicesAt } from "../course/fields.ts";
import { plainText } from "../course/plain-text.ts";
import { isPublished, isStatus } from "./mapping-functions.ts";
import { amountOf, hoursOf, languageCodes } from "./quantities.ts";
import {
  foldName,
  listSamples,
  nameOf,
  type SourceColumn,
  textsOf,
  type Written,
} from "./source-columns.ts";

/** A note about values that a function does not understand; undefined without such values. */
function noteUnknown(
  column: SourceColumn,
  read: (value: unknown) => unknown,
  consequence = "",
): string | undefined {
  const unknown = textsOf(column).filter((text) => read(text) === undefined);
  return unknown.length === 0 ? undefined : `not understood${consequence}: ${listSamples(unknown)}`;
}

/** An expression for text; without markup, if a value has some. */
function writePlainText(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  if (values.some((value) => isList(value) || isObject(value))) return undefined;
  const isHtml = textsOf(column).some((text) => plainText(text) !== text);
  return { expression: isHtml ? `$plainText(${expression})` : expression };
}

/** An expression for a string. The values of a table are already strings. */
function stringOf({ isTable, expression }: SourceColumn): string {
  return isTable ? expression : `$string(${expression})`;
}

/** An expression for the codes of languages. */
function writeLanguages(column: SourceColumn): Written | undefined {
  if (!textsOf(column).some(languageCodes)) return undefined;
  const note = noteUnknown(column, languageCodes);
  return { expression: `$languages(${column.expression})`, note };
}

/** Whether one of the strings is a URL. */
function hasUrls(column: SourceColumn): boolean {
  return textsOf(column).some(isAddress);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** An expression for a URL: the links of the cells, if they have some; undefined if the values are lists. */
function writeUrl(column: SourceColumn, others: readonly SourceColumn[]): Written | undefined {
  const { expression, values } = column;
  const links = others.find((other) => nameOf(other) === `${nameOf(column)} (link)`);
  if (!hasUrls(column) || values.some(isList)) return undefined;
  if (links === undefined) return { expression };
  const without = values.length - links.values.length - textsOf(column).filter(isAddress).length;
  const note = without > 0 ? `${pluralize(without, "cell")} without a link` : undefined;
  const address = `${expression}[$contains($, /^https?:/i)]`;
  return { expression: `[${links.expression}, ${address}][0]`, also: [links], note };
}

/** The starts of URLs that are missing from addresses of these forms: `www.academy.example/c`, `/knitting/`, `knitting`. */
const STARTS: readonly (readonly [form: RegExp, start: string])[] = [
  [/^www\.\S+$/, "https://"],
  [/^\/[\w/-]*$/, "https://academy.example"],
  [/^[\w/-]+$/, "https://academy.example/courses/"],
];

/** An expression for the address of a course, of which a column may have only the end. */
function writeAddress(column: SourceColumn, others: readonly SourceColumn[]): Written | undefined {
  if (hasUrls(column)) return writeUrl(column, others);
  const texts = textsOf(column).map((text) => text.trim());
  const [, start] = STARTS.find(([form]) => texts.some((text) => form.test(text))) ?? [];
  if (start === undefined) return undefined;
  return { advice: `for URLs of your website, write "url": "${start}" & ${column.expression}` };
}

/** An expression for hours. The unit of numbers is in the name of the column, or only the user knows it. */
function writeDuration(column: SourceColumn): Written | undefined {
  const { expression } = column;
  const texts = textsOf(column);
  if (texts.some((text) => /^\s*\d+(?:[.,]\d+)?\s*$/.test(text))) {
    const unit = /min/i.test(nameOf(column)) ? "minutes" : "hours";
    const hours = `$hours(${stringOf(column)} & " ${unit}")`;
    return { advice: `if these are ${unit}, write "duration_in_hours": ${hours}` };
  }
  if (!texts.some((text) => hoursOf(text) !== undefined)) return undefined;
  return { expression: `$hours(${expression})`, note: noteUnknown(column, hoursOf) };
}

/** An expression for a list of one price, whose currency is in another column. */
function writePrices(column: SourceColumn, others: readonly SourceColumn[]): Written | undefined {
  const texts = textsOf(column);
  const currency = others.find(({ names }) => /^(?:price)?currency(?:code)?$/.test(names[1]));
  const [known = "EUR"] = currency === undefined ? [] : textsOf(currency);
  const read = (value: unknown) => amountOf(value) ?? amountOf(value, known);
  if (!texts.some((text) => read(text) !== undefined)) return undefined;
  const code = currency === undefined ? '"…"' : currency.expression;
  const inPath = currency === undefined ? code : `$$.${code}`;
  const sale = others.find(({ names, values }) => names[1] === "saleprice" && values.length > 0);
  const amount = sale ? `[${sale.expression}, ${column.expression}][0]` : column.expression;
  const expression = `[$price(${amount}, ${code})[$number($) > 0].{ "type": "single_course", "price": $, "currency": ${inPath} }]`;
  const signs = new Set(texts.join(" ").match(/\p{Sc}|\b[A-Z]{3}\b/gu));
  const whose = signs.size > 1 ? "the currency of each price" : "your currency";
  return currency === undefined
    ? { advice: `with ${whose}, write "prices": ${expression}` }
    : { expression, note: noteUnknown(column, read), also: sale ? [currency, sale] : [currency] };
}

/** An expression for the pace, if each value is one: `Self-paced`. */
function writePace({ expression, values }: SourceColumn): Written | undefined {
  const names = new Map(choicesAt(["pace"]).map((pace) => [foldName(pace), pace]));
  const choices = new Map(values.map((text) => [text, names.get(foldName(String(text)))]));
  return [...choices.values()].includes(undefined)
    ? undefined
    : { expression: `$choice(${expression}, ${JSON.stringify(Object.fromEntries(choices))})` };
}

/** An expression for levels, if each value names only levels: `Beginner; Intermediate`. */
function writeLevels({ expression, values }: SourceColumn): Written | undefined {
  const levels = choicesAt(["level", 0]).join("|");
  const pattern = new RegExp(`^(?:(?:${levels})(?:[,;|/ ]+|$))+$`, "i");
  return values.every((value) => typeof value === "string" && pattern.test(value.trim()))
    ? { expression: `$split($lowercase(${expression}), /[,;|\\/ ]+/)` }
    : undefined;
}

/** Whether all values mean published or not, and one of them in words that concern only publishing. */
export function hasStatuses(column: SourceColumn): boolean {
  const areKnown = column.values.every((value) => isPublished(value) !== undefined);
  return areKnown && textsOf(column).some(isStatus);
}

/** Published, where the values of a column do not say which courses are. */
export function writeUnpublished({ expression }: SourceColumn): Written {
  const note = `write which of these are published, such as ${expression} = "…"`;
  return { expression: "false", note };
}

/** An expression for published; `false` if the values do not say which courses are published. */
function writePublished(column: SourceColumn): Written {
  const { expression, names, values } = column;
  const isInverted = /(?:hidden|draft|archived|private|retired|deleted)$/.test(names[1]);
  const unknown = values.filter((value) => isPublished(value) === undefined);
  const isClear = isInverted
    ? unknown.length === 0 && !textsOf(column).some(isStatus)
    : unknown.length < values.length;
  if (!isClear) return writeUnpublished(column);
  if (isInverted) return { expression: `$not($published(${expression}) = true)` };
  const note = noteUnknown(column, isPublished, ", and therefore not published");
  return { expression: `$published(${expression}) = true`, note };
}

/** Writes the expression of each field for a column; undefined if its values do not fit. */
export const WRITERS = {
  key: (column): Written => ({ expression: stringOf(column) }),
  name: writePlainText,
  url: writeAddress,
  short_description: writePlainText,
  long_description: writePlainText,
  audio: writeLanguages,
  provider: writePlainText,
  pace: writePace,
  published: writePublished,
  prices: writePrices,
  video: (column): Written | undefined =>
    hasUrls(column) ? { expression: `$video(${column.expression})` } : undefined,
  level: writeLevels,
  image_url: writeUrl,
  duration_in_hours: writeDuration,
} satisfies Record<
  string,
  (column: SourceColumn, others: readonly SourceColumn[]) => Written | undefined
>;
