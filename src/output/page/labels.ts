/** The words that pages use for fields, and the direction of texts. */

/** A name as words, the first one capitalized: `self_paced` is `Self paced`. */
export function humanize(name: string): string {
  const text = /^[a-z]+(?:_[a-z]+)*$/.test(name) ? name.replaceAll("_", " ") : name;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The direction of a text in which most letters run from right to left, even after a Latin word; else the browser's. */
export function directionOf(text: string): "rtl" | "auto" {
  const [all, fromRight] = [/\p{L}/gu, /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu].map(
    (letters) => text.match(letters)?.length ?? 0,
  );
  return 2 * (fromRight ?? 0) > (all ?? 0) ? "rtl" : "auto";
}
