/** Wraps an output so that no secret goes through it. */
import type { Output } from "./io.ts";
import type { Secrets } from "./secrets.ts";

/** The output with secrets masked in every text that is written to it. */
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
