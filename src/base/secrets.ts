/** Masks secrets in everything that is shown. */
import { isList, isObject, memoize } from "./values.ts";

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

/**
 * A string that must not be shown, with the ways in which other text may spell it. They are long, and
 * built when they are first needed.
 */
interface Secret {
  readonly text: string;
  /** Base64, wherever the secret begins in the encoded bytes. */
  readonly encoded: () => readonly string[];
  /** The same, with breaks in it. */
  readonly encodedWithBreaks: () => RegExp;
  /** The characters as they are, in either case. */
  readonly plain: () => RegExp;
  /** The same, with white space or invisible characters between them. */
  readonly withGaps: () => RegExp;
  /**
   * Each character plain, a JSON escape, percent-encoded (also repeatedly) or an HTML entity,
   * with breaks between them.
   */
  readonly pattern: () => RegExp;
  /** Whether it can only be a key: an ordinary word may be a key, too. */
  readonly isCertain: boolean;
}

/** The secrets of a run. A service may echo them, in a hint or in its data. */
export class Secrets {
  readonly #secrets = new Map<string, Secret>();

  /** Masks a key, and the secret part after its dot, from now on. */
  add(key: string): void {
    const part = key.slice(key.indexOf(".") + 1);
    const hasTwoParts = /^[^.]+\.[^.]+$/.test(key);
    if (key.length >= SHORTEST_KEY) this.#add(key, hasTwoParts);
    // The name of a field may be a key's second part, but it has no digits.
    if (part.length >= SHORTEST_PART) this.#add(part, hasTwoParts && /\d/.test(part));
    // A number in JSON has at most 17 digits, and these would be shown.
    for (const text of [key, part]) {
      const number = String(Number(text));
      if (number !== "NaN" && number !== text && number.length >= SHORTEST_PART)
        this.#add(number, true);
    }
  }

  #add(text: string, isCertain: boolean): void {
    if (this.#secrets.has(text)) return;
    const characters = [...text];
    const encoded = memoize(() => encodedForms(text));
    this.#secrets.set(text, {
      ...{ text, encoded, isCertain },
      plain: memoize(() => new RegExp(characters.map(escapeForPattern).join(""), "gi")),
      withGaps: memoize(() => new RegExp(characters.map(escapeForPattern).join(`${GAP}*`), "gi")),
      pattern: memoize(() => new RegExp(characters.map(characterPattern).join(`${BREAK}*`), "gi")),
      encodedWithBreaks: memoize(() => {
        const forms = encoded().map((form) => [...form].map(escapeForPattern).join(`${BREAK}*`));
        return new RegExp(forms.join("|"), "g");
      }),
    });
  }

  /** The text with every secret replaced by the mask: for messages, and text from the service. */
  mask(text: string): string {
    return this.#mask(text, () => true);
  }

  /**
   * The same for other text, where a key that is one ordinary word stays: it may be a field's name.
   */
  maskCertain(text: string): string {
    return this.#mask(text, ({ isCertain }) => isCertain);
  }

  #mask(text: string, applies: (secret: Secret) => boolean): string {
    const secrets = [...this.#secrets.values()].filter(applies);
    let masked = text;
    for (const secret of secrets) {
      const { plain, encoded, encodedWithBreaks, withGaps, pattern } = secret;
      // No spelling is shorter than the secret.
      if (masked.length < secret.text.length) continue;
      masked = masked.replace(plain(), MASK);
      for (const form of encoded()) masked = masked.replaceAll(form, MASK);
      const isEscaped = NEEDS_PATTERN.test(masked);
      if (isEscaped) masked = masked.replace(pattern(), MASK);
      // Removing the gaps first would need many times the memory of a large text.
      if (!isEscaped && !HAS_GAP.test(masked)) continue;
      masked = masked.replace(withGaps(), MASK).replace(encodedWithBreaks(), MASK);
    }
    if (secrets.length === 0 || !masked.includes(CUT)) return masked;
    const parts = masked.split(CUT);
    const last = parts.pop() ?? "";
    return [...parts.map((part) => maskEnd(part, secrets)), last].join(CUT);
  }
}

/** Masks the start of a secret at the end of a truncated string. */
function maskEnd(text: string, secrets: readonly Secret[]): string {
  const lower = text.toLowerCase();
  for (const { text: form } of secrets) {
    const longest = Math.min(form.length - 1, text.length);
    for (let length = longest; length >= SHORTEST_START; length--) {
      if (lower.endsWith(form.toLowerCase().slice(0, length)))
        return `${text.slice(0, -length)}${MASK}`;
    }
  }
  return text;
}

/** What may interrupt a key: characters without a width, white space, and line breaks and tabs of JSON. */
const GAP =
  "(?:[\\s\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\uffa0]|\\udb40[\\udc00-\\udfff])";
const HAS_GAP = new RegExp(GAP);
/** JSON in JSON doubles backslashes. More would take time by the square of their number. */
const [ANY_BACKSLASHES, BACKSLASHES] = ["\\\\{0,15}", "\\\\{1,15}"];
const BREAK = `(?:${GAP}|${BACKSLASHES}[nrt])`;
/** Matches a string in which a character may be escaped or encoded. */
const NEEDS_PATTERN = /[\\%&]/;
/** The characters that HTML names instead of using their codes. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
};

/** Matches an ASCII character as it may be written: plain, after a backslash, by its code or name. */
function characterPattern(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const name = HTML_NAMES[character];
  const named = name === undefined ? "" : `|&${name};`;
  // The longer spellings first: a plain "&" or "%" may also be the start of one.
  const spellings = `&#(?:x0*${hex}|0*${code});?|${BACKSLASHES}(?:u00|x)${hex}|%(?:25){0,9}(?:u00)?${hex}${named}`;
  return `(?:${spellings}|${ANY_BACKSLASHES}${escapeForPattern(character)})`;
}

function escapeForPattern(character: string): string {
  return character.replace(/\W/, "\\$&");
}

/**
 * The characters of Base64 that a secret determines, wherever it begins in a group of three bytes.
 */
function encodedForms(secret: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from("\0".repeat(before) + secret);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString("base64").slice(from, to), bytes.toString("base64url").slice(from, to)];
  });
  return [...new Set(forms)];
}

/**
 * A value with every string masked, also the names of keys, and numbers with the digits of a key.
 * Layout comes after it: a string that is cut, wrapped or quoted no longer contains the key in one
 * piece.
 */
export function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === String(value) ? value : MASK;
  if (isList(value)) return mapChanged(value, (element) => maskValue(element, mask));
  if (!isObject(value)) return value;
  let changed = false;
  const entries = Object.entries(value).map(([name, inner]) => {
    const entry = [mask(name), maskValue(inner, mask)] as const;
    changed ||= entry[0] !== name || entry[1] !== inner;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** The list itself if no element changes: most values contain no secret. */
function mapChanged(
  list: readonly unknown[],
  change: (element: unknown) => unknown,
): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((element, index) => element !== list[index]) ? changed : list;
}
