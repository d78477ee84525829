/** Asks questions on a terminal. */
import { Writable } from "node:stream";
import { CatalogError, usageError } from "../base/errors.ts";
import { isUnattended } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import { hasColor, stylesFor, wrapMessage } from "../output/text-measure.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "io" | "environment" | "options" | "stop">;

/** Whether catalog can ask a question: standard input and error are terminals, and not in CI. */
export function canAsk({ io, environment }: Needs): boolean {
  const canAnswer = io.in.isTerminal && !io.in.stream.readableEnded;
  return canAnswer && io.err.isTerminal && !isUnattended(environment);
}

/** The most deletions that the user confirms with a yes; for more, the user types the number. */
const CONFIRMED_BY_YES = 5;

/** The columns that a prompt adds to the first or the last line of its question. */
const PROMPT_WIDTH = 10;

/** Asks for a yes or, before many deletions, for their number. Any other answer is a no. */
export async function confirm(question: string, context: Needs, deletions = 0): Promise<boolean> {
  const isCounted = deletions > CONFIRMED_BY_YES;
  const { err } = context.io;
  // The prompt bypasses `err.write`, which masks secrets, and would break lines inside words.
  const text = escapeLine(err.mask(question));
  const complete = isCounted ? `${text} Type ${deletions} to confirm:` : `${text} (y/N)`;
  const message = wrapMessage(complete, err.columns - PROMPT_WIDTH);
  const answer = (await ask({ message }, context)).trim();
  return isCounted ? answer === String(deletions) : /^y(es)?$/i.test(answer);
}

/** Asks as `confirm` does. @throws CatalogError of kind `cancelled` after a no, `usage` without a terminal */
export async function requireYes(
  question: string,
  context: Needs,
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

/** Asks for a string on standard error. @throws CatalogError of kind `interrupted` after Ctrl-C or Ctrl-D */
export async function ask(
  {
    message,
    usual = "",
    isSecret = false,
  }: {
    readonly message: string;
    /** The answer that an empty line gives. */
    readonly usual?: string | undefined;
    /** Whether the answer is not shown. */
    readonly isSecret?: boolean;
  },
  { io, environment, options, stop }: Needs,
): Promise<string> {
  const styles = await stylesFor(hasColor(io.err, environment, options.color));
  const hint = isSecret ? " (hidden)" : usual && ` (${usual})`;
  const text = `${styles.cyan("?")} ${message}${styles.dim(hint)} `;
  const { createInterface } = await import("node:readline");
  const hidden = new Writable({ write: (_, __, done) => done() });
  const output = isSecret ? hidden : io.err.stream;
  const reader = createInterface({ input: io.in.stream, output, terminal: true });
  const close = (): void => reader.close();
  stop.signal.addEventListener("abort", close, { once: true });
  if (isSecret) io.err.stream.write(text);
  const answer = await new Promise<string | undefined>((resolve) => {
    reader.once("close", () => resolve(undefined));
    reader.question(isSecret ? "" : text, resolve);
  });
  close();
  stop.signal.removeEventListener("abort", close);
  // The terminal shows the Enter key after a visible answer, and nothing for Ctrl-C.
  if (isSecret || answer === undefined) io.err.stream.write("\n");
  if (answer === undefined) throw new CatalogError("interrupted", "interrupted");
  return answer || usual;
}
