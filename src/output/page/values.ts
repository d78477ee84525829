/** Values of courses as HTML: what is known as people write it, anything else key by key. */
import { isList, isObject, type Path, type PlainObject } from "../../base/values.ts";
import { isWebUrl } from "../cells.ts";
import { type Html, html } from "./html.ts";
import { durationText, humanize, labelOf, readableText } from "./labels.ts";

/** Longer texts get lines of their own. */
const LONGEST_INLINE = 80;

/** Stands for no value. */
export const NONE = html`<span class="none">none</span>`;

/** The value at a path of a course; a text or a link, a list, or an object key by key. */
export function valueHtml(value: unknown, path: Path): Html {
  if (value === null || value === undefined) return NONE;
  if (typeof value === "string") return textHtml(value, path);
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (isList(value)) return listHtml(value, path);
  return isObject(value) ? objectHtml(value, path) : html`${String(value)}`;
}

function textHtml(text: string, path: Path): Html {
  if (text.trim() === "") return html`<span class="none">empty</span>`;
  if (isWebUrl(text)) return linkHtml(text);
  const shown = readableText(text, path);
  return isLong(shown) ? html`<p class="text" dir="auto">${shown}</p>` : html`<bdi>${shown}</bdi>`;
}

/** A link to a page elsewhere, which learns nothing about this one. */
export function linkHtml(url: string, text = url): Html {
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${text}</a>`;
}

function isLong(text: string): boolean {
  return text.length > LONGEST_INLINE || text.includes("\n");
}

function listHtml(list: readonly unknown[], path: Path): Html {
  if (list.length === 0) return html`<span class="none">an empty list</span>`;
  const isInline = list.every((item) =>
    typeof item === "string" ? !isLong(item) && !isWebUrl(item) : typeof item === "number",
  );
  if (isInline) {
    return html`${list.map((item, index) => [index > 0 ? ", " : "", valueHtml(item, path)])}`;
  }
  const items = list.map((item, index) => html`<li>${valueHtml(item, [...path, index])}</li>`);
  return list.length === 1 ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`;
}

function objectHtml(object: PlainObject, path: Path): Html {
  const known = knownText(object);
  if (known !== undefined) return html`<bdi>${known}</bdi>`;
  const entries = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
  if (entries.length === 0) return html`<span class="none">nothing</span>`;
  const isTitled = entries.some(([name]) => isTitle(name));
  const parts = entries.map(([name, value]) => {
    const shown = valueHtml(value, [...path, name]);
    if (isTitle(name)) return html`<b>${shown}</b>`;
    if (value === true) return html`<span>${humanize(name)}</span>`;
    if (isTitled && (name === "description" || name === "duration"))
      return html`<span>${shown}</span>`;
    return html`<span><span class="key">${labelOf(name)}:</span> ${shown}</span>`;
  });
  return html`<span class="parts">${parts}</span>`;
}

function isTitle(name: string): boolean {
  return name === "name" || name === "title";
}

/** A price, a period or a duration as people write it; undefined for any other object. */
function knownText(object: PlainObject): string | undefined {
  return priceText(object) ?? periodText(object);
}

function periodText(value: unknown): string | undefined {
  if (!isObject(value) || !hasOnly(value, ["unit", "value"])) return undefined;
  const { unit, value: amount } = value;
  const isKnown =
    typeof unit === "string" && (typeof amount === "number" || typeof amount === "string");
  return isKnown ? durationText(amount, unit) : undefined;
}

const PRICE_KEYS = ["type", "price", "currency", "plan_type", "total_price", "customer_type"];
const PERIOD_KEYS = ["subscription_period", "payment_period", "trial_period"];

/** `Subscription: 9.99 EUR every 1 month, premium plan`; undefined for what is not just a price. */
export function priceText(value: unknown): string | undefined {
  if (!isObject(value) || !hasOnly(value, [...PRICE_KEYS, ...PERIOD_KEYS])) return undefined;
  const { type, price, currency, plan_type: plan, total_price: total } = value;
  const periods = PERIOD_KEYS.map((name) => value[name] ?? undefined);
  const [length, payment, trial] = periods.map(periodText);
  const texts = PRICE_KEYS.map((name) => value[name] ?? undefined);
  const isKnown =
    typeof type === "string" &&
    typeof price === "string" &&
    texts.every((text) => text === undefined || typeof text === "string") &&
    periods.every((period) => period === undefined || periodText(period) !== undefined);
  if (!isKnown) return undefined;
  const amount = (text: unknown): string => [text, currency].filter((part) => part).join("\u00a0");
  const details = [
    payment && `paid every ${payment.replace(/^1 /, "")}`,
    length && `for ${length}`,
    total && `${amount(total)} in total`,
    trial && `first ${trial} free`,
    plan && `${plan} plan`,
    value.customer_type && `for ${value.customer_type}`,
  ].filter((part) => typeof part === "string" && part !== "");
  const what = type === "single_course" ? "" : `${humanize(type)}: `;
  return what + [amount(price), ...details].join(", ");
}

function hasOnly(object: PlainObject, names: readonly string[]): boolean {
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every((key) => names.includes(key));
}
