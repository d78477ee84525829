/** Masks secrets in everything that is printed. */
import type { Output } from "./io.ts";

/** Replaces a secret; it shows nothing of it, not even its length. */
export const MASK = "********";

/** Shorter keys are not masked: the same letters are common in ordinary text. */
const SHORTEST_KEY = 8;
/** The same for the part of a key after its dot. */
const SHORTEST_PART = 12;
/** Fewer leading characters of a secret, before a cut, are harmless. */
const SHORTEST_START = 10;
/** What tables print where they cut a string. */
const CUT = "…";

/** The secrets of a run. A service may echo them, in a hint or in its data. */
export class Secrets {
  readonly #forms = new Set<string>();
  readonly #escaped: RegExp[] = [];

  /** Masks a key, and the secret part after its dot, from now on. */
  add(key: string): void {
    const part = key.slice(key.indexOf(".") + 1);
    if (key.length >= SHORTEST_KEY) this.#addForms(key);
    if (part.length >= SHORTEST_PART) this.#addForms(part);
  }

  #addForms(secret: string): void {
    if (this.#forms.has(secret)) return;
    this.#forms.add(secret).add(encodeURIComponent(secret));
    this.#escaped.push(new RegExp([...secret].map(jsonPattern).join(""), "g"));
  }

  /** The text with every secret replaced by the mask. */
  mask(text: string): string {
    let masked = text;
    for (const form of this.#forms) masked = masked.replaceAll(form, MASK);
    if (masked.includes("\\")) {
      for (const pattern of this.#escaped) masked = masked.replace(pattern, MASK);
    }
    if (this.#forms.size === 0 || !masked.includes(CUT)) return masked;
    const parts = masked.split(CUT);
    const last = parts.pop() ?? "";
    return [...parts.map((part) => this.#maskEnd(part)), last].join(CUT);
  }

  /** Masks the start of a secret at the end of a truncated string. */
  #maskEnd(text: string): string {
    for (const form of this.#forms) {
      const longest = Math.min(form.length - 1, text.length);
      for (let length = longest; length >= SHORTEST_START; length--) {
        if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${MASK}`;
      }
    }
    return text;
  }
}

/** Matches a character in each spelling that JSON allows: plain, escaped, or as its code. */
function jsonPattern(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = character.replace(/\W/, "\\$&");
  return `(?:\\\\?${plain}|\\\\u${digits})`;
}

/** The same output, which masks secrets in everything that is written to it. */
export function maskedOutput(output: Output, secrets: Secrets): Output {
  const mask = (text: string): string => secrets.mask(text);
  return {
    get stream() {
      return output.stream;
    },
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    get closed() {
      return output.closed;
    },
    mask,
    write: (text) => output.write(mask(text)),
  };
}
