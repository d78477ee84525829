/** `catalog courses ls`: lists courses, with every filter of the API. */
import type { ListingEnd } from "../../api/paginate.ts";
import { usageError } from "../../base/errors.ts";
import type { CollectedMemory } from "../../base/memory.ts";
import { pluralize } from "../../base/text.ts";
import {
  getInteger,
  getString,
  isSet,
  type ParsedArguments,
  parseUuid,
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
  type Filters,
  matchesFilters,
  needsEveryPage,
  parseClientFilters,
  parseFilters,
  resolveFilters,
  sortCourses,
} from "./filters.ts";

const DEFAULT_LIMIT = 100;

interface Query extends Filters {
  readonly client: ClientFilters;
  readonly id?: string;
  /** Undefined for all courses. */
  readonly limit?: number;
  readonly offset: number;
  readonly isCsvSafe: boolean;
}

/** Sends GET courses, once per page. */
export const ls = command({
  flags: [
    ...FILTER_FLAGS,
    ...CLIENT_FLAGS,
    {
      name: "id",
      value: "<uuid>",
      completes: "course",
      description: "only the course with this id",
    },
    {
      name: "limit",
      value: "<n>",
      description: `maximum number to list (default ${DEFAULT_LIMIT})`,
    },
    { name: "offset", value: "<n>", description: "number to skip (default 0)" },
    { name: "all", description: "list every match" },
    {
      name: "csv-safe",
      description: "with -o csv: put an apostrophe before cells that a spreadsheet would execute",
    },
  ],
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
  isLong: ({ limit }) => limit === undefined,
  exits: SERVICE_EXITS,
  parse: parseQuery,
  run: listCourses,
});

function parseQuery(words: ParsedArguments): Query {
  const all = isSet(words, "all");
  const limit = getInteger(words, "limit", 1);
  if (all && limit !== undefined) throw usageError("--limit cannot be combined with --all");
  const id = getString(words, "id");
  return {
    ...parseFilters(words),
    client: parseClientFilters(words),
    ...(id === undefined ? {} : { id: parseUuid(id, "--id") }),
    ...(all ? {} : { limit: limit ?? DEFAULT_LIMIT }),
    offset: getInteger(words, "offset", 0) ?? 0,
    isCsvSafe: isSet(words, "csv-safe"),
  };
}

async function listCourses(query: Query, context: Context): Promise<void> {
  const renderer = await rendererFor(
    {
      kind: "list",
      columns: COURSE_COLUMNS,
      allColumns: FIELD_NAMES,
      inside: await courseFieldTrees(context.options.fields),
      now: context.clock.now(),
      isCsvSafe: query.isCsvSafe,
    },
    context,
  );
  const client = await context.client();
  const { id, limit, offset, client: own, isCsvSafe: _, ...filters } = query;
  const filter = await resolveFilters(filters, context);
  const options = { filter: { ...filter, ...(id === undefined ? {} : { id }) } };
  let repeats = false;
  const onRepeats = (): void => {
    repeats = true;
  };
  const part = { offset, ...(limit === undefined ? {} : { limit }) };
  const pages = needsEveryPage(own)
    ? selectPages(listAllCourses(client, options, onRepeats), own, part, client.collected)
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
      offset > 0 ? `No courses from number ${offset} on.` : "No courses.",
    );
  } else if (more && id === undefined) {
    const range =
      offset > 0 ? `${pluralize(shown, "course")} from offset ${offset}` : firstCourses(shown);
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
  { offset, limit = Number.POSITIVE_INFINITY }: Pick<Query, "offset" | "limit">,
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

function firstCourses(count: number): string {
  return count === 1 ? "the first course" : `the first ${pluralize(count, "course")}`;
}
