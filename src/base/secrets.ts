/** Keeps secrets out of whatever is printed. */

/** What stands in the place of a secret; it tells nothing of it, not even its length. */
export const MASK = "********";

/** Shorter texts are words that may stand anywhere, and no secret: data must stay what it is. */
const SHORTEST_KEY = 8;
/** The same for the part of a key that stands behind its dot. */
const SHORTEST_PART = 12;
/** Of a secret that was cut short, fewer characters than this tell next to nothing. */
const SHORTEST_REST = 10;
/** What tables write where they cut a text short. */
const CUT = "…";

/** Secrets that were met so far. A service may say them back, in a hint or in its data. */
export class Secrets {
  readonly #forms = new Set<string>();
  readonly #escaped: RegExp[] = [];

  /** Keeps a key, and the part behind its dot that makes it secret, in each way of writing them. */
  add(key: string): void {
    const part = key.slice(key.indexOf(".") + 1);
    if (key.length >= SHORTEST_KEY) this.#keep(key);
    if (part.length >= SHORTEST_PART) this.#keep(part);
  }

  #keep(text: string): void {
    if (this.#forms.has(text)) return;
    this.#forms.add(text).add(encodeURIComponent(text));
    this.#escaped.push(new RegExp([...text].map(anyWriting).join(""), "g"));
  }

  /** The text with a mask in the place of every secret. */
  mask(text: string): string {
    let masked = text;
    for (const form of this.#forms) masked = masked.replaceAll(form, MASK);
    if (masked.includes("\\")) {
      for (const pattern of this.#escaped) masked = masked.replace(pattern, MASK);
    }
    if (this.#forms.size === 0 || !masked.includes(CUT)) return masked;
    const pieces = masked.split(CUT);
    const last = pieces.pop() ?? "";
    return [...pieces.map((piece) => this.#withoutRest(piece)), last].join(CUT);
  }

  /** The text without the beginning of a secret at its end. */
  #withoutRest(text: string): string {
    for (const form of this.#forms) {
      const most = Math.min(form.length - 1, text.length);
      for (let length = most; length >= SHORTEST_REST; length--) {
        if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${MASK}`;
      }
    }
    return text;
  }
}

/** A pattern for a character as JSON may write it: plainly, behind a backslash, or as its code. */
function anyWriting(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = character.replace(/\W/, "\\$&");
  return `(?:\\\\?${plain}|\\\\u${digits})`;
}
