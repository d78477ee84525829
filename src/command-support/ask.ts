/** Asks questions, where somebody is there to answer. */

import { CatalogError, usageError } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { escapeLine } from "../base/text.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "io" | "environment" | "options" | "signal">;

/** Whether a CI service runs us, which may offer a terminal that nobody sits at. */
export function isUnattended(environment: Environment): boolean {
  const ci = environment.CI ?? "";
  return ci !== "" && ci !== "false";
}

/** Whether a question can be asked: a terminal on both ends, and no CI service that looks like one. */
export function canAsk({ io, environment }: Pick<Needs, "io" | "environment">): boolean {
  return io.in.isTerminal && io.err.isTerminal && !isUnattended(environment);
}

/** Refuses, before any request, to do what must be confirmed and cannot be. */
export function requireConfirmable(yes: boolean, what: string, context: Needs): void {
  if (yes || canAsk(context)) return;
  throw usageError(
    `${what} needs a confirmation, and there is no terminal to ask on`,
    "Pass --yes if you mean it.",
  );
}

/** Asks a yes-or-no question on standard error; the answer to no answer is no. */
export async function confirm(question: string, context: Needs): Promise<boolean> {
  const { default: ask } = await import("@inquirer/confirm");
  const { theme, streams } = await questioning(context);
  // It goes to the stream past the output that masks what a service may say back.
  const message = escapeLine(context.io.err.mask?.(question) ?? question);
  return await answered(ask({ message, default: false, theme }, streams));
}

/**
 * Asks for a text on standard error.
 *
 * @param wrong says why an answer cannot be taken, or nothing
 */
export async function askText(
  question: { readonly message: string; readonly usual?: string | undefined },
  wrong: (answer: string) => string | undefined,
  context: Needs,
): Promise<string> {
  const { default: ask } = await import("@inquirer/input");
  const { theme, streams } = await questioning(context);
  const { message, usual } = question;
  const validate = (answer: string): string | true => wrong(answer) ?? true;
  const asked = { message, theme, validate, ...(usual === undefined ? {} : { default: usual }) };
  return await answered(ask(asked, streams));
}

/** Asks for a text that nobody must see. @param wrong as in `askText` */
export async function askSecret(
  message: string,
  wrong: (answer: string) => string | undefined,
  context: Needs,
): Promise<string> {
  const { default: ask } = await import("@inquirer/password");
  const { theme, streams } = await questioning(context);
  const validate = (answer: string): string | true => wrong(answer) ?? true;
  // Without this a key press would show the text.
  const hidden = { toggleMask: false };
  return await answered(ask({ message, theme, validate, ...hidden }, streams));
}

/**
 * Asks several questions of which one is for a secret. Each gives the terminal back when it is
 * answered, and what is typed before the next one, a pasted key perhaps, would be shown.
 */
export async function askUnseen<Answers>(
  ask: () => Promise<Answers>,
  { io }: Pick<Needs, "io">,
): Promise<Answers> {
  const terminal = io.in.stream as NodeJS.ReadStream;
  // Only what is a terminal down to the system echoes.
  if (!("setRawMode" in terminal)) return await ask();
  const giveBack = terminal.setRawMode;
  terminal.setRawMode(true);
  terminal.setRawMode = () => terminal;
  try {
    return await ask();
  } finally {
    terminal.setRawMode = giveBack;
    terminal.setRawMode(false);
  }
}

/** How and where questions are asked. */
async function questioning({ io, environment, options, signal }: Needs) {
  const paint = await stylesFor(colorLevel(io.err, environment, options.color));
  const style = {
    answer: paint.cyan,
    message: (text: string) => text,
    defaultAnswer: (text: string) => paint.dim(`(${text})`),
    help: paint.dim,
    maskedText: "(hidden)",
    error: (text: string) => paint.red(`  ${text}`),
  };
  return {
    theme: { prefix: { idle: paint.cyan("?"), done: paint.green("✓") }, style },
    streams: {
      input: io.in.stream as NodeJS.ReadStream,
      output: io.err.stream as NodeJS.WriteStream,
      signal,
      clearPromptOnDone: false,
    },
  };
}

/** The answer; who ends the question in place of answering stops the program. */
async function answered<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (cause) {
    if (cause instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(cause.name)) {
      throw new CatalogError("interrupted", "interrupted", { cause });
    }
    throw cause;
  }
}
