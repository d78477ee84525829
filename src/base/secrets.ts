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

/** Shorter keys are not masked, because the same letters may be ordinary text. */
const SHORTEST_KEY = 8;

/** The API keys of a run, which the service may echo in its messages. */
export class Secrets {
  readonly #keys = new Set<string>();

  /** Masks a key from now on. */
  add(key: string): void {
    if (key.length >= SHORTEST_KEY) this.#keys.add(key);
  }

  mask(text: string): string {
    return [...this.#keys].reduce((rest, key) => rest.replaceAll(key, MASK), text);
  }
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
