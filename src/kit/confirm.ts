/** Asks before something is deleted, where somebody is there to answer. */

import type { Environment } from "../base/environment.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { oneLine } from "../base/text.ts";
import { colourLevel, paintFor } from "../output/colour.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "io" | "environment" | "options" | "signal">;

/** Whether a CI service runs us, which may offer a terminal that nobody sits at. */
export function isUnattended(environment: Environment): boolean {
  const ci = environment.CI ?? "";
  return ci !== "" && ci !== "false";
}

/** Whether a question can be asked: a terminal on both ends, and no CI service that looks like one. */
function canAsk({ io, environment }: Pick<Needs, "io" | "environment">): boolean {
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
  const paint = await paintFor(
    colourLevel(context.io.err, context.environment, context.options.color),
  );
  const style = {
    answer: paint.cyan,
    message: (text: string) => text,
    defaultAnswer: (text: string) => paint.dim(`(${text})`),
  };
  const prefix = { idle: paint.cyan("?"), done: paint.green("✓") };
  try {
    return await ask(
      { message: oneLine(question), default: false, theme: { prefix, style } },
      {
        input: context.io.in.stream as NodeJS.ReadStream,
        output: context.io.err.stream as NodeJS.WriteStream,
        signal: context.signal,
        clearPromptOnDone: false,
      },
    );
  } catch (cause) {
    if (cause instanceof Error && /^(ExitPromptError|AbortPromptError)$/.test(cause.name)) {
      throw new CatalogError("interrupted", "interrupted", { cause });
    }
    throw cause;
  }
}
