/** Parses amounts of money and durations in the forms in which people write them. */
import type { PlainObject } from "../base/values.ts";
import { checkCurrency, currencyByName, SHARED_SIGNS } from "../course/codes.ts";
import { fold, meansFree, unitMeaning } from "./words.ts";

/** Longer texts are not quantities, and would take the regular expressions below too long. */
const LONGEST = 100;

const PRICE = /^([^\d-]*)(\d[\d.,'’ ]*?)(?:[.,]?\s?[-–—]+)?([^\d-]*)$/u;

/** Groups of thousands with one separator, and at most two decimal places after another separator. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:([.,'’ ])\d{3})(?:\2\d{3})*)(?:([.,])(\d\d?))?$/u;

/**
 * Parses a price to an amount with two decimal places: `1.299,00 €` and `CHF 1'299.–` give `1299.00`, and words for
 * free give `0.00`. Three digits after the only separator are thousands: `3.000円` gives `3000.00`.
 *
 * @returns undefined for text that is not a price
 */
export function amountOf(value: unknown): string | undefined {
  if (typeof value === "number") return value >= 0 && value < 1e15 ? value.toFixed(2) : undefined;
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const text = value.normalize("NFKC").trim();
  if (meansFree(text)) return "0.00";
  const [, before = "", digits = "", after = ""] = PRICE.exec(text) ?? [];
  const isPrice = [before, after].every((part) => part.trim() === "" || currencyIn(part));
  if (!isPrice) return undefined;
  const [, whole, group, point, decimals = ""] = AMOUNT.exec(digits.trim()) ?? [];
  if (whole === undefined || (point !== undefined && point === group)) return undefined;
  return `${whole.replace(/\D/g, "")}.${decimals.padEnd(2, "0")}`;
}

/** Signs and short forms that are missing from the list of currencies. */
const OTHER_CURRENCIES = new Map([
  ["fr", "CHF"],
  ["sfr", "CHF"],
  ["円", "JPY"],
  ["元", "CNY"],
]);

/** The code of the currency that a text names: `€` gives `EUR`. A sign of several currencies means the most usual. */
function currencyIn(text: string): string | undefined {
  const word = text.trim().replace(/\.$/, "");
  const fault = checkCurrency(word);
  if (fault === undefined) return word;
  return fault.suggestions[0] ?? OTHER_CURRENCIES.get(word.toLowerCase()) ?? currencyByName(word);
}

/** The code of the currency next to the amount of a price: `49 €` gives `EUR`; undefined for a sign of several. */
export function currencyOf(price: string): string | undefined {
  const [, before = "", , after = ""] = PRICE.exec(price.normalize("NFKC").trim()) ?? [];
  const parts = [before, after].filter((part) => !SHARED_SIGNS.has(part.trim()));
  return parts.map(currencyIn).find((code) => code !== undefined);
}

/** The hours of each unit. How many hours a day has, only the user knows. */
const HOURS = { day: undefined, hour: 1, minute: 1 / 60, second: 1 / 3600 };

/**
 * Parses a duration to hours: `1h 30m`, `90 minutes`, `1:30`, `PT1H30M` and `1.5` give 1.5.
 *
 * @param own the hours of further units or words: `{"day": 8}`
 * @returns undefined for text that is not a duration
 */
export function hoursOf(value: unknown, own: PlainObject = {}): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const text = fold(value);
  if (/^\d+(?:[.,]\d+)?$/.test(text)) return numberOf(text);
  const hours = clockHours(text) ?? unitHours(text, own);
  return hours ? Math.round(hours * 100) / 100 : undefined;
}

function numberOf(text: string): number {
  return Number(text.replace(",", "."));
}

function clockHours(text: string): number | undefined {
  const clock = /^(\d+)\s?[:h]\s?([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (clock === null) return undefined;
  const [, hours, minutes, seconds = 0] = clock;
  return Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
}

function unitHours(text: string, own: PlainObject): number | undefined {
  const sizes = new Map(Object.entries(own).map(([unit, hours]) => [fold(unit), hours]));
  const written = /^p(?=.*\d)/.test(text) ? text.replace(/^p|t/g, "") : text;
  const part =
    /\s*(?:[,+]|(?:and|und|et|y|e|en)\b)?\s*(\d+(?:[.,]\d+)?)\s*(\p{L}+(?:-\p{L}+)*)\.?/uy;
  let hours = 0;
  while (part.lastIndex < written.length) {
    const [, amount, word = ""] = part.exec(written) ?? [];
    const unit = unitMeaning(word);
    const size = sizes.get(word) ?? (unit && (sizes.get(unit) ?? HOURS[unit]));
    if (amount === undefined || typeof size !== "number") return undefined;
    hours += numberOf(amount) * size;
  }
  return hours;
}
