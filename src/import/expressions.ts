/** Writes JSONata expressions that convert the values of a column to the values of a field. */

import { safeJson } from "../base/text.ts";
import { addTo, isList, isObject } from "../base/values.ts";
import {
  foldChoice,
  isPublished,
  isStatus,
  languageCodes,
  looksLikeHtml,
} from "./mapping-functions.ts";
import { amountOf, hoursOf } from "./quantities.ts";
import {
  distinctTexts,
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

/** An expression for text, without HTML tags. */
export function writePlainText(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  if (values.some((value) => isList(value) || isObject(value))) return undefined;
  const isHtml = textsOf(column).some(looksLikeHtml);
  return { expression: isHtml ? `$plainText(${expression})` : expression };
}

/** An expression for a string. The values of a table are already strings. */
export function writeString(column: SourceColumn): Written {
  return { expression: stringOf(column) };
}

function stringOf({ isTable, expression }: SourceColumn): string {
  return isTable ? expression : `$string(${expression})`;
}

/** An expression for the codes of languages. */
export function writeLanguages(column: SourceColumn): Written | undefined {
  const codes = textsOf(column).flatMap((text) => languageCodes(text) ?? []);
  const isKnown = codes.some((code) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(code));
  return isKnown ? { expression: `$languages(${column.expression})` } : undefined;
}

/** Whether one of the strings is a URL. */
function hasUrls(column: SourceColumn): boolean {
  return textsOf(column).some((text) => /^https?:\/\//i.test(text));
}

/** An expression for a URL; undefined if the values are lists. */
export function writeUrl(column: SourceColumn): Written | undefined {
  const { expression, values } = column;
  return hasUrls(column) && !values.some(isList) ? { expression } : undefined;
}

export function writeVideo(column: SourceColumn): Written | undefined {
  return hasUrls(column) ? { expression: `$video(${column.expression})` } : undefined;
}

/** The unit of time that the name of a column of numbers has in brackets or as a word: `Hours`, `Duration (minutes)`. */
function unitInName(column: SourceColumn): string | undefined {
  return /\b(hour|minute)s?\b/i.exec(nameOf(column).replace(/_/g, " "))?.[1]?.toLowerCase();
}

/** An expression for hours. A number has the unit in the name of its column. */
export function writeDuration(column: SourceColumn): Written | undefined {
  const { expression } = column;
  const texts = textsOf(column);
  const hasNumbers = texts.some((text) => /^\s*\d+(?:[.,]\d+)?\s*$/.test(text));
  if (hasNumbers) {
    const unit = unitInName(column);
    const numbers = `$hours(${stringOf(column)} & " ${unit ?? "hours"}")`;
    return unit === undefined
      ? { advice: `if these are hours, write "duration_in_hours": ${numbers}` }
      : { expression: numbers };
  }
  if (!texts.some((text) => hoursOf(text) !== undefined)) return undefined;
  return { expression: `$hours(${expression})`, note: noteUnknown(column, hoursOf) };
}

/** An expression for a list of one price, whose currency is in another column. */
export function writePrices(
  column: SourceColumn,
  others: readonly SourceColumn[],
): Written | undefined {
  if (!textsOf(column).some((text) => amountOf(text) !== undefined)) return undefined;
  const currency = others.find(({ names }) => /^(?:price)?currency(?:code)?$/.test(names[1]));
  const code = currency === undefined ? '"…"' : `$$.${currency.expression}`;
  const expression = `[$price(${column.expression})[$number($) > 0].{ "type": "single_course", "price": $, "currency": ${code} }]`;
  return currency === undefined
    ? { advice: `with your currency, write "prices": ${expression}` }
    : { expression, note: noteUnknown(column, amountOf), also: currency };
}

/** An expression for objects with a name, from a string with separators. */
export function writePeople({ expression, values }: SourceColumn): Written | undefined {
  if (!values.every((value) => typeof value === "string")) return undefined;
  // The comma in `Lovelace, Ada` separates the parts of one name.
  const isInverted = values.every((value) => /^[^\s,]+, [^\s,]+$/.test(value));
  const separators = isInverted ? ";|&" : ",;|&";
  return { expression: `[$split(${expression}, /\\s*[${separators}]\\s*/).{ "name": $ }]` };
}

/** A column with more different values is not a choice. */
const MAX_CHOICES = 30;

/** An expression that chooses a value for each value of a column, each on a separate line. */
function writeChoice(column: SourceColumn, read: (text: string) => unknown): Written | undefined {
  const texts = distinctTexts(column);
  const isChoice = texts.length <= MAX_CHOICES && !column.values.some(isList);
  if (!isChoice || texts.every((text) => read(text) === undefined)) return undefined;
  const choices = new Map<string, string[]>();
  for (const text of texts) addTo(choices, foldChoice(text), text);
  const lines = [...choices.values()].map(
    ([text = ""]) => `    ${safeJson(text)}: ${safeJson(read(text) ?? "")}`,
  );
  const expression = `$choice(${column.expression}, {\n${lines.join(",\n")}\n  })`;
  return { expression, note: noteUnknown(column, (text) => read(String(text))) };
}

/** The values of a field that other systems write in other forms: `Self-paced` means `self_paced`. */
const PACES = new Map([
  ["self", "self_paced"],
  ["selfpaced", "self_paced"],
  ["instructor", "instructor_paced"],
  ["instructorpaced", "instructor_paced"],
]);

/** A choice of the pace. */
export function writePace(column: SourceColumn): Written | undefined {
  return writeChoice(column, (text) => PACES.get(text.toLowerCase().replace(/[\s_-]/g, "")));
}

const LEVELS: readonly string[] = ["beginner", "intermediate", "advanced"];

/** A choice of levels. One value may name several: `Beginner; Intermediate`. */
export function writeLevels(column: SourceColumn): Written | undefined {
  return writeChoice(column, (text) => {
    const levels = text.toLowerCase().split(/\s*[,;|/]\s*/);
    return levels.every((level) => LEVELS.includes(level)) ? levels : undefined;
  });
}

/** Whether all values mean published or not, and one of them in words that concern only publishing. */
export function hasStatuses(column: SourceColumn): boolean {
  return (
    column.values.length > 0 &&
    column.values.every((value) => isPublished(value) !== undefined) &&
    textsOf(column).some(isStatus)
  );
}

/** An expression for published; `false` if the values do not say which courses are published. */
export function writePublished(column: SourceColumn): Written {
  const { expression, names, values } = column;
  const isHidden = names[1].endsWith("hidden");
  const unknown = values.filter((value) => isPublished(value) === undefined);
  if (isHidden ? unknown.length > 0 : unknown.length === values.length) {
    return { expression: "false", note: "write which of these courses are published" };
  }
  if (isHidden) return { expression: `$not($published(${expression}) = true)` };
  const note = noteUnknown(column, isPublished, ", and therefore not published");
  return { expression: `$published(${expression}) = true`, note };
}
