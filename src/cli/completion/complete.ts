/** Answers a shell that completes a word of a `catalog` line (`catalog __complete -- words…`). */
import { maskedOutput } from "../../base/masked-output.ts";
import { Secrets } from "../../base/secrets.ts";
import type { System } from "../../command-support/system.ts";
import { type Answer, answerText, NOTHING } from "./answer.ts";
import { completed } from "./candidates.ts";
import { Known } from "./known.ts";

/** Says that the word to complete is a new one, for shells that cannot hand an empty word over. */
const NEW_WORD = "--new";

/**
 * Prints the candidates for the last of the words, one a line, and last what else the shell may
 * offer. Whatever goes wrong is silence: nobody has asked for anything yet.
 *
 * @param argv the words behind `__complete`: perhaps `--new`, then `--`, then those behind `catalog`
 */
export async function complete(argv: readonly string[], world: System): Promise<void> {
  const isNew = argv[0] === NEW_WORD;
  const typed = argv.slice(isNew ? 1 : 0);
  // Some shells keep the dashes for themselves.
  const words = [...typed.slice(typed[0] === "--" ? 1 : 0), ...(isNew ? [""] : [])];
  const secrets = new Secrets();
  const known = new Known(world, secrets);
  let answer: Answer = NOTHING;
  try {
    answer = await completed(words, known);
  } catch {
    // An answer in the place of an error.
  }
  await maskedOutput(world.io.out, secrets).write(answerText(answer));
  // Nobody waits for the connections of an answer that has been given.
  void known.close();
}
