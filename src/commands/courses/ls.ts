/** `catalog courses ls`: lists courses, with every filter of the API. */
import { UNRELIABLE_LISTING } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import { wholeNumber } from "../../base/values.ts";
import { type Flag, type FlagValues, parseUuid } from "../../cli/arguments.ts";
import { command, SERVICE_EXITS } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { showWork, type Tracker } from "../../cli/work.ts";
import { isCollected, WORKBOOK } from "../../output/formats.ts";
import { FILTER_FLAGS, resolveFilters } from "./filters.ts";
import { COURSES, courseRenderer, EXCEL_FLAGS } from "./print-courses.ts";
import { isSelective, SELECTION_FLAGS, selectCourses } from "./selection.ts";

const DEFAULT_LIMIT = 100;
const FLAGS = [
  ...FILTER_FLAGS,
  ...SELECTION_FLAGS,
  {
    name: "id",
    value: "<uuid>",
    parse: parseUuid,
    description: "only the course with this id",
  },
  {
    name: "limit",
    value: "<n>",
    parse: wholeNumber(1),
    description: `list at most n courses (default ${DEFAULT_LIMIT})`,
  },
  {
    name: "offset",
    value: "<n>",
    parse: wholeNumber(0),
    description: "skip the first n courses (default 0)",
  },
  { name: "all", excludes: ["limit"], description: "list every course that matches" },
  ...EXCEL_FLAGS,
] as const satisfies readonly Flag[];

interface Query extends FlagValues<typeof FLAGS> {
  readonly offset: number;
}

/** Sends GET courses, once per page. */
export const ls = command({
  description: `Lists the first ${DEFAULT_LIMIT} courses that match the flags, so that a large catalog does not take long.`,
  flags: FLAGS,
  output: COURSES,
  examples: [
    { description: "List the first 100 courses", line: "catalog courses ls" },
    { description: "List all courses as NDJSON", line: "catalog courses ls --all -o ndjson" },
    {
      description: "List the courses that wait for approval, by name",
      line: "catalog courses ls --approval pending --sort name",
    },
    {
      description: "Publish every unpublished course",
      line: "catalog courses ls --all --published false -o id | catalog courses publish -",
    },
  ],
  exits: SERVICE_EXITS,
  parse: ({ values }): Query => {
    const { all, limit, offset = 0 } = values;
    return { ...values, offset, limit: all ? undefined : (limit ?? DEFAULT_LIMIT) };
  },
  run: listCourses,
});

async function listCourses(query: Query, context: Context): Promise<void> {
  const renderer = await courseRenderer("list", query, context);
  const client = await context.client();
  const { id, limit, offset } = query;
  const filter = { ...(await resolveFilters(query, context)), id };
  const pages = isSelective(query)
    ? selectCourses(client.courses(filter), query)
    : limit === undefined
      ? client.courses({ ...filter, offset })
      : selectCourses(client.courses({ ...filter, limit: limit + 1, offset }), {
          ...query,
          offset: 0,
        });

  const { format } = context.options;
  const prints = format !== undefined && !isCollected(format);
  const isWorkbook = format === WORKBOOK;
  const isCounted = limit === undefined && context.io.out.isTerminal && !prints;
  let shown = 0;
  let published = 0;
  let pending = 0;
  let more = false;
  let repeats = false;
  // A function, so that no page stays in memory while the next one is requested.
  const showNext = async (progress: Tracker): Promise<boolean> => {
    const page = await pages.next();
    if (page.done) {
      ({ more, repeats } = page.value);
      return false;
    }
    shown += page.value.length;
    published += page.value.filter((course) => course.published === true).length;
    pending += page.value.filter((course) => course.approval_status === "pending").length;
    await renderer.rows(page.value);
    progress.update({ done: shown });
    return !context.io.out.closed;
  };
  let isComplete = false;
  try {
    await showWork("Reading courses", context, async (progress) => {
      while (await showNext(progress));
    });
    isComplete = true;
  } finally {
    await pages.return({ more, repeats });
    // After a failure, the rows so far are complete data, and the exit code shows that some are missing.
    // A workbook has printed nothing so far.
    if (isComplete || (shown > 0 && !isWorkbook)) await renderer.end();
  }
  if (repeats) await context.messages.warn(UNRELIABLE_LISTING);
  if (shown === 0) {
    await context.messages.info(
      offset > 0 ? `No courses from offset ${offset} on.` : "No courses.",
    );
  } else if (more && id === undefined) {
    const amount = shown === 1 ? "course" : pluralize(shown, "course");
    const range =
      offset > 0 ? `${pluralize(shown, "course")} from offset ${offset}` : `the first ${amount}`;
    await context.messages.info(
      `Showing ${range}. For all: --all; for the next page: --offset ${offset + shown}`,
    );
  } else if (isCounted) {
    const states = `${formatNumber(published)} published, ${formatNumber(pending)} pending approval`;
    await context.messages.info(`${pluralize(shown, "course")}: ${states}`);
  }
}
