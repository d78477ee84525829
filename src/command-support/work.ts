/** The progress line and the concurrency of a long operation. */
import { hasJsonMessages } from "../output/formats.ts";
import { logProgress, type Progress, startProgress } from "../output/progress.ts";
import { isUnattended } from "./ask.ts";
import type { Context } from "./context.ts";

/**
 * A progress line on standard error. Without a terminal, long work prints a line every 30 seconds, so
 * that its log shows that it continues.
 *
 * @param prints whether rows go to standard output meanwhile; on one terminal they would meet it
 */
export async function progressOf(
  text: string,
  {
    io,
    options,
    environment,
    messages,
  }: Pick<Context, "io" | "options" | "environment" | "messages">,
  prints: boolean,
): Promise<Progress> {
  const json = hasJsonMessages(options.format);
  const still = environment.TERM !== "dumb" && !isUnattended(environment);
  const alone = !(prints && io.out.isTerminal);
  const show = io.err.isTerminal && still && alone && !options.quiet && !options.verbose && !json;
  if (show || (io.err.isTerminal && still)) return await startProgress(io.err, text, show);
  return logProgress(text, (latest) => messages.info(latest));
}

/** The number of requests that a command sends at the same time. */
export async function concurrencyOf({ settings }: Pick<Context, "settings">): Promise<number> {
  return (await settings()).concurrency.value;
}
