/** Reads amounts of money, durations, languages, videos and offers in the forms in which people and pages write them. */
import { foldCase } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import {
  CURRENCIES,
  decimalsOf,
  findLanguage,
  isUrl,
  readDecimal,
} from "../course/string-formats.ts";

/** Longer texts are not quantities, and would take the regular expressions below too long. */
const LONGEST = 100;

const PRICE = /^([^\d-]*)(\d[\d.,'’ ]*?)(?:[.,]?\s?[-–—]+)?([^\d-]*)$/u;

/**
 * Parses a price to an amount with the decimal places of its currency: `1.299,00 €` and `CHF 1'299.–` give `1299.00`,
 * `KWD 12.500` gives `12.500`, and `free` gives `0.00`. The currency may be in the text or, as a code, next to it.
 *
 * @returns undefined for text that is not a price, or that can be read in two ways, such as `1.299` without a currency
 */
export function amountOf(value: unknown, code?: unknown): string | undefined {
  const known = typeof code === "string" && CURRENCIES.current.has(code) ? code : undefined;
  if (typeof value === "number") {
    return /^\d+(?:\.\d+)?$/.test(String(value)) ? writeAmount(String(value), known) : undefined;
  }
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const text = value.normalize("NFKC").trim();
  if (/^(?:free|free of charge|no charge)$/i.test(text)) return writeAmount("0", known);
  const [, before = "", digits = "", after = ""] = PRICE.exec(text) ?? [];
  const words = [before, after].map((part) => part.trim().toUpperCase()).filter(Boolean);
  const codes = words.filter((word) => CURRENCIES.current.has(word));
  if (!words.every((word) => codes.includes(word) || SIGN.test(word))) return undefined;
  const [own, ...others] = new Set([...codes, ...(known === undefined ? [] : [known])]);
  if (others.length > 0) return undefined;
  const decimals = own === undefined && words.length === 0 ? undefined : decimalsOf(own ?? "");
  const number = readNumber(digits.trim(), decimals);
  return number && writeAmount(number, own);
}

/** A sign of a currency with at most two decimal places. */
const SIGN = /^(?:\p{Sc}|[A-Z]{1,2}\$|EUROS?|ZŁ|KČ|FT)$/u;

/** The amount with the decimal places of its currency; undefined with more than two that the currency does not have. */
function writeAmount(number: string, currency = ""): string | undefined {
  const [whole = "", fraction = ""] = number.split(".");
  const decimals = decimalsOf(currency);
  const written = fraction.padEnd(decimals, "0");
  if (written.length > Math.max(2, decimals)) return undefined;
  return written === "" ? whole : `${whole}.${written}`;
}

/**
 * The number with a point as its decimal sign. With at most two decimals, three digits after the only separator are
 * thousands; with more, they are decimals after a point.
 *
 * @returns undefined for what is not a number, or can be read in two ways
 */
function readNumber(text: string, decimals: number | undefined): string | undefined {
  const [, first = "", sign, last = ""] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(text) ?? [];
  if (sign === undefined) return readDecimal(text);
  if (decimals === undefined) return undefined;
  if (decimals < 3) return first + last;
  return sign === "." ? text : undefined;
}

/** The hours of each unit. Only the user knows how many hours a day has. */
const HOURS = new Map([
  ...byWord(1, "h, hr, hrs, hour, hours"),
  ...byWord(1 / 60, "m, min, mins, minute, minutes"),
  ...byWord(1 / 3600, "s, sec, secs, second, seconds"),
]);

/** Entries of a map for the words that mean a value; commas separate the words. */
export function byWord<Value>(value: Value, words: string): [string, Value][] {
  return words.split(", ").map((word) => [word, value]);
}

/**
 * Parses a duration to hours: `1h 30m`, `90 minutes`, `1:30` and `PT1H30M` give 1.5.
 *
 * @returns undefined for a number without a unit, for one such as `1,200` that can be read in two ways, and for text that
 * is not a duration
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
  const part = /\s*(?:[,+]|and\b)?\s*(\d[\d.,]*)\s*(\p{L}+)\.?/uy;
  let hours = 0;
  while (part.lastIndex < written.length) {
    const [, amount = "", word = ""] = part.exec(written) ?? [];
    const size = HOURS.get(word);
    const number = readNumber(amount, undefined);
    if (number === undefined || size === undefined) return undefined;
    hours += Number(number) * size;
  }
  return hours;
}

/**
 * The codes of languages in a list or a string: `English; Portuguese (Brazil)` gives `["en", "pt-BR"]`.
 *
 * @returns undefined if one of them is unknown
 */
export function languageCodes(value: unknown): readonly string[] | undefined {
  const parts = [value]
    .flat()
    .flatMap((part) => (typeof part === "string" ? splitNames(part) : part));
  const codes = parts.map((part) => (typeof part === "string" ? findLanguage(part) : undefined));
  const known = codes.filter((code) => code !== undefined);
  return known.length === 0 || known.length < codes.length ? undefined : [...new Set(known)];
}

/** The names in a text, which may be a list of a program: `["en", "de"]`, `{en,de}`. Separators are signs, and "and". */
function splitNames(text: string): string[] {
  if (text.length > LONGEST * 10) return [text];
  const parts = text.split(/[,;|/&+]|\s+and\s+/i);
  return parts.map((part) => part.replace(/^[\s"'[{]+|[\s"'\]}]+$/g, "")).filter(Boolean);
}

const VIDEO_FILE = /\.(?:3gp|avi|flv|m3u8|m4v|mkv|mov|mp4|mpd|mpe?g|ogg|ogv|webm|wmv)$/i;

/** The field `video` for the URL of a video; undefined for other values, such as the page of a channel. */
export function videoOf(value: unknown): object | undefined {
  const url = isList(value) ? value[0] : value;
  const video = typeof url === "string" ? videoByAddress(url.trim()) : undefined;
  const isFile =
    video?.type !== "self_hosted" || VIDEO_FILE.test(new URL(String(video.url)).pathname);
  return isFile ? video : undefined;
}

/**
 * Reads offers of schema.org: the prices of a course, and whether each price that a page names is used. Of several price specifications, the one that is charged is used, and a recurring one is a
 * subscription. Not used are ranges, prices without a currency, several prices between which the page does not decide,
 * and free offers, unless all are free.
 */
export function readOffers(value: unknown) {
  const offers = [value].flat().filter(isObject).flatMap(innerOffers);
  const byOffer = offers.map(namedPrices);
  const charged = byOffer.flat().filter(({ isCharged }) => isCharged);
  const areFree = charged.length > 0 && charged.every(({ isFree }) => isFree);
  const prices = new Map<string, PlainObject>();
  const named = byOffer.flatMap((all) => {
    const isDecided = findDecided(all);
    return all.map((each) => {
      const { value, amount, terms, isCharged, isFree } = each;
      const isPrice = amount !== undefined && terms !== undefined && isCharged && !isFree;
      const isUnderstood = areFree ? isCharged : isPrice && isDecided(each);
      const price = { type: terms?.type, price: amount, ...terms };
      if (isUnderstood && !areFree) prices.set(JSON.stringify(price), price);
      return { value, isUnderstood };
    });
  });
  const isPartlyFree = offers.some(({ category }) => /^partially free$/i.test(String(category)));
  return { prices: [...prices.values()], isFree: areFree || isPartlyFree, named };
}

/** The offers of an aggregate offer, or else the offer itself. */
function innerOffers(offer: PlainObject): PlainObject[] {
  const { priceCurrency, lowPrice, highPrice } = offer;
  const inner = [offer.offers].flat().filter(isObject);
  if (inner.length > 0) return inner.map((each) => ({ priceCurrency, ...each }));
  const isOne = lowPrice !== undefined && lowPrice === highPrice;
  return [isOne ? { price: lowPrice, ...offer } : offer];
}

/** The prices of an offer: its specifications, and its own price if no specification has the same amount. */
function namedPrices(offer: PlainObject): ReturnType<typeof readPrice>[] {
  const { price, priceSpecification, ...common } = offer;
  const found = [priceSpecification].flat().filter(isObject);
  const specified = found.map((each) => readPrice(each, { ...common, ...each }));
  if (price === undefined && specified.length > 0) return specified;
  const own = readPrice(offer, offer);
  const others = specified.map((each) =>
    each.amount === own.amount ? each : { ...each, isCharged: false },
  );
  return others.some(({ isCharged }) => isCharged) ? others : [own, ...others];
}

/** A price that a page names for a course. */
function readPrice(source: PlainObject, offer: PlainObject) {
  const { category, priceCurrency: currency } = offer;
  const type = String(offer.priceType ?? offer.priceComponentType ?? "").replace(/^.*[/#:]/, "");
  const amount = amountOf(offer.price, currency);
  const period = periodOf(offer);
  const isRecurring = type === "Subscription" || /subscription/i.test(String(category));
  const isPeriod = isObject(period);
  const kind = { type: isRecurring || isPeriod ? "subscription" : "single_course" };
  const terms = { ...kind, currency, ...(isPeriod && { payment_period: period }) };
  return {
    /** What messages show of it. */
    value: source.price ?? source,
    amount,
    isFree: Number(amount) === 0 || String(category).toLowerCase() === "free",
    /** Whether buyers pay it: not a list price, a first payment, or a price for members. */
    isCharged: !NOT_CHARGED.test(type) && offer.validForMemberTier === undefined,
    isSale: type === "SalePrice",
    /** The other keys of a price of a course; undefined if the page does not say what they are. */
    terms: period !== "unknown" && typeof currency === "string" ? terms : undefined,
  };
}

const NOT_CHARGED =
  /^(?:ListPrice|StrikethroughPrice|MSRP|SRP|InvoicePrice|MinimumAdvertisedPrice|Downpayment|Installment|\w+Fee)$/;

/** Returns whether an offer names no other price of the same currency and period, or this is the only sale price. */
function findDecided(all: ReturnType<typeof namedPrices>) {
  const amounts = new Map<string, Set<unknown>>();
  const keyOf = ({ terms }: (typeof all)[number], isSale: boolean) =>
    JSON.stringify([terms, isSale]);
  for (const each of all) {
    const key = keyOf(each, each.isSale);
    if (each.isCharged) amounts.set(key, (amounts.get(key) ?? new Set()).add(each.amount));
  }
  return (price: (typeof all)[number]): boolean => {
    const hasSale = !price.isSale && amounts.has(keyOf(price, true));
    return amounts.get(keyOf(price, price.isSale))?.size === 1 && !hasSale;
  };
}

/** The units of billing, as UN/CEFACT codes, in ISO 8601, and as words. */
const PERIODS = new Map([
  ...byWord("days", "d, day, days, daily"),
  ...byWord("weeks", "w, wee, week, weeks, weekly"),
  ...byWord("months", "m, mon, month, months, monthly"),
  ...byWord("years", "y, ann, year, years, yearly, annual, annually"),
]);

/** Units of a price that is paid once: a piece or a person. */
const ONCE = /^(?:|c62|ea|h87|one|ie|unit|course|person|participant|student)$/;

/** The period for which a price is paid again and again; undefined for a price that is paid once. */
function periodOf(offer: PlainObject): PlainObject | "unknown" | undefined {
  const { billingDuration: duration, billingIncrement: increment } = offer;
  const reference: PlainObject = Object(offer.referenceQuantity);
  const [, size, letter] = /^P(\d+)([DWMY])$/.exec(String(duration)) ?? [];
  const { unitCode = reference.unitCode, unitText = reference.unitText } = offer;
  const word = String(letter ?? unitCode ?? unitText ?? "")
    .trim()
    .toLowerCase();
  const unit = PERIODS.get(word.replace(/^per /, ""));
  const isBilled = duration !== undefined || increment !== undefined;
  if (unit === undefined) return !isBilled && ONCE.test(word) ? undefined : "unknown";
  const billed = increment ?? (isBilled && size === undefined ? 1 : undefined);
  // A number of payments that ends is not a subscription.
  const values = [billed, size ?? duration, reference.value].filter((each) => each !== undefined);
  const [value = 1, ...others] = new Set(values.map(Number));
  return value > 0 && others.length === 0 ? { unit, value } : "unknown";
}

const YOUTUBE =
  /^https?:\/\/(?:(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live|v)\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i;
const VIMEO = /^https?:\/\/(?:(?:www|player)\.)?vimeo\.com\/(?:[^?#]*\/)?(\d+)(?![^/?#])/i;

/** The `video` field for a URL: `https://youtu.be/dQw4w9WgXcQ` → `{ type: "youtube", id: "dQw4w9WgXcQ" }`. */
function videoByAddress(address: string): PlainObject | undefined {
  if (!isUrl(address)) return undefined;
  const [, youtube] = YOUTUBE.exec(address) ?? [];
  if (youtube !== undefined) return { type: "youtube", id: youtube };
  const [, vimeo] = VIMEO.exec(address) ?? [];
  return vimeo === undefined ? { type: "self_hosted", url: address } : { type: "vimeo", id: vimeo };
}
