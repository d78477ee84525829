/** `catalog sandbox`: runs the API on this machine, and sets the status of courses in a running sandbox. */
import { mapInOrder } from "../base/async.ts";
import { attempt, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import {
  DRY_RUN_FLAG,
  type Flag,
  LONGEST_DELAY,
  nonEmpty,
  type ParsedArguments,
  parsePort,
  wholeNumber,
} from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { COURSE_ARGUMENTS, parseCourses, resolveCourses } from "../cli/course-arguments.ts";
import { SERVICE_EXITS } from "../cli/exit-codes.ts";
import { openResults, RESULTS, type Result } from "../cli/results.ts";
import type { Course } from "../course/request-body.ts";
import type { CatalogClient } from "../service/client.ts";
import { type ServeOptions, serve } from "./sandbox-serve.ts";

const DEFAULT_PORT = 4010;
const DEFAULT_STATUS = "approved";
const FLAGS = [
  {
    name: "port",
    value: "<n>",
    parse: parsePort,
    description: `port to listen on; 0 is any free port (default ${DEFAULT_PORT}; with a command, any free port)`,
  },
  {
    name: "host",
    value: "<address>",
    parse: nonEmpty,
    description: "network address to listen on (default 127.0.0.1: only this machine can connect)",
  },
  {
    name: "seed",
    value: "<path>",
    parse: nonEmpty,
    description: "start with this data: a seed file with users, or a folder of courses",
  },
  {
    name: "data",
    value: "<file>",
    parse: nonEmpty,
    description: "keep the data in this file across restarts; created if missing",
  },
  {
    name: "latency",
    value: "<ms>",
    parse: wholeNumber(0, LONGEST_DELAY),
    description: "delay every response",
  },
  {
    name: "fail",
    value: "<rate>",
    parse: parseRate,
    description: "make this share of the requests fail, 0 to 1",
  },
  {
    name: "approve-after",
    value: "<seconds>",
    parse: parseDelay,
    description: "approve each new course after this time (default: courses stay pending)",
  },
  {
    name: "approve-as",
    value: "<status>",
    parse: nonEmpty,
    description: `with --approve-after: set this status (default ${DEFAULT_STATUS})`,
  },
] as const satisfies readonly Flag[];

/** Starts a server on this machine; sends nothing. */
export const sandbox = command({
  description:
    "No request leaves your machine, so you can try every command safely. The sandbox has every endpoint, rule, error and " +
    "limit of the API, and keeps its data in memory or in a file. A command after -- runs with " +
    "CATALOG_BASE_URL and CATALOG_API_KEY set to a new sandbox, and leaves nothing in your history; catalog then " +
    "exits with the command's exit code.",
  arguments: [
    {
      name: "-- command",
      variadic: true,
      description: "run this command against a new sandbox, which ends with it",
    },
  ],
  flags: FLAGS,
  examples: [
    { description: "Start a sandbox; it prints what to do next", line: "catalog sandbox" },
    { description: "Start with the courses of a folder", line: "catalog sandbox --seed courses/" },
    { description: "Keep the data for next time", line: "catalog sandbox --data sandbox.data" },
    {
      description: "Test a script while one request in ten fails",
      line: "catalog sandbox --fail 0.1 -- sh publish.sh",
    },
    {
      description: "Approve new courses after two seconds",
      line: "catalog sandbox --approve-after 2",
    },
  ],
  exits: [1, 3],
  showsKey: true,
  parse: parseOptions,
  run: serve,
});

const EXAMPLE = "For example: catalog sandbox -- sh publish.sh";

const APPROVE_FLAGS = [
  {
    name: "approve-as",
    value: "<status>",
    parse: nonEmpty,
    description: `set this status (default ${DEFAULT_STATUS})`,
  },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

/** Sends a GET that only a sandbox answers, then a PATCH for each course. */
export const approve = command({
  description:
    "The sandbox is the one at your base URL. In the real service, its team approves courses.",
  arguments: COURSE_ARGUMENTS,
  flags: APPROVE_FLAGS,
  output: RESULTS,
  examples: [
    { description: "Approve a course", line: "catalog sandbox approve $id" },
    {
      description: "Reject a course",
      line: "catalog sandbox approve $id --approve-as rejected",
    },
  ],
  exits: [...SERVICE_EXITS, 5],
  parse: ({ values: { approveAs: status = DEFAULT_STATUS, dryRun }, ...words }) => ({
    typed: parseCourses(words),
    status,
    dryRun,
  }),
  run: approveCourses,
});

interface ApproveOptions {
  /** Words that name courses, and perhaps `-`. */
  readonly typed: readonly string[];
  readonly status: string;
  readonly dryRun: boolean;
}

function parseOptions(typed: ParsedArguments<typeof FLAGS>): ServeOptions {
  const { passthrough, values } = typed;
  const command = passthrough ?? [];
  if (typed.arguments.length > command.length) {
    throw usageError(
      `unexpected argument ${JSON.stringify(typed.arguments[0])}`,
      `To run a command against the sandbox, put it after --. ${EXAMPLE}`,
    );
  }
  if (passthrough?.length === 0) throw usageError("missing <command> after --", EXAMPLE);
  if (values.approveAs !== undefined && values.approveAfter === undefined) {
    throw usageError("--approve-as needs --approve-after", "Add --approve-after 0.");
  }
  const { approveAfter: after, approveAs: as = DEFAULT_STATUS, seed, data } = values;
  const { port = command.length === 0 ? DEFAULT_PORT : 0, host = "127.0.0.1" } = values;
  const { latency = 0, fail = 0 } = values;
  const approval = after === undefined ? undefined : { after, as };
  return { port, host, seed, data, latency, fail, approval, command };
}

function parseDelay(text: string): number {
  const delay = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) * 1000 : Number.NaN;
  if (delay <= LONGEST_DELAY) return delay;
  throw usageError(`--approve-after must be a number of seconds, not ${JSON.stringify(text)}`);
}

function parseRate(text: string): number {
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw usageError(`--fail must be a number from 0 to 1, not ${JSON.stringify(text)}`);
}

async function approveCourses({ typed, status, dryRun }: ApproveOptions, context: Context) {
  const client = await context.client();
  await requireSandbox(client, context);
  const courses = await resolveCourses(typed, context);
  const body = Buffer.from(JSON.stringify({ approval_status: status }));
  const { concurrency } = await context.settings();
  const results = await openResults(context);
  let set = 0;
  for await (const result of mapInOrder(courses, concurrency.value, approveOne)) {
    if (result.error !== undefined) await context.messages.fail(result.error);
    await results.add(result);
    if (result.status !== "failed") set++;
  }
  await results.end();
  const what = set === 0 ? "no course" : pluralize(set, "course");
  await context.messages.info(`${dryRun ? "Would set" : "Set"} ${what} to ${status}.`);

  async function approveOne({ id, name, url }: Course): Promise<Result> {
    const known = { id, name, url, action: "update" } as const;
    if (dryRun) return { ...known, status: "planned" };
    const path = `sandbox/v1/courses?id=${id}`;
    const { failure: error } = await client.raw({ method: "PATCH", path, body });
    return { ...known, status: error === undefined ? "done" : "failed", error };
  }
}

/** Nothing is ever changed in a real service. @throws CatalogError of kind `usage` */
async function requireSandbox(client: CatalogClient, { settings }: Context): Promise<void> {
  const { status, body } = await client.raw({ method: "GET", path: "sandbox/v1" });
  const value = attempt((): unknown => JSON.parse(body.toString()));
  if (status === 200 && isObject(value) && value.sandbox === "course-catalog-cli") return;
  const { baseUrl } = await settings();
  throw usageError(
    `${baseUrl?.value} is not a sandbox; a real service approves courses itself`,
    "Set CATALOG_BASE_URL and CATALOG_API_KEY to the values that the sandbox printed.",
  );
}
