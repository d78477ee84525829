/** Asks questions on a terminal. */
import { linkedController, yieldToEventLoop } from "../base/async.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { isUnattended } from "../base/process.ts";
import { escapeName } from "../base/text.ts";
import { hasColor, stylesFor } from "../output/color.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "io" | "environment" | "options" | "stop">;

/** Whether catalog can ask a question: standard input and error are terminals, and not in CI. */
export function canAsk({ io, environment }: Needs): boolean {
  const canAnswer = io.in.isTerminal && !io.in.stream.readableEnded;
  return canAnswer && io.err.isTerminal && !isUnattended(environment);
}

/** Requires a terminal for a question. @param what needs a yes: `deleting 2 courses` @throws CatalogError of kind `usage` */
export function requireConfirmable(what: string, context: Needs): void {
  if (canAsk(context)) return;
  throw usageError(
    `without a terminal, catalog cannot ask before ${what}`,
    "To go ahead without a question, pass --yes.",
  );
}

/** The columns that a prompt adds to the first or the last line of its question. */
const PROMPT_WIDTH = 10;

/** Asks a yes-or-no question on standard error; the default is no. */
export async function confirm(question: string, context: Needs): Promise<boolean> {
  const { default: ask } = await import("@inquirer/confirm");
  const { loadTextMeasure, wrapMessage } = await import("../output/text-measure.ts");
  const { err } = context.io;
  // The prompt bypasses `err.write`, which masks secrets, and would break lines inside words.
  const text = escapeName(err.mask(question));
  const message = wrapMessage(text, err.columns - PROMPT_WIDTH, await loadTextMeasure());
  return await prompt(context, (theme, streams) =>
    ask({ message, default: false, theme }, streams),
  );
}

/** Asks for a string on standard error. @param validate returns true, or why it is not accepted */
export async function askText(
  question: { readonly message: string; readonly usual?: string | undefined },
  validate: (answer: string) => string | true,
  context: Context,
): Promise<string> {
  const { default: ask } = await import("@inquirer/input");
  const { message, usual } = question;
  const preset = usual === undefined ? {} : { default: usual };
  return await prompt(context, (theme, streams) =>
    ask({ message, theme, validate, ...preset }, streams),
  );
}

/** Asks for a string without showing it. @param validate as in `askText` */
export async function askSecret(
  message: string,
  validate: (answer: string) => string | true,
  context: Context,
): Promise<string> {
  const { default: ask } = await import("@inquirer/password");
  // Without `toggleMask`, a key press would show the text.
  return await prompt(context, (theme, streams) =>
    ask({ message, theme, validate, toggleMask: false }, streams),
  );
}

async function prompt<Answer>(
  { io, environment, options, stop }: Needs,
  ask: (theme: object, streams: object) => Promise<Answer>,
): Promise<Answer> {
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
  try {
    return await ask(theme, {
      input,
      output: io.err.stream,
      signal: ended.signal,
      clearPromptOnDone: false,
    });
  } catch (cause) {
    if (cause instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(cause.name)) {
      throw new CatalogError("interrupted", "interrupted", { cause });
    }
    throw cause;
  } finally {
    input.removeListener("pause", end);
  }
}
