/** The words that pages use for fields, and the attributes of texts. */
import type { Path } from "../../base/values.ts";
import { type Html, html } from "./html.ts";

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
