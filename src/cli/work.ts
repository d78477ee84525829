/** Long work: its progress line, its end after Ctrl-C, its stages, each of which yields what it found, and its outputs. */

import { destinationIn, writeFileAtomically } from "../base/atomic-write.ts";
import { isUnattended } from "../base/io.ts";
import type { Outcome } from "../core/apply.ts";
import type { Plan } from "../core/plan.ts";
import type { Provider } from "../course/provider.ts";
import type { SourceCourse } from "../files/course-file.ts";
import type { CheckReport } from "../output/diagnostics.ts";
import { formatProgress, startProgress, type WorkState } from "../output/progress.ts";
import type { Context } from "./context.ts";

/** Shows the progress of long work. */
export type Advance = (state: Omit<WorkState, "retries" | "reason">) => void;

/**
 * Does the work, and shows its progress and retries on one line of standard error. Without a terminal, prints a line
 * every 30 seconds, so that a log shows that the work continues.
 *
 * @param doing the name of the work: `Reading courses`
 * @param of how many items there are; undefined if that is unknown
 */
export async function showWork<Value>(
  doing: string,
  { retries, io, options, environment, messages }: Context,
  work: (advance: Advance) => Promise<Value>,
  of?: number,
): Promise<Value> {
  const before = retries.count;
  const text = (state: Parameters<Advance>[0]): string => {
    const { count, reason } = retries;
    return formatProgress(doing, { of, ...state, retries: count - before, reason });
  };
  const first = text({ done: 0 });
  const isLog = !io.err.isTerminal || environment.TERM === "dumb" || isUnattended(environment);
  // Rows and other messages would mix with the progress line on a terminal.
  const { format, json, quiet, verbose } = options;
  const isAlone = !quiet && !verbose && !json && !(format !== undefined && io.out.isTerminal);
  const start = isLog ? messages.progress.start(first) : isAlone && startProgress(io.err, first);
  const progress = start || undefined;
  try {
    return await work((state) => progress?.update(text(state)));
  } finally {
    progress?.stop();
  }
}

/** The user's providers, read with progress. */
export async function readProviders(context: Context): Promise<readonly Provider[]> {
  return await showWork("Reading your providers", context, () => context.providers());
}

/** Does the work so that the first Ctrl-C lets requests in progress finish, and the second stops at once. */
export async function withDeferredShutdown<Result>(
  { deferShutdown, stop, messages }: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  const notify = (): void => {
    void messages.info("Finishing requests in progress; press Ctrl-C again to stop immediately.");
  };
  stop.signal.addEventListener("abort", notify, { once: true });
  try {
    return await deferShutdown(work);
  } finally {
    stop.signal.removeEventListener("abort", notify);
  }
}

/** Writes a file that the user named. A stop signal waits until the file is complete. */
export async function writeOutput(
  name: string,
  content: string | Uint8Array,
  { folder, deferShutdown }: Context,
): Promise<void> {
  await deferShutdown(() => writeFileAtomically(destinationIn(folder, name), content));
}

/** What a run has found so far. */
export interface Findings extends Partial<Omit<CheckReport, "providers" | "plan">> {
  readonly sources?: readonly SourceCourse[];
  readonly providers?: readonly Provider[] | undefined;
  readonly plan?: Plan;
  /** In the order of the steps of the plan. */
  readonly outcomes?: readonly Outcome[];
}

/** Work in stages, each of which yields what it found: the problems are added to those before. */
export type Stages<Result> = AsyncGenerator<Findings, Result, void>;

/** Hands over what a generator yields, one after another. @returns what the generator returns */
export async function drain<Value, Result>(
  values: AsyncGenerator<Value, Result, void>,
  use: (value: Value) => unknown = () => undefined,
): Promise<Result> {
  for (;;) {
    const next = await values.next();
    if (next.done) return next.value;
    await use(next.value);
  }
}
