/** Values of courses as HTML: prices and durations in words, any other object field by field. */
import { asText, isList, isObject, type Path, type PlainObject } from "../../base/values.ts";
import { isWebUrl } from "../cells.ts";
import { type Html, html } from "./html.ts";
import { durationText, humanize, labelOf, readableText } from "./labels.ts";

/** Longer texts are separate paragraphs. */
const LONGEST_INLINE = 80;

/** Shown where there is no value. */
export const NONE = html`<span class="none">none</span>`;

/** The value at a path of a course: a text, a link, a list, or an object field by field. */
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

/** A link to another website, which learns nothing about this page; only text unless the URL is http or https. */
export function linkHtml(url: string, text = url): Html {
  if (!isWebUrl(url)) return html`<bdi>${text}</bdi>`;
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
  const known = priceText(object) ?? periodText(object);
  if (known !== undefined) return html`<bdi>${known}</bdi>`;
  const entries = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
  if (entries.length === 0) return html`<span class="none">nothing</span>`;
  const isTitle = (name: string): boolean => name === "name" || name === "title";
  const title = entries.find(([name, value]) => isTitle(name) && typeof value === "string");
  const about = title && entries.find(([name]) => name === "description");
  const parts = entries
    .filter((entry) => entry !== title && entry !== about)
    .map(([name, value]) => partHtml(name, value, path, title !== undefined));
  const list = parts.map((part, index) => [index > 0 ? ", " : "", part]);
  if (title === undefined) return html`${list}`;
  const head = html`<b><bdi>${String(title[1])}</bdi></b>${list.length === 0 ? "" : ", "}${list}`;
  return about === undefined ? head : html`${head}<div>${aboutHtml(about[1], path)}</div>`;
}

/** A field with its value; only one of both where the other adds nothing. */
function partHtml(name: string, value: unknown, path: Path, isTitled: boolean): Html {
  if (value === true) return html`${humanize(name)}`;
  const shown = valueHtml(value, [...path, name]);
  if (isTitled && name === "duration" && periodText(value) !== undefined) return shown;
  return html`<span class="key">${labelOf(name)}:</span> ${shown}`;
}

/** A description as HTML; it may be a list of paragraphs. */
function aboutHtml(value: unknown, path: Path): Html {
  return valueHtml(isList(value) ? value.map(asText).join("\n") : value, [...path, "description"]);
}

/** A period or a duration in words; undefined for any other value. */
function periodText(value: unknown): string | undefined {
  if (!isObject(value) || !hasOnly(value, ["unit", "value"])) return undefined;
  const { unit, value: amount } = value;
  const isKnown =
    typeof unit === "string" && (typeof amount === "number" || typeof amount === "string");
  return isKnown ? durationText(amount, unit) : undefined;
}

const PRICE_KEYS = ["type", "price", "currency", "plan_type", "total_price", "customer_type"];
const PERIOD_KEYS = ["subscription_period", "payment_period", "trial_period"];

/** `Subscription: 9.99 EUR, paid every month, premium plan`; undefined for an object that is not a price or has other fields. */
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
