/** Asks questions on a terminal. */
import { Writable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { type IO, isUnattended } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import { hasColor, stylesFor, wrapMessage } from "../output/text-measure.ts";
import type { Context } from "./context.ts";

/** Whether catalog can ask a question: standard input and error are terminals, and not in CI. */
export function canAsk({ io, environment }: Context): boolean {
  const canAnswer = io.in.isTerminal && !io.in.stream.readableEnded;
  return canAnswer && io.err.isTerminal && !isUnattended(environment);
}

/** The most deletions that the user confirms with a yes; for more, the user types the number. */
const CONFIRMED_BY_YES = 5;

/** The columns that a prompt adds to the first or the last line of its question. */
const PROMPT_WIDTH = 10;

/** Asks for a yes or, before many deletions, for their number. Any other answer is a no. */
export async function confirm(question: string, context: Context, deletions = 0): Promise<boolean> {
  const isCounted = deletions > CONFIRMED_BY_YES;
  const { err } = context.io;
  // The prompt bypasses `err.write`, which masks secrets, and would break lines inside words.
  const text = escapeLine(err.mask(question));
  const complete = isCounted ? `${text} Type ${deletions} to confirm:` : `${text} (y/N)`;
  const message = wrapMessage(complete, err.columns - PROMPT_WIDTH);
  if (deletions > 0) await discardTyped(context.io.in.stream);
  const [typed = ""] = await ask([{ message }], context);
  const answer = typed.trim();
  return isCounted ? answer === String(deletions) : /^y(es)?$/i.test(answer);
}

/** Asks as `confirm` does. @throws CatalogError of kind `cancelled` after a no, `usage` without a terminal */
export async function requireYes(
  question: string,
  context: Context,
  deletions: number,
): Promise<void> {
  if (!canAsk(context)) {
    throw usageError(
      `without a terminal, catalog cannot ask: ${question}`,
      "To go ahead without a question, pass --yes.",
    );
  }
  if (await confirm(question, context, deletions)) return;
  throw new CatalogError("cancelled", "Cancelled: nothing was changed.");
}

/** Discards what was typed on a terminal before a question was shown: it cannot be meant as an answer. */
async function discardTyped(input: IO["in"]["stream"]): Promise<void> {
  if (input.setRawMode === undefined) return;
  const discard = (): void => undefined;
  // Raw mode hands over lines that wait in the terminal, at the next turn of the event loop.
  input.setRawMode(true);
  input.on("data", discard);
  input.resume();
  await yieldToEventLoop();
  await yieldToEventLoop();
  input.pause();
  input.off("data", discard);
  input.setRawMode(false);
}

/**
 * Asks for strings on standard error, one after another. One reader reads all answers, so that a secret is not shown
 * even if it is pasted together with the answer before it.
 *
 * @throws CatalogError of kind `interrupted` after Ctrl-C or Ctrl-D
 */
export async function ask(
  questions: readonly {
    readonly message: string;
    /** The answer that an empty line gives. */
    readonly usual?: string | undefined;
    /** Whether the answer is not shown. */
    readonly isSecret?: boolean;
    /** @throws CatalogError if the answer is invalid: then the next question is not asked */
    readonly check?: (answer: string) => void;
  }[],
  { io, environment, options, stop }: Context,
): Promise<string[]> {
  const { err } = io;
  const styles = await stylesFor(hasColor(err, environment, options.color));
  const { createInterface } = await import("node:readline");
  let isHidden = false;
  const screen = new Writable({
    write: (chunk, _, done) => {
      if (!isHidden) err.stream.write(chunk);
      done();
    },
  });
  const output = Object.assign(screen, { columns: err.columns });
  const reader = createInterface({ input: io.in.stream, output, terminal: true });
  const close = (): void => reader.close();
  stop.signal.addEventListener("abort", close, { once: true });
  const answers: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      reader.once("close", () => reject(new CatalogError("interrupted", "interrupted")));
      // In the turn in which a line is read, because the next line may come in the same turn.
      const next = (): unknown => {
        const { message, usual = "", isSecret = false, check } = questions[answers.length] ?? {};
        if (message === undefined) return resolve();
        const hint = isSecret ? " (hidden)" : usual && ` (${usual})`;
        const text = `${styles.cyan("?")} ${message}${styles.dim(hint)} `;
        if (isSecret) err.stream.write(text);
        isHidden = isSecret;
        reader.question(isSecret ? "" : text, (typed) => {
          // Nothing that follows is shown before the next question.
          isHidden = true;
          if (isSecret) err.stream.write("\n");
          const answer = typed || usual;
          try {
            check?.(answer);
          } catch (error) {
            return reject(error);
          }
          answers.push(answer);
          next();
        });
      };
      next();
    });
  } catch (error) {
    // The terminal shows nothing for Ctrl-C.
    if (asCatalogError(error).kind === "interrupted") err.stream.write("\n");
    throw error;
  } finally {
    close();
    stop.signal.removeEventListener("abort", close);
  }
  return answers;
}
