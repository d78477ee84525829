/** `catalog courses wait`: waits until the service has decided about courses. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { parseDuration } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import {
  COURSE_ARGUMENTS,
  findCourseArguments,
  parseCourses,
} from "../../command-support/course-arguments.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { withoutFields } from "../../command-support/fields-flag.ts";
import { readById } from "../../command-support/read-courses.ts";
import { rendererFor, type Showing } from "../../command-support/show.ts";
import { showWork, type Tracker } from "../../command-support/work.ts";
import type { Course } from "../../course/request-body.ts";

interface Options {
  readonly words: readonly string[];
  /** How long to wait in total, in milliseconds. */
  readonly timeout: number;
  /** The time between two checks, in milliseconds. */
  readonly interval: number;
}

const COLUMNS: readonly string[] = ["id", "name", "approval_status"];

const SHOWING: Showing = {
  kind: "list",
  isForPeople: true,
  columns: COLUMNS,
  inside: withoutFields(COLUMNS),
};

/** Sends GET courses?id=, once per pending course and interval. */
export const wait = command({
  description:
    "New courses start as pending, and students see them only after the service has approved them. Waits " +
    "until none of the courses is pending, then prints each status, approved or not. Exits with 1 if a " +
    "course is still pending after the timeout.",
  arguments: COURSE_ARGUMENTS,
  flags: [
    {
      name: "timeout",
      value: "<duration>",
      parse: parseDuration,
      description: "wait at most this long, for example 90s, 10m or 2h (default 10m)",
    },
    {
      name: "interval",
      value: "<duration>",
      parse: parseInterval,
      description: "time to wait between two checks (default 15s)",
    },
  ],
  columns: COLUMNS,
  examples: [
    {
      description: "Create a course and wait for its approval",
      line: "catalog courses create intro.yaml | catalog courses wait - --timeout 1h",
    },
    {
      description: "Use the status in a script",
      line: "catalog courses wait $id --json | jq -r '.[].approval_status'",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: ({ values: { timeout = 600_000, interval = 15_000 }, ...words }): Options => {
    return { words: parseCourses(words), timeout, interval };
  },
  run: waitForApproval,
});

function parseInterval(text: string, flag: string): number {
  const interval = parseDuration(text, flag);
  if (interval > 0) return interval;
  throw usageError(`--${flag} must be longer than 0, not ${JSON.stringify(text)}`);
}

type State = Course | CatalogError | undefined;

async function waitForApproval(options: Options, context: Context): Promise<void> {
  const renderer = await rendererFor(SHOWING, context);
  const found = await findCourseArguments(options.words, {}, context);
  const ids = found.map(({ id }) => id);
  const states = ids.length === 0 ? new Map() : await poll(ids, options, context);
  const rows: Course[] = [];
  for (const [id, state] of states) {
    if (state instanceof CatalogError) await context.messages.fail(state);
    else rows.push(state ?? { id });
  }
  await renderer.rows(
    rows.map(({ id, name = null, approval_status = null }) => ({ id, name, approval_status })),
  );
  await renderer.end();
  const pending = rows.filter(isPending);
  if (pending.length > 0) await context.messages.fail(stillPending(pending, options));
}

/** Reads the courses by their ids until none is pending or the time is over. @returns the last state of each */
async function poll(
  ids: readonly string[],
  { timeout, interval }: Options,
  context: Context,
): Promise<ReadonlyMap<string, State>> {
  const { clock, stop } = context;
  const deadline = clock.monotonic() + timeout;
  const states = new Map<string, State>(ids.map((id) => [id, undefined]));
  const pollAll = async (progress: Tracker): Promise<void> => {
    for (let left = ids; ; ) {
      for await (const { id, course } of readById(left, context)) states.set(id, course);
      left = left.filter((id) => isPending(states.get(id)));
      const remaining = deadline - clock.monotonic();
      if (left.length === 0 || remaining <= 0) return;
      progress.update({ done: ids.length - left.length });
      await clock.sleep(Math.min(interval, remaining), stop.signal);
    }
  };
  await showWork("Waiting for approval", context, pollAll, { of: ids.length, hasRate: false });
  return states;
}

function isPending(state: State): boolean {
  return !(state instanceof CatalogError) && state?.approval_status === "pending";
}

function stillPending(courses: readonly Course[], { timeout }: Options): CatalogError {
  const [first] = courses;
  const which =
    courses.length === 1 ? `course ${first?.id} is` : `${pluralize(courses.length, "course")} are`;
  return new CatalogError("refused", `${which} still pending after ${timeout / 1000} s`, {
    advice: "To wait longer, pass --timeout. For example: --timeout 1h",
  });
}
