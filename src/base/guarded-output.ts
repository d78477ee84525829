/** Keeps secrets and workflow commands out of an output. */
import type { Output } from "./io.ts";
import type { Environment } from "./process.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The same output without secrets and, in GitHub Actions, without workflow commands that come from
 * data: the runner executes every line that looks like one.
 *
 * @param purpose messages are for people, and quote the service; data may be any text
 */
export function guardedOutput(
  output: Output,
  secrets: Secrets,
  environment: Environment,
  purpose: "messages" | "data",
): Output {
  const isRunner = environment.GITHUB_ACTIONS === "true";
  const neutralize = isRunner ? neutralizeCommands : (text: string): string => text;
  const mask = (text: string): string => secrets.mask(text);
  const maskCertain = (text: string): string => secrets.maskCertain(text);
  const written = purpose === "messages" ? mask : maskCertain;
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
    maskCertain,
    neutralize,
    write: (text, verbatim = false) => {
      const masked = written(text);
      return output.write(verbatim ? masked : neutralize(masked));
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
