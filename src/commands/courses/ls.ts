/** `catalog courses ls`: lists courses, with every filter of the API. */
import { UNRELIABLE_LISTING } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import { numberFrom } from "../../base/values.ts";
import type { Flag, FlagValues } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { showWork } from "../../cli/work.ts";
import { WORKBOOK } from "../../output/formats.ts";
import type { ListingEnd } from "../../service/client.ts";
import { COURSES, courseRenderer, PRINT_FLAGS } from "./print-courses.ts";
import { FILTER_FLAGS, resolveFilters, SORT_FLAG, selectCourses } from "./selection.ts";

const DEFAULT_LIMIT = 100;
const LARGEST = 1_000_000_000;
const FLAGS = [
  ...FILTER_FLAGS,
  SORT_FLAG,
  {
    name: "limit",
    value: "<n>",
    parse: numberFrom(1, LARGEST),
    description: `list at most n courses (default ${DEFAULT_LIMIT})`,
  },
  {
    name: "offset",
    value: "<n>",
    parse: numberFrom(0, LARGEST),
    description: "skip the first n courses (default 0)",
  },
  { name: "all", excludes: ["limit"], description: "list every course that matches" },
  ...PRINT_FLAGS,
] as const satisfies readonly Flag[];

interface Query extends FlagValues<typeof FLAGS> {
  readonly offset: number;
}

/** Sends GET courses, once per page. */
export const ls = command({
  description: `Lists the first ${DEFAULT_LIMIT} courses that match the flags, so that a large catalog does not take long.`,
  flags: FLAGS,
  output: COURSES,
  examples: {
    "List the first 100 courses": "catalog courses ls",
    "Write a workbook to edit, which diff, push and update read":
      "catalog courses ls --all --out courses.xlsx",
    "List the courses that wait for approval, by name":
      "catalog courses ls --approval pending --sort name",
    "Publish every unpublished course":
      "catalog courses ls --all --published false -o id | catalog courses publish -",
  },
  parse: (typed): Query => {
    const { all, limit, offset = 0 } = typed;
    return { ...typed, offset, limit: all ? undefined : (limit ?? DEFAULT_LIMIT) };
  },
  run: listCourses,
});

async function listCourses(query: Query, context: Context): Promise<void> {
  const renderer = await courseRenderer("list", query, context);
  const filter = await resolveFilters(query, context);
  const client = await context.client();
  const counts = { shown: 0, published: 0, pending: 0 };
  let end: ListingEnd | undefined;
  const pages = async function* () {
    end = yield* selectCourses((range) => client.courses({ ...filter, ...range }), query);
  };
  try {
    await showWork("Reading courses", context, async (advance) => {
      for await (const page of pages()) {
        for (const { published, approval_status: approval } of page) {
          counts.shown++;
          if (published === true) counts.published++;
          if (approval === "pending") counts.pending++;
        }
        await renderer.rows(page);
        advance({ done: counts.shown });
        // As with head, the reader has all that it wants.
        if (context.io.out.closed) break;
      }
    });
  } catch (thrown) {
    // The rows so far are complete data, and the exit code shows that some are missing. A file is written only completely.
    const isFile = query.out !== undefined || context.options.format === WORKBOOK;
    if (counts.shown > 0 && !isFile) await renderer.end();
    throw thrown;
  }
  await renderer.end();
  if (end === undefined) return;
  if (end.isUnreliable) await context.messages.warn(UNRELIABLE_LISTING);
  await context.messages.info(describeListing(query, counts, end.more));
}

/** How much was listed, and how to list more: `302 courses: 206 published, 40 pending`. */
function describeListing(
  query: Query,
  { shown, published, pending }: Readonly<Record<"shown" | "published" | "pending", number>>,
  more: boolean,
): string {
  const from = query.offset > 0 ? ` from offset ${query.offset}` : "";
  const isFiltered = FILTER_FLAGS.some(({ name }) => query[name] !== undefined);
  if (shown === 0) return `No courses${from}${isFiltered ? " match the flags" : ""}.`;
  const states = `${formatNumber(published)} published, ${formatNumber(pending)} pending`;
  const listed = `${pluralize(shown, "course")}${from}: ${states}`;
  if (!more) return listed;
  return `${listed}. There are more. For all: --all; for the next page: --offset ${query.offset + shown}`;
}
