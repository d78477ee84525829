/** The progress line and the concurrency of a long operation. */
import { pluralize } from "../base/text.ts";
import { hasJsonMessages } from "../output/formats.ts";
import { type Progress, startProgress } from "../output/progress.ts";
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
  return messages.progress.start(text);
}

/** Does work while a progress line is shown. */
export async function withProgress<Value>(
  text: string,
  context: Parameters<typeof progressOf>[1],
  work: (progress: Progress) => Promise<Value>,
): Promise<Value> {
  const progress = await progressOf(text, context, false);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

/** Yields loaded files while a progress line shows how many there are. */
export async function* withFileProgress<File>(
  doing: string,
  files: AsyncIterable<File>,
  context: Parameters<typeof progressOf>[1],
): AsyncGenerator<File, void, void> {
  const progress = await progressOf(doing, context, false);
  let count = 0;
  try {
    for await (const file of files) {
      yield file;
      if (++count % FILES_PER_UPDATE === 0) {
        progress.update(`${doing}: ${pluralize(count, "file")}`);
      }
    }
  } finally {
    progress.stop();
  }
}

/** Files after which the progress line changes. */
const FILES_PER_UPDATE = 100;

/** The number of requests that a command sends at the same time. */
export async function concurrencyOf({ settings }: Pick<Context, "settings">): Promise<number> {
  return (await settings()).concurrency.value;
}
