/** `catalog courses ls`: lists courses, with every filter of the API. */
import type { ListingEnd } from "../../api/paginate.ts";
import { usageError } from "../../base/errors.ts";
import type { CollectedMemory } from "../../base/memory.ts";
import { pluralize } from "../../base/text.ts";
import {
  type Flag,
  type FlagValues,
  parseUuid,
  wholeNumber,
} from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { courseFieldTrees } from "../../command-support/fields-flag.ts";
import { rendererFor } from "../../command-support/show.ts";
import { trackWork } from "../../command-support/work.ts";
import { FIELD_NAMES } from "../../course/field-names.ts";
import type { Course } from "../../course/request-body.ts";
import { capabilitiesOf } from "../../output/formats.ts";
import { listAllCourses, REPEATED_COURSES } from "../../sync/remote.ts";
import {
  CLIENT_FLAGS,
  type ClientFilters,
  COURSE_COLUMNS,
  FILTER_FLAGS,
  matchesFilters,
  needsEveryPage,
  resolveFilters,
  sortCourses,
} from "./filters.ts";

const DEFAULT_LIMIT = 100;

const FLAGS = [
  ...FILTER_FLAGS,
  ...CLIENT_FLAGS,
  {
    name: "id",
    value: "<uuid>",
    completes: "course",
    parse: (text: string) => parseUuid(text, "--id"),
    description: "only the course with this id",
  },
  {
    name: "limit",
    value: "<n>",
    parse: wholeNumber(1),
    description: `maximum number to list (default ${DEFAULT_LIMIT})`,
  },
  {
    name: "offset",
    value: "<n>",
    parse: wholeNumber(0),
    description: "number to skip (default 0)",
  },
  { name: "all", description: "list every match" },
  {
    name: "csv-safe",
    description: "with -o csv: put an apostrophe before cells that a spreadsheet would execute",
  },
] as const satisfies readonly Flag[];

interface Query extends FlagValues<typeof FLAGS> {
  readonly offset: number;
}

/** Sends GET courses, once per page. */
export const ls = command({
  flags: FLAGS,
  columns: FIELD_NAMES,
  examples: [
    { description: "List the first 100 courses", line: "catalog courses ls" },
    {
      description: "List all courses, one JSON object per line",
      line: "catalog courses ls --all -o ndjson",
    },
    {
      description: "Show what waits for approval, by name",
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
    if (all && limit !== undefined) throw usageError("--limit cannot be combined with --all");
    return { ...values, offset, limit: all ? undefined : (limit ?? DEFAULT_LIMIT) };
  },
  isLong: ({ limit }) => limit === undefined,
  run: listCourses,
});

async function listCourses(query: Query, context: Context): Promise<void> {
  const renderer = await rendererFor(
    {
      kind: "list",
      columns: COURSE_COLUMNS,
      allColumns: FIELD_NAMES,
      isCourse: true,
      inside: await courseFieldTrees(context.options.fields),
      now: context.clock.now(),
      isCsvSafe: query.csvSafe,
    },
    context,
  );
  const client = await context.client();
  const { id, limit, offset } = query;
  const options = { filter: { ...(await resolveFilters(query, context)), id } };
  let repeats = false;
  const onRepeats = (): void => {
    repeats = true;
  };
  const part = { offset, ...(limit === undefined ? {} : { limit }) };
  const pages = needsEveryPage(query)
    ? selectPages(listAllCourses(client, options, onRepeats), query, part, client.collected)
    : limit === undefined
      ? listAllCourses(client, { ...options, offset }, onRepeats)
      : client.list({ ...options, ...part });

  const { format } = context.options;
  const prints = format !== undefined && capabilitiesOf(format).streams;
  const progress = await trackWork("Reading courses", context, { prints });
  let shown = 0;
  let more = false;
  // A function, so that no page stays in memory while the next one is requested.
  const showNext = async (): Promise<boolean> => {
    const page = await pages.next();
    if (page.done) {
      more = page.value.more;
      return false;
    }
    shown += page.value.length;
    await renderer.rows(page.value);
    progress.update({ done: shown });
    return !context.io.out.closed;
  };
  try {
    while (await showNext());
  } finally {
    progress.stop();
    await pages.return({ more, rows: shown, changedWhileReading: false });
    // Rows printed before a failure are complete data; the exit code shows that some are missing.
    if (shown > 0) await renderer.end();
  }
  if (shown === 0) await renderer.end();
  if (repeats) await context.messages.warn(REPEATED_COURSES);
  if (shown === 0) {
    await context.messages.info(
      offset > 0 ? `No courses from offset ${offset} on.` : "No courses.",
    );
  } else if (more && id === undefined) {
    const amount = shown === 1 ? "course" : pluralize(shown, "course");
    const range =
      offset > 0 ? `${pluralize(shown, "course")} from offset ${offset}` : `the first ${amount}`;
    await context.messages.info(
      `Showing ${range}; there may be more. ` +
        `Use --all for all of them, or --offset ${offset + shown} for the next page.`,
    );
  }
}

/** Filters and sorts on this side, and ends like a listing of the service. */
async function* selectPages(
  pages: AsyncGenerator<readonly Course[], ListingEnd, void>,
  filters: ClientFilters,
  {
    offset,
    limit = Number.POSITIVE_INFINITY,
  }: { readonly offset: number; readonly limit?: number },
  collected: CollectedMemory,
): AsyncGenerator<readonly Course[], ListingEnd, void> {
  const unsorted: Course[] = [];
  let found = 0;
  const select = (courses: readonly Course[]): readonly Course[] => {
    const selected = courses.slice(
      Math.max(0, offset - found),
      Math.max(0, offset + limit - found),
    );
    found += courses.length;
    return selected;
  };
  for (;;) {
    const page = await pages.next();
    if (page.done) {
      yield select(sortCourses(unsorted, filters));
      return { ...page.value, more: found > offset + limit };
    }
    const matching = page.value.filter((course) => matchesFilters(course, filters));
    // Only an order needs all of them at once.
    if (filters.sort === undefined) yield select(matching);
    else {
      await collected.add(matching);
      for (const course of matching) unsorted.push(course);
    }
  }
}
