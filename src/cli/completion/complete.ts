/** Answers a shell that completes a word of a `catalog` line (`catalog __complete -- words…`). */
import { maskedOutput } from "../../base/masked-output.ts";
import { Secrets } from "../../base/secrets.ts";
import { escapeLine } from "../../base/text.ts";
import type { System } from "../../command-support/system.ts";
import { type Answer, completeLine, type Directive, NOTHING } from "./candidates.ts";
import { RemoteCandidates } from "./remote-candidates.ts";

/** Says that the word to complete is a new one, for shells that cannot pass an empty word. */
const NEW_WORD = "--new";

/**
 * Prints the candidates for the last word, one per line, and a directive. Failures print nothing:
 * pressing Tab is not a command.
 *
 * @param argv the words after `__complete`: perhaps `--new`, then `--`, then those after `catalog`
 */
export async function complete(argv: readonly string[], system: System): Promise<void> {
  const isNew = argv[0] === NEW_WORD;
  const typed = argv.slice(isNew ? 1 : 0);
  // Some shells drop the dashes.
  const words = [...typed.slice(typed[0] === "--" ? 1 : 0), ...(isNew ? [""] : [])];
  const secrets = new Secrets();
  const remote = new RemoteCandidates(system, secrets);
  const answer = await completeLine(words, remote).catch(() => NOTHING);
  await maskedOutput(system.io.out, secrets).write(answerText(answer));
  // The shell does not wait for connections to close.
  void remote.close();
}

/**
 * The answer as the scripts read it: one candidate per line, with its description after a tab; last
 * the directive, after a colon. Values with control characters are left out.
 */
function answerText({ candidates, directive }: Answer): string {
  const lines = candidates
    .filter(({ value }) => escapeLine(value) === value)
    .map(({ value, description = "" }) =>
      description === "" ? value : `${value}\t${description}`,
    );
  // A line break before an `=` would end the answer early.
  const isUnsafe = "prefix" in directive && escapeLine(directive.prefix) !== directive.prefix;
  return `${[...lines, directiveLine(isUnsafe ? NOTHING.directive : directive)].join("\n")}\n`;
}

function directiveLine(directive: Directive): string {
  switch (directive.kind) {
    case "files":
      return `:files\t${directive.extensions.join(" ")}\t${directive.prefix}`;
    case "folders":
      return `:folders\t${directive.prefix}`;
    case "command":
      return `:command\t${directive.start}`;
    case "end":
    case "nospace":
      return `:${directive.kind}`;
  }
}
