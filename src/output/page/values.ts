/** Values of courses as HTML: prices and durations in words, any other object field by field. */
import { attempt } from "../../base/errors.ts";
import { isList, isObject, type PlainObject } from "../../base/values.ts";
import { isWebUrl } from "../cells.ts";
import { type Html, html } from "./html.ts";
import { directionOf, humanize } from "./labels.ts";

/** Longer texts are separate paragraphs. */
const LONGEST_INLINE = 80;

/** Shown where there is no value. */
export const NONE = html`<span class="none">none</span>`;

/** A value of a course: a text, a link, a list, or an object field by field. */
export function valueHtml(value: unknown): Html {
  if (value === null || value === undefined) return NONE;
  if (typeof value === "string") return textHtml(value);
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (isList(value)) return listHtml(value);
  return isObject(value) ? objectHtml(value) : html`${String(value)}`;
}

function textHtml(text: string): Html {
  if (text.trim() === "") return html`<span class="none">empty</span>`;
  if (isWebUrl(text)) return linkHtml(text);
  const direction = directionOf(text);
  return isLong(text)
    ? html`<p class="text" dir="${direction}">${text}</p>`
    : html`<bdi dir="${direction}">${text}</bdi>`;
}

/** A link to another website, which learns nothing about this page; only text unless the URL is http or https. */
export function linkHtml(url: string, text = url): Html {
  if (!isWebUrl(url)) return html`<bdi>${text}</bdi>`;
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${text}</a>`;
}

function isLong(text: string): boolean {
  return text.length > LONGEST_INLINE || text.includes("\n");
}

function listHtml(list: readonly unknown[]): Html {
  if (list.length === 0) return html`<span class="none">an empty list</span>`;
  const isInline = list.every((item) =>
    typeof item === "string" ? !isLong(item) && !isWebUrl(item) : typeof item === "number",
  );
  if (isInline) {
    return html`${list.map((item, index) => [index > 0 ? ", " : "", valueHtml(item)])}`;
  }
  const items = list.map((item) => html`<li>${valueHtml(item)}</li>`);
  return list.length === 1 ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`;
}

/** A price or a period in words, any other object field by field. */
function objectHtml(object: PlainObject): Html {
  const known = priceText(object) ?? periodText(object);
  if (known !== undefined) return html`<bdi>${known}</bdi>`;
  const entries = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
  if (entries.length === 0) return html`<span class="none">nothing</span>`;
  const items = entries.map(
    ([name, value]) =>
      html`<li><span class="key">${humanize(name)}:</span> ${valueHtml(value)}</li>`,
  );
  return html`<ul class="plain">${items}</ul>`;
}

/** A period or a duration in words; undefined for any other value. */
function periodText(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).sort().join() !== "unit,value") return undefined;
  const { unit, value: amount } = value;
  if (typeof unit !== "string" || !/^(?:number|string)$/.test(typeof amount)) return undefined;
  return `${String(amount)} ${Number(amount) === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** An amount as people write it: `€49.90`, or `Free`. */
function moneyText(amount: unknown, currency: unknown): string | undefined {
  if (typeof amount !== "string") return undefined;
  if (/^0+(?:\.0+)?$/.test(amount)) return "Free";
  const isNumber = /^\d+(?:\.\d+)?$/.test(amount) && typeof currency === "string";
  const options = {
    style: "currency",
    currency: String(currency),
    maximumFractionDigits: 20,
  } as const;
  const format = isNumber ? attempt(() => new Intl.NumberFormat("en", options)) : undefined;
  // A number would lose digits of a long amount.
  return format?.format(amount as `${number}`) ?? [amount, currency].filter(Boolean).join(" ");
}

function phrase(text: string | undefined, before: string, after = ""): string | undefined {
  return text === undefined ? undefined : `${before}${text}${after}`;
}

function textAs(value: unknown, before: string, after = ""): string | undefined {
  return phrase(typeof value === "string" ? value : undefined, before, after);
}

/** The parts of a price in words, in order; a part is undefined if its value is not what the key can have. */
const PRICE_PARTS: Readonly<
  Record<string, (value: unknown, currency: unknown) => string | undefined>
> = {
  price: moneyText,
  currency: (value) => (typeof value === "string" ? "" : undefined),
  type: (value) => (value === "single_course" ? "" : textAs(value, "")),
  payment_period: (value) => phrase(periodText(value)?.replace(/^1 /, ""), "paid every "),
  subscription_period: (value) => phrase(periodText(value), "for "),
  total_price: (value, currency) => phrase(moneyText(value, currency), "", " in total"),
  trial_period: (value) => phrase(periodText(value), "first ", " free"),
  plan_type: (value) => textAs(value, "", " plan"),
  customer_type: (value) => textAs(value, "for "),
};

/** `€9.99, subscription, paid every month, premium plan`; undefined for an object that is not a price or has other fields. */
function priceText(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.price !== "string") return undefined;
  if (Object.keys(value).some((key) => !Object.hasOwn(PRICE_PARTS, key))) return undefined;
  const parts = Object.entries(PRICE_PARTS).map(([key, textOf]) =>
    (value[key] ?? null) === null ? "" : textOf(value[key], value.currency),
  );
  return parts.includes(undefined) ? undefined : parts.filter((part) => part !== "").join(", ");
}
