/**
 * Masks the API key in what people read: messages, logs, errors, reports and tables, but never in data;
 * and keeps control characters and workflow commands out of both.
 */
import type { Output } from "./io.ts";
import type { Environment } from "./process.ts";
import { escapeJson } from "./text.ts";
import { isList, isObject } from "./values.ts";

/** Replaces a secret; it shows nothing of it, not even its length. */
export const MASK = "********";

/** What follows a text that was cut. */
const CUT = "…";
/** Less of a key at the end of such a text can be anything, and more is not left of it. */
const [SHORTEST_BEGINNING, LONGEST_BEGINNING] = [10, 200];

/** Shorter keys are not masked: the same letters are common in ordinary text. */
const SHORTEST_KEY = 8;
/** The same for the part of a key after its dot. */
const SHORTEST_PART = 12;

/** The secrets of a run. A service may echo them, and users may type them in another place. */
export class Secrets {
  /** Everything that is masked, the longest first. */
  #forms: readonly string[] = [];
  #cut = cutPattern([]);

  /** Masks a key, and the secret part after its dot, from now on. */
  add(key: string): void {
    const part = key.slice(key.indexOf(".") + 1);
    const forms = new Set([
      ...this.#forms,
      ...(key.length < SHORTEST_KEY ? [] : formsOf(key)),
      ...(part.length < SHORTEST_PART ? [] : formsOf(part)),
    ]);
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
    this.#cut = cutPattern(this.#forms);
  }

  /** The text with every secret replaced by the mask. */
  mask(text: string): string {
    const masked = this.#forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
    return masked.includes(CUT) ? masked.replace(this.#cut, MASK) : masked;
  }
}

/** The beginning of a secret where a text was cut; nothing if there is no secret. */
function cutPattern(forms: readonly string[]): RegExp {
  const patterns = forms.map((form) => {
    const all = Array.from(form, (character) => character.replace(/\W/, "\\$&"));
    const start = all.slice(0, SHORTEST_BEGINNING);
    const rest = all.slice(SHORTEST_BEGINNING, LONGEST_BEGINNING);
    return start.join("") + rest.reduceRight((after, each) => `(?:${each}${after})?`, "");
  });
  return new RegExp(`(?:${["(?!)", ...patterns].join("|")})(?="?${CUT})`, "g");
}

/** A secret as it is, as a host, in a URL, in JSON, and in Base64, wherever it begins in a group of three bytes. */
function formsOf(secret: string): string[] {
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from("\0".repeat(before) + secret);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString("base64").slice(from, to), bytes.toString("base64url").slice(from, to)];
  });
  const escaped = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return [secret, secret.toLowerCase(), ...escaped, ...encoded];
}

/**
 * A value with every string masked, also the names of keys. Layout comes after it: a string that is cut,
 * wrapped or quoted no longer contains the key in one piece.
 */
export function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (isList(value)) return value.map((element) => maskValue(element, mask));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [mask(name), maskValue(inner, mask)]));
}

/**
 * The same output without secrets in messages, and without control characters beyond ASCII, which pipes
 * lead to terminals, too. In GitHub Actions, it is also without workflow commands that come from data: the
 * runner executes every line that looks like one.
 */
export function guardedOutput(output: Output, secrets: Secrets, environment: Environment): Output {
  const isRunner = environment.GITHUB_ACTIONS === "true";
  const neutralize = isRunner ? neutralizeCommands : (text: string): string => text;
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
    neutralize,
    write: (text, kind = "message") => {
      if (typeof text !== "string") return output.write(text);
      const masked = kind === "message" ? mask(text) : text;
      return output.write(kind === "verbatim" ? text : escapeJson(neutralize(masked)));
    },
  };
}

/** The text with `##[`, the older form of a workflow command, written as an escape. */
export function neutralizeMarkers(text: string): string {
  return text.includes("##[") ? text.replaceAll("##[", "#\\u0023[") : text;
}

/**
 * The text with what the runner of GitHub Actions would execute written as an escape that is also
 * valid in JSON: `##[` anywhere, and `::` at the beginning of a line, even after whitespace. Read as Latin-1,
 * which is how bytes that are not UTF-8 are written, whitespace beyond ASCII consists of other characters.
 */
function neutralizeCommands(text: string): string {
  const unmarked = neutralizeMarkers(text);
  return unmarked.includes("::")
    ? unmarked.replace(/:(?=:)(?<=^[\s\x80-\xff]*:)/gm, "\\u003a")
    : unmarked;
}
