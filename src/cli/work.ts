/** Long work: its progress line, its parallel requests, and its end after Ctrl-C. */
import { isUnattended } from "../base/process.ts";
import type { Provider } from "../course/provider.ts";
import {
  formatProgress,
  type Progress,
  startProgress,
  type WorkState,
} from "../output/progress.ts";
import type { Context } from "./context.ts";

type State = Omit<WorkState, "elapsed" | "retries" | "reason">;

/** Shows the progress of long work. */
export interface Tracker {
  update(state: State): void;
  stop(): void;
}

interface TrackOptions {
  /** How many items there are; undefined if that is unknown. */
  readonly of?: number;
  /** Whether the work prints rows to standard output, which would mix with the progress line on a terminal. */
  readonly prints?: boolean;
}

/**
 * Shows progress and retries on one line of standard error. Without a terminal, prints a line every 30 seconds, so that
 * a log shows that the work continues.
 *
 * @param doing the name of the work: `Reading courses`
 */
export async function trackWork(
  doing: string,
  context: Context,
  { of, prints = false }: TrackOptions = {},
): Promise<Tracker> {
  const { clock, retries } = context;
  const [start, before] = [clock.monotonic(), retries.count];
  const text = (state: State): string => {
    const elapsed = clock.monotonic() - start;
    const { count, reason } = retries;
    return formatProgress(doing, { of, ...state, elapsed, retries: count - before, reason });
  };
  const progress = await openProgress(text({ done: 0 }), context, prints);
  return {
    update: (state) => progress.update(text(state)),
    stop: () => progress.stop(),
  };
}

/** Does the work, and shows its progress as `trackWork` does. @returns the result of the work */
export async function showWork<Value>(
  doing: string,
  context: Context,
  work: (progress: Tracker) => Promise<Value>,
  options: TrackOptions = {},
): Promise<Value> {
  const progress = await trackWork(doing, context, options);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

async function openProgress(
  text: string,
  { io, options, environment, messages }: Context,
  prints: boolean,
): Promise<Progress> {
  const { json, quiet, verbose } = options;
  const isLog = !io.err.isTerminal || environment.TERM === "dumb" || isUnattended(environment);
  if (isLog) return messages.progress.start(text);
  const isAlone = !quiet && !verbose && !json && !(prints && io.out.isTerminal);
  return await startProgress(io.err, text, isAlone);
}

/** The user's providers, read with progress. */
export async function readProviders(context: Context): Promise<readonly Provider[]> {
  return await showWork("Reading your providers", context, () => context.providers());
}

/** The most requests that a command sends at the same time. */
export async function concurrencyOf({ settings }: Pick<Context, "settings">): Promise<number> {
  return (await settings()).concurrency.value;
}

/** Does the work so that the first Ctrl-C lets requests in progress finish, and the second stops at once. */
export async function withDeferredShutdown<Result>(
  { deferShutdown, stop, messages }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = deferShutdown();
  const notify = (): void => {
    void messages.info("Finishing requests in progress; press Ctrl-C again to stop immediately.");
  };
  stop.signal.addEventListener("abort", notify, { once: true });
  try {
    return await work();
  } finally {
    stop.signal.removeEventListener("abort", notify);
    release();
  }
}
