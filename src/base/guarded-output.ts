/** Keeps secrets and workflow commands out of an output. */
import type { Output } from "./io.ts";
import type { Environment } from "./process.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The same output without secrets in messages and, in GitHub Actions, without workflow commands that come
 * from data: the runner executes every line that looks like one.
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
      const masked = kind === "message" ? mask(text) : text;
      return output.write(kind === "verbatim" ? text : neutralize(masked));
    },
  };
}

/** The text with `##[`, the older form of a workflow command, written as an escape. */
export function neutralizeMarkers(text: string): string {
  return text.includes("##[") ? text.replaceAll("##[", "#\\u0023[") : text;
}

/**
 * The text with what the runner of GitHub Actions would execute written as an escape that is also
 * valid in JSON: `##[` anywhere, and `::` at the beginning of a line, even after whitespace.
 */
function neutralizeCommands(text: string): string {
  const unmarked = neutralizeMarkers(text);
  return unmarked.includes("::")
    ? unmarked.replace(/:(?=:)(?<=^[\s\u0085]*:)/gm, "\\u003a")
    : unmarked;
}
