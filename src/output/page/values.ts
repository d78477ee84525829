/** Values of courses as HTML: prices and durations in words, any other object field by field. */
import { attempt } from "../../base/errors.ts";
import { isList, isObject, type Path, type PlainObject } from "../../base/values.ts";
import { partShape, type Shape } from "../../course/shape.ts";
import { isWebUrl, plainCell } from "../cells.ts";
import { type Html, html } from "./html.ts";

/** Shown where there is no value. */
export const NONE = html`<small>none</small>`;

/** A value of a course: a text, a link, a list, or an object field by field. @param shape the one that it should have */
export function valueHtml(value: unknown, language: string | undefined, shape?: Shape): Html {
  if (value === null || value === undefined) return NONE;
  if (typeof value === "string") return codeHtml(value, shape) ?? textHtml(value, language);
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (isList(value)) return listHtml(value, language, shape);
  return isObject(value) ? objectHtml(value, language, shape) : html`${String(value)}`;
}

/** A code in words: `Self-paced`, `English`; undefined for any other text. */
function codeHtml(code: string, shape: Shape | undefined): Html | undefined {
  if (shape?.kind === "enum") {
    return shape.values.includes(code) ? html`<bdi>${humanize(code)}</bdi>` : undefined;
  }
  if (shape?.kind !== "string" || shape.format !== "language") return undefined;
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const name = attempt(() => names.of(code));
  return name === undefined ? undefined : html`<bdi>${name}</bdi>`;
}

function textHtml(text: string, language: string | undefined): Html {
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

function listHtml(list: readonly unknown[], language: string | undefined, shape?: Shape): Html {
  if (list.length === 0) return NONE;
  const itemHtml = (item: unknown): Html => valueHtml(item, language, partShape(shape, 0));
  if (list.length === 1) return itemHtml(list[0]);
  const isInline = list.every((item) =>
    typeof item === "string" ? !isLong(item) && !isWebUrl(item) : typeof item === "number",
  );
  if (isInline) {
    return html`${list.map((item, index) => [index > 0 ? ", " : "", itemHtml(item)])}`;
  }
  return html`<ol>${list.map((item) => html`<li>${itemHtml(item)}</li>`)}</ol>`;
}

/** A price or a period in words, any other object field by field. */
function objectHtml(object: PlainObject, language: string | undefined, shape?: Shape): Html {
  const known = priceText(object) ?? periodText(object);
  if (known !== undefined) return html`<bdi>${known}</bdi>`;
  const entries = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
  if (entries.length === 0) return NONE;
  const items = entries.map(([name, value]) => {
    const shown = valueHtml(value, language, partShape(shape, name));
    return html`<li><small>${humanize(name)}:</small> ${shown}</li>`;
  });
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

/** A name as people write it: `provider_id` is `Provider ID`, and `self_paced` is `Self-paced`. */
export function humanize(name: string): string {
  const isName = /^[a-z]+(?:_[a-z]+)*$/.test(name);
  const words = name.replace("_paced", "-paced").split("_");
  const text = isName ? words.map((word) => SHORT[word] ?? word).join(" ") : name;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const SHORT: Readonly<Record<string, string>> = { id: "ID", url: "URL" };

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
