/** Values of courses as HTML: prices and durations in words, any other object field by field. */
import { attempt } from "../../base/errors.ts";
import { isList, isObject, type Path, type PlainObject } from "../../base/values.ts";
import { isWebUrl, plainCell } from "../cells.ts";
import { type Html, html } from "./html.ts";

/** Shown where there is no value. */
export const NONE = html`<small>none</small>`;

/** The language of the texts of a course, if there is one. */
type Language = string | undefined;

/** A value of a course: a text, a link, a list, or an object field by field. */
export function valueHtml(value: unknown, language: Language): Html {
  if (value === null || value === undefined) return NONE;
  if (typeof value === "string") return textHtml(value, language);
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (isList(value)) return listHtml(value, language);
  return isObject(value) ? objectHtml(value, language) : html`${String(value)}`;
}

function textHtml(text: string, language: Language): Html {
  if (text.trim() === "") return html`<small>empty</small>`;
  if (isWebUrl(text)) return linkHtml(text);
  const attributes = textAttributes(text, language);
  return isLong(text)
    ? html`<p class="text"${attributes}>${text}</p>`
    : html`<bdi${attributes}>${text}</bdi>`;
}

/** A link to another website, which learns nothing about this page; only text unless the URL is http or https. */
export function linkHtml(url: string, text = url): Html {
  if (!isWebUrl(url)) return html`<bdi>${text}</bdi>`;
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${text}</a>`;
}

/** Whether a text is a separate paragraph. */
function isLong(text: string): boolean {
  return text.length > 80 || text.includes("\n");
}

function listHtml(list: readonly unknown[], language: Language): Html {
  if (list.length === 0) return html`<small>an empty list</small>`;
  if (list.length === 1) return valueHtml(list[0], language);
  const isInline = list.every((item) =>
    typeof item === "string" ? !isLong(item) && !isWebUrl(item) : typeof item === "number",
  );
  if (isInline) {
    return html`${list.map((item, index) => [index > 0 ? ", " : "", valueHtml(item, language)])}`;
  }
  return html`<ol>${list.map((item) => html`<li>${valueHtml(item, language)}</li>`)}</ol>`;
}

/** A price or a period in words, any other object field by field. */
function objectHtml(object: PlainObject, language: Language): Html {
  const known = priceText(object) ?? periodText(object);
  if (known !== undefined) return html`<bdi>${known}</bdi>`;
  const entries = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
  if (entries.length === 0) return html`<small>nothing</small>`;
  const items = entries.map(
    ([name, value]) =>
      html`<li><small>${humanize(name)}:</small> ${valueHtml(value, language)}</li>`,
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

/** `€9.99, subscription, payment period 1 month`; undefined for an object that is not a price. */
export function priceText(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.price !== "string") return undefined;
  const { price, currency, type, total_price: total, ...others } = value;
  const parts = {
    "": moneyText(price, currency),
    type: type === "single_course" ? null : type,
    "total price": moneyText(total, currency),
    ...others,
  };
  const given = Object.entries(parts).filter(([, part]) => (part ?? null) !== null);
  const texts = given.map(([name, part]) => {
    const text = periodText(part) ?? plainCell(part);
    return name === "type" ? text : `${name.replaceAll("_", " ")} ${text}`.trim();
  });
  return texts.join(", ");
}

/** A name as words, the first one capitalized: `self_paced` is `Self paced`. */
export function humanize(name: string): string {
  const text = /^[a-z]+(?:_[a-z]+)*$/.test(name) ? name.replaceAll("_", " ") : name;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The label of a place in a course: `Syllabus 4: Title`. */
export function labelPath(path: Path): string {
  const parts = path.map((step) => (typeof step === "number" ? ` ${step + 1}` : humanize(step)));
  return parts.join(": ").replaceAll(":  ", " ");
}

/** Languages that are written from right to left. */
const FROM_RIGHT = /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/**
 * The direction and the language of a text of a course; words of the program and codes have no language. A text runs
 * from right to left if its language does, or most of its letters, even after a Latin word; else the browser decides.
 */
export function textAttributes(text: string, language: string | undefined): Html {
  const all = text.match(/\p{L}/gu)?.length ?? 0;
  const fromRight = text.match(/(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu)?.length ?? 0;
  const isFromRight = FROM_RIGHT.test(language ?? "") ? fromRight > 0 : 2 * fromRight > all;
  const hasLanguage = language !== undefined && /\s|[^ -~]/.test(text);
  return html` dir="${isFromRight ? "rtl" : "auto"}"${hasLanguage ? html` lang="${language}"` : undefined}`;
}
