/** Asks questions on a terminal. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { linkedController } from "../base/async.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { isUnattended } from "../base/process.ts";
import { escapeLine } from "../base/text.ts";
import { hasColor, stylesFor, wrapMessage } from "../output/text-measure.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "io" | "environment" | "options" | "stop">;

interface Question {
  readonly message: string;
  /** The answer that an empty line gives. */
  readonly usual?: string | undefined;
  /** Whether the answer is not shown. */
  readonly isSecret?: boolean;
  /** Returns true, or why an answer is not accepted. */
  readonly validate?: (answer: string) => string | true;
}

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

/** Asks for a string on standard error. */
export async function ask(
  { message, usual, isSecret = false, validate = () => true }: Question,
  { io, environment, options, stop }: Needs,
): Promise<string> {
  const styles = await stylesFor(hasColor(io.err, environment, options.color));
  const style = {
    answer: styles.cyan,
    message: (text: string) => text,
    defaultAnswer: (text: string) => styles.dim(`(${text})`),
    help: styles.dim,
    maskedText: "(hidden)",
    error: (text: string) => styles.red(`  ${text}`),
  };
  const theme = { prefix: { idle: styles.cyan("?"), done: styles.green("✓") }, style };
  const input = io.in.stream;
  const ended = linkedController(stop.signal);
  // Ctrl-D closes the input, which a prompt ignores: the process would end without an answer. An
  // answer that was the last line is still being checked.
  const end = (): void => void yieldToEventLoop().then(() => ended.abort());
  input.once("pause", end);
  const streams = {
    input,
    output: io.err.stream,
    signal: ended.signal,
    clearPromptOnDone: false,
  };
  try {
    if (isSecret) {
      const { default: password } = await import("@inquirer/password");
      // Without `toggleMask`, a key press would show the text.
      return await password({ message, theme, validate, toggleMask: false }, streams);
    }
    const { default: text } = await import("@inquirer/input");
    const preset = usual === undefined ? {} : { default: usual };
    return await text({ message, theme, validate, ...preset }, streams);
  } catch (cause) {
    if (cause instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(cause.name)) {
      throw new CatalogError("interrupted", "interrupted", { cause });
    }
    throw cause;
  } finally {
    input.removeListener("pause", end);
  }
}
