/**
 * Masks the API key in text for people (messages, logs, errors, reports and tables), but never in data. In all
 * output, escapes control characters and workflow commands.
 */
import type { Output } from "./io.ts";
import type { Environment } from "./process.ts";
import { escapeJson } from "./text.ts";
import { isList, isObject } from "./values.ts";

/** Replaces a secret; shows nothing of the secret, not even its length. */
export const MASK = "********";

const CUT = "…";
/** How many characters of a key are recognized at the end of a cut text. Fewer could be ordinary text. */
const [SHORTEST_BEGINNING, LONGEST_BEGINNING] = [10, 200];

/** Shorter keys are not masked, because the same letters may be ordinary text. */
const SHORTEST_KEY = 8;
/** If the part of a key after its dot is shorter, that part alone is not masked. */
const SHORTEST_PART = 12;

/** The secrets of a run. The service may echo them, and the user may type them in the wrong place. */
export class Secrets {
  /** The strings that are masked, the longest first. */
  #forms: readonly string[] = [];
  /** Made when a text was cut, because most runs cut none. */
  #cut: RegExp | undefined;

  /** Masks a key, and the secret part after its dot, from now on. */
  add(key: string): void {
    const part = key.slice(key.indexOf(".") + 1);
    const forms = new Set([
      ...this.#forms,
      ...(key.length < SHORTEST_KEY ? [] : formsOf(key)),
      ...(part.length < SHORTEST_PART ? [] : formsOf(part)),
    ]);
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
    this.#cut = undefined;
  }

  mask(text: string): string {
    const masked = this.#forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
    if (!masked.includes(CUT)) return masked;
    this.#cut ??= cutPattern(this.#forms);
    return masked.replace(this.#cut, MASK);
  }
}

/** Matches the beginning of a secret at the end of a cut text; matches nothing if there are no secrets. */
function cutPattern(forms: readonly string[]): RegExp {
  const patterns = forms.map((form) => {
    const all = Array.from(form, (character) => character.replace(/\W/, "\\$&"));
    const start = all.slice(0, SHORTEST_BEGINNING);
    const rest = all.slice(SHORTEST_BEGINNING, LONGEST_BEGINNING);
    return start.join("") + rest.reduceRight((after, each) => `(?:${each}${after})?`, "");
  });
  return new RegExp(`(?:${["(?!)", ...patterns].join("|")})(?="?${CUT})`, "g");
}

/** A secret in its usual encodings: plain, as a host, in a URL, in JSON, and in Base64 at each offset of three bytes. */
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
 * A copy of a value in which all strings and names of fields are masked. Must run before layout, because a string
 * that was cut, wrapped or quoted may no longer contain the key in one piece.
 */
export function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (isList(value)) return value.map((element) => maskValue(element, mask));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [mask(name), maskValue(inner, mask)]));
}

/**
 * An output that masks secrets in messages, and escapes control characters beyond ASCII even for pipes, which may
 * lead to a terminal. In GitHub Actions, the output also escapes workflow commands in data, because the runner
 * executes every line that looks like a command.
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

/** The text in which `##[`, the older form of a workflow command, is an escape: `#\u0023[`. */
export function neutralizeMarkers(text: string): string {
  return text.includes("##[") ? text.replaceAll("##[", "#\\u0023[") : text;
}

/**
 * Escapes what the runner of GitHub Actions would execute: `##[` anywhere, and `::` at the beginning of a line,
 * even after whitespace. The escapes are valid in JSON: `::set-env` becomes `\u003a:set-env`. Bytes that are not
 * UTF-8 are written as Latin-1, in which whitespace beyond ASCII consists of other characters.
 */
function neutralizeCommands(text: string): string {
  const unmarked = neutralizeMarkers(text);
  return unmarked.includes("::")
    ? unmarked.replace(/:(?=:)(?<=^[\s\x80-\xff]*:)/gm, "\\u003a")
    : unmarked;
}
