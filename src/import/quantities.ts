/** Parses amounts of money and durations in the forms in which people write them. */
import { foldCase } from "../base/text.ts";
import { CURRENCIES } from "../course/string-formats.ts";

/** Longer texts are not quantities, and would take the regular expressions below too long. */
const LONGEST = 100;

const PRICE = /^([^\d-]*)(\d[\d.,'’ ]*?)(?:[.,]?\s?[-–—]+)?([^\d-]*)$/u;

/** Groups of thousands with one separator, and at most two decimal places after another separator. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:([.,'’ ])\d{3})(?:\2\d{3})*)(?:([.,])(\d\d?))?$/u;

/**
 * Parses a price to an amount with two decimal places: `1.299,00 €` and `CHF 1'299.–` give `1299.00`, and `free`
 * gives `0.00`. Three digits after the only separator are thousands: `3.000 €` gives `3000.00`.
 *
 * @returns undefined for text that is not a price
 */
export function amountOf(value: unknown): string | undefined {
  if (typeof value === "number") {
    if (!/^\d+(?:\.\d+)?$/.test(String(value))) return undefined;
    return /\.\d{3}/.test(String(value)) ? String(value) : value.toFixed(2);
  }
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const text = value.normalize("NFKC").trim();
  if (/^(?:free|free of charge|no charge)$/i.test(text)) return "0.00";
  const [, before = "", digits = "", after = ""] = PRICE.exec(text) ?? [];
  const isPrice = [before, after].every((part) => part.trim() === "" || isCurrency(part));
  if (!isPrice) return undefined;
  const [, whole, group, point, decimals = ""] = AMOUNT.exec(digits.trim()) ?? [];
  if (whole === undefined || (point !== undefined && point === group)) return undefined;
  return `${whole.replace(/\D/g, "")}.${decimals.padEnd(2, "0")}`;
}

/** Whether a text is a code or a sign of a currency. */
function isCurrency(text: string): boolean {
  const word = text.trim();
  return CURRENCIES.current.has(word.toUpperCase()) || SIGN.test(word);
}

const SIGN = /^(?:\p{Sc}|[a-z]{1,2}\$|euros?|zł|kč|ft)$/iu;

/** The hours of each unit. Only the user knows how many hours a day has. */
const HOURS = new Map([
  ...unit(1, "h, hr, hrs, hour, hours"),
  ...unit(1 / 60, "m, min, mins, minute, minutes"),
  ...unit(1 / 3600, "s, sec, secs, second, seconds"),
]);

function unit(hours: number, words: string): [string, number][] {
  return words.split(", ").map((word) => [word, hours]);
}

/**
 * Parses a duration to hours: `1h 30m`, `90 minutes`, `1:30` and `PT1H30M` give 1.5.
 *
 * @returns undefined for a number without a unit, and for text that is not a duration
 */
export function hoursOf(value: unknown): number | undefined {
  if (typeof value !== "string" || value.length > LONGEST || MONTHS.test(value)) return undefined;
  const text = foldCase(value.trim());
  const hours = clockHours(text) ?? unitHours(text);
  return hours ? Math.round(hours * 100) / 100 : undefined;
}

/** Months, as people write them; minutes have a small m, or hours before them. */
const MONTHS = /^\s*[\d.,]+\s?M\s*$/;

function clockHours(text: string): number | undefined {
  const clock = /^(\d+)\s?[:h]\s?([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (clock === null) return undefined;
  const [, hours, minutes, seconds = 0] = clock;
  return Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600;
}

function unitHours(text: string): number | undefined {
  // Without a T, the M of ISO 8601 means months.
  const written = text.replace(/^p(?:0[a-z])*t(?=\d)/, "");
  const part = /\s*(?:[,+]|and\b)?\s*(\d+(?:[.,]\d+)?)\s*(\p{L}+)\.?/uy;
  let hours = 0;
  while (part.lastIndex < written.length) {
    const [, amount, word = ""] = part.exec(written) ?? [];
    const size = HOURS.get(word);
    if (amount === undefined || size === undefined) return undefined;
    hours += Number(amount.replace(",", ".")) * size;
  }
  return hours;
}
