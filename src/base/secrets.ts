/** Keeps secrets out of whatever is printed. */

/** What stands in the place of a secret; it tells nothing of it, not even its length. */
export const MASK = "********";

/** Parts shorter than this are words that may stand anywhere. */
const SHORTEST_PART = 12;

/** Secrets that were met so far. A service may say them back, in a hint or in its data. */
export class Secrets {
  readonly #forms = new Set<string>();

  /** Keeps a key, and the part behind its dot that makes it secret, in each way of writing them. */
  add(key: string): void {
    for (const text of [key, key.slice(key.indexOf(".") + 1)]) {
      if (text !== key && text.length < SHORTEST_PART) continue;
      for (const form of [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]) {
        if (form !== "") this.#forms.add(form);
      }
    }
  }

  /** The text with a mask in the place of every secret. */
  mask(text: string): string {
    let masked = text;
    for (const form of this.#forms) masked = masked.replaceAll(form, MASK);
    return masked;
  }
}
