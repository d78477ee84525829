/** The progress line and the concurrency of a long operation. */
import { hasJsonMessages } from "../output/formats.ts";
import { type Progress, startProgress } from "../output/progress.ts";
import { isUnattended } from "./ask.ts";
import type { Context } from "./context.ts";

/**
 * A progress line on standard error; nothing off a terminal, with `--quiet` or with JSON.
 *
 * @param prints whether rows go to standard output meanwhile; on one terminal they would meet it
 */
export async function progressOf(
  text: string,
  { io, options, environment }: Pick<Context, "io" | "options" | "environment">,
  prints: boolean,
): Promise<Progress> {
  const json = hasJsonMessages(options.format);
  const still = environment.TERM !== "dumb" && !isUnattended(environment);
  const alone = !(prints && io.out.isTerminal);
  const show = io.err.isTerminal && still && alone && !options.quiet && !options.verbose && !json;
  return await startProgress(io.err, text, show);
}

/** The number of requests that a command sends at the same time. */
export async function concurrencyOf({ settings }: Pick<Context, "settings">): Promise<number> {
  return (await settings()).concurrency.value;
}
