/** Long work with its progress line and its end after Ctrl-C, such as reading the catalog, and writing what a run prints to a file. */

import { destinationIn, writeFileAtomically } from "../base/atomic-write.ts";
import { isUnattended } from "../base/io.ts";
import { CourseIndex } from "../core/identify.ts";
import type { Provider } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
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
  const progress = isLog
    ? messages.progress.start(first)
    : await startProgress(io.err, first, isAlone);
  try {
    return await work((state) => progress.update(text(state)));
  } finally {
    progress.stop();
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
  { folder, deferShutdown }: Pick<Context, "folder" | "deferShutdown">,
): Promise<void> {
  await deferShutdown(() => writeFileAtomically(destinationIn(folder, name), content));
}

/**
 * Reads all courses of the user, with progress.
 *
 * @param keep what stays in memory of each course
 * @returns `isUnreliable`: whether the listing changed during each reading, so that it may lack a course
 */
export async function listCourses(context: Context, keep = (course: Course): Course => course) {
  const client = await context.client();
  const courses: Course[] = [];
  return await showWork("Reading courses", context, async (advance) => {
    const pages = client.courses();
    for (let next = await pages.next(); ; next = await pages.next()) {
      if (next.done) return { courses, isUnreliable: next.value.isUnreliable };
      for (const course of next.value) courses.push(keep(course));
      advance({ done: courses.length });
    }
  });
}

/**
 * Reads every course of the user. A course may belong to another provider than its url suggests, so that a part of the
 * catalog does not show whether a course exists.
 *
 * @param keep what stays in memory of each course
 */
export async function readCatalog(context: Context, keep?: (course: Course) => Course) {
  const { courses, isUnreliable } = await listCourses(context, keep);
  return { index: new CourseIndex(courses), isUnreliable };
}
