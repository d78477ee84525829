/** The words that pages use for fields, and the direction of texts. */
import type { Path } from "../../base/values.ts";

/** The label of a place in a course: `Prices 2: currency`. */
export function labelPath(path: Path): string {
  const [field = "", ...inner] = path;
  const parts = inner.map((step) =>
    typeof step === "number" ? ` ${step + 1}` : `: ${words(step)}`,
  );
  return humanize(String(field)) + parts.join("");
}

/** A name as words, the first one capitalized: `self_paced` is `Self paced`. */
export function humanize(name: string): string {
  const text = words(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function words(name: string): string {
  return /^[a-z]+(?:_[a-z]+)*$/.test(name) ? name.replaceAll("_", " ") : name;
}

/** The direction of a text in which most letters run from right to left, even after a Latin word; else the browser's. */
export function directionOf(text: string): "rtl" | "auto" {
  const [all, fromRight] = [/\p{L}/gu, /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu].map(
    (letters) => text.match(letters)?.length ?? 0,
  );
  return 2 * (fromRight ?? 0) > (all ?? 0) ? "rtl" : "auto";
}
