/** `catalog sandbox`: runs the API on this machine, and sets the status of courses in a running sandbox. */
import { mapInOrder } from "../base/async.ts";
import { attempt, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import {
  type Argument,
  camelCase,
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
import { parseCourses, resolveCourses } from "../cli/course-arguments.ts";
import { RESULTS, type Result, Results } from "../cli/results.ts";
import { concurrencyOf } from "../cli/work.ts";
import type { Course } from "../course/request-body.ts";
import type { CatalogClient } from "../service/client.ts";
import { type ServeOptions, serve } from "./sandbox-serve.ts";

const DEFAULT_PORT = 4010;
const DEFAULT_STATUS = "approved";
/** The first argument of `catalog sandbox approve`, which starts no sandbox. */
const APPROVE = "approve";

const ARGUMENTS: readonly Argument[] = [
  {
    name: APPROVE,
    choices: [APPROVE],
    description: "set the status of courses in a running sandbox, at your base URL",
  },
  {
    name: "course",
    description:
      "with approve: an id, key or url of a course, or several; - reads them from standard input",
  },
  {
    name: "-- command",
    variadic: true,
    description: "run this command against a new sandbox, which ends with it",
  },
];

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
    description: `with approve or --approve-after: set this status (default ${DEFAULT_STATUS})`,
  },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

export const sandbox = command({
  description:
    "No request leaves your machine, so you can try every command safely. The sandbox has every endpoint, rule, error and " +
    "limit of the API, and keeps its data in memory or in a file. A command after -- runs with " +
    "CATALOG_BASE_URL and CATALOG_API_KEY set to a new sandbox, and leaves nothing in your history; catalog then " +
    "exits with the command's exit code.",
  arguments: ARGUMENTS,
  flags: FLAGS,
  output: RESULTS,
  prints: (options) => "typed" in options,
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
    {
      description: "Set the status of a course in a running sandbox",
      line: "catalog sandbox approve $id --approve-as rejected",
    },
  ],
  exits: [1, 3, 4, 5, 6],
  showsKey: true,
  parse: parseOptions,
  run: (options, context) =>
    "typed" in options ? approve(options, context) : serve(options, context),
});

const EXAMPLE = "For example: catalog sandbox -- sh publish.sh";
const APPROVE_EXAMPLE =
  "For example: catalog sandbox approve 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10 --approve-as rejected";

interface ApproveOptions {
  /** Words that name courses, and perhaps `-`. */
  readonly typed: readonly string[];
  readonly status: string;
  readonly dryRun: boolean;
}

function parseOptions(typed: ParsedArguments<typeof FLAGS>): ServeOptions | ApproveOptions {
  const { passthrough, values } = typed;
  if (passthrough === undefined && typed.arguments[0] === APPROVE) return parseApproval(typed);
  const command = passthrough ?? [];
  if (typed.arguments.length > command.length) {
    throw usageError(
      `unexpected argument ${JSON.stringify(typed.arguments[0])}`,
      `To run a command against the sandbox, put it after --. ${EXAMPLE}`,
    );
  }
  if (passthrough?.length === 0) throw usageError("missing <command> after --", EXAMPLE);
  if (values.dryRun) throw usageError("--dry-run needs approve", APPROVE_EXAMPLE);
  if (values.approveAs !== undefined && values.approveAfter === undefined) {
    throw usageError("--approve-as needs --approve-after or approve", APPROVE_EXAMPLE);
  }
  const { approveAfter: after, approveAs: as = DEFAULT_STATUS, seed, data } = values;
  const { port = command.length === 0 ? DEFAULT_PORT : 0, host = "127.0.0.1" } = values;
  const { latency = 0, fail = 0 } = values;
  const approval = after === undefined ? undefined : { after, as };
  return { port, host, seed, data, latency, fail, approval, command };
}

function parseApproval(typed: ParsedArguments<typeof FLAGS>): ApproveOptions {
  const [, ...words] = typed.arguments;
  if (words.length === 0) throw usageError("missing <course>", APPROVE_EXAMPLE);
  const { approveAs: status = DEFAULT_STATUS, dryRun, ...others } = typed.values;
  const given: Readonly<Record<string, unknown>> = others;
  const foreign = FLAGS.find(({ name }) => given[camelCase(name)] !== undefined);
  if (foreign !== undefined) {
    throw usageError(
      `--${foreign.name} cannot be combined with "sandbox approve"`,
      `Pass --${foreign.name} when you start the sandbox.`,
    );
  }
  return { typed: parseCourses({ arguments: words }), status, dryRun };
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

/** Sends a GET that only a sandbox answers, then a PATCH for each id. */
async function approve({ typed, status, dryRun }: ApproveOptions, context: Context) {
  const client = await context.client();
  await requireSandbox(client, context);
  const courses = await resolveCourses(typed, context);
  const body = Buffer.from(JSON.stringify({ approval_status: status }));
  const results = new Results(context);
  let set = 0;
  for await (const result of mapInOrder(courses, await concurrencyOf(context), approveOne)) {
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
