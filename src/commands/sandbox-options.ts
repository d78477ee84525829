/** The arguments and flags of `catalog sandbox`. */
import { usageError } from "../base/errors.ts";
import {
  type Argument,
  camelCase,
  type Flag,
  type FlagValues,
  LONGEST_DELAY,
  type ParsedArguments,
  wholeNumber,
} from "../command-support/arguments.ts";
import { parseCourses } from "../command-support/course-arguments.ts";

const DEFAULT_PORT = 4010;
const DEFAULT_STATUS = "approved";
/** The first argument that sets a status in a running sandbox instead of starting one. */
const APPROVE = "approve";

/** How the sandbox runs: the flags, with their defaults. */
export interface ServeOptions
  extends Omit<FlagValues<typeof SANDBOX_FLAGS>, "port" | "host" | "latency" | "fail"> {
  readonly port: number;
  readonly host: string;
  /** Milliseconds. */
  readonly latency: number;
  /** 0 to 1. */
  readonly fail: number;
  /** When new courses are approved, in milliseconds, and the status that they get. */
  readonly approval: { readonly after: number; readonly as: string } | undefined;
  /** The command to run against the sandbox, with its arguments; empty for none. */
  readonly command: readonly string[];
}

/** Which courses of a running sandbox get which status. */
export interface ApproveOptions {
  /** UUIDs, and perhaps `-`. */
  readonly ids: readonly string[];
  readonly status: string;
}

export const SANDBOX_ARGUMENTS: readonly Argument[] = [
  {
    name: APPROVE,
    choices: [APPROVE],
    description: "set the status of courses in the running sandbox at your base URL",
  },
  {
    name: "id",
    completes: "course",
    description: "with approve: course ids; - reads them from standard input",
  },
  {
    name: "-- command",
    variadic: true,
    completes: "command",
    description: "after --: a command to run against the sandbox",
  },
];

export const SANDBOX_FLAGS = [
  {
    name: "port",
    value: "<n>",
    parse: wholeNumber(0),
    description: `port to listen on; 0 picks a free one (default ${DEFAULT_PORT}, or a free port when a command is given)`,
  },
  {
    name: "host",
    value: "<address>",
    parse: naming("an address"),
    description: "address to listen on (default 127.0.0.1)",
  },
  {
    name: "seed",
    value: "<path>",
    completes: "file",
    parse: naming("a file or a folder"),
    description: "users, keys, providers and courses: a file, or a folder of courses",
  },
  {
    name: "data",
    value: "<file>",
    completes: "file",
    parse: naming("a file"),
    description: "file that keeps the state across restarts; created if missing",
  },
  {
    name: "latency",
    value: "<ms>",
    parse: parseLatency,
    description: "delay added to every response",
  },
  {
    name: "fail",
    value: "<rate>",
    parse: parseRate,
    description: "fraction of requests to fail, 0 to 1",
  },
  {
    name: "approve-after",
    value: "<seconds>",
    parse: parseDelay,
    description: "approve each new course after this time (default: it stays pending)",
  },
  {
    name: "approve-as",
    value: "<status>",
    parse: naming("a status"),
    description: `with --approve-after: the status that courses get (default ${DEFAULT_STATUS})`,
  },
  {
    name: "as",
    value: "<status>",
    parse: naming("a status"),
    description: `with approve: the status to set (default ${DEFAULT_STATUS})`,
  },
] as const satisfies readonly Flag[];

type Words = ParsedArguments<typeof SANDBOX_FLAGS>;

/** Parses the command line. @throws CatalogError of kind `usage` */
export function parseSandbox(parsed: Words): ServeOptions | ApproveOptions {
  const { passthrough: command = [], values } = parsed;
  if (parsed.passthrough === undefined && parsed.arguments[0] === APPROVE) {
    return parseApprove(parsed);
  }
  if (parsed.arguments.length > command.length) {
    throw usageError(
      `unexpected argument: ${parsed.arguments[0]}`,
      "Put a command to run against the sandbox after --.",
    );
  }
  if (parsed.passthrough?.length === 0) throw usageError("no command after --");
  if (values.as !== undefined) {
    throw usageError("--as requires sandbox approve", "Use --approve-as with --approve-after.");
  }
  // A command gets the port from its environment, and a free one is never in use.
  const { port = command.length === 0 ? DEFAULT_PORT : 0, host = "127.0.0.1" } = values;
  const { latency = 0, fail = 0 } = values;
  return { ...values, port, host, latency, fail, approval: resolveApproval(values), command };
}

function parseApprove(parsed: Words): ApproveOptions {
  const [, ...words] = parsed.arguments;
  if (words.length === 0) throw usageError("sandbox approve needs the id of a course");
  const { as: status = DEFAULT_STATUS, ...others } = parsed.values;
  const given: Readonly<Record<string, unknown>> = others;
  const foreign = SANDBOX_FLAGS.find(({ name }) => given[camelCase(name)] !== undefined);
  if (foreign !== undefined) {
    throw usageError(
      `--${foreign.name} is not available for sandbox approve`,
      "Pass it when you start the sandbox.",
    );
  }
  const ids = parseCourses({ ...parsed, arguments: words });
  return { ids, status };
}

/** The `parse` of a flag that an unset variable must not leave empty. */
function naming(what: string): (text: string, flag: string) => string {
  return (text, flag) => {
    if (text.trim() === "") throw usageError(`--${flag} must name ${what}`);
    return text;
  };
}

function resolveApproval(values: FlagValues<typeof SANDBOX_FLAGS>): ServeOptions["approval"] {
  const { approveAfter: after, approveAs } = values;
  if (after !== undefined) return { after, as: approveAs ?? DEFAULT_STATUS };
  if (approveAs === undefined) return undefined;
  throw usageError("--approve-as requires --approve-after");
}

function parseDelay(text: string): number {
  const delay = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) * 1000 : Number.NaN;
  if (delay <= LONGEST_DELAY) return delay;
  throw usageError(`--approve-after must be a number of seconds, not ${JSON.stringify(text)}`);
}

function parseLatency(text: string, flag: string): number {
  const latency = wholeNumber(0)(text, flag);
  if (latency <= LONGEST_DELAY) return latency;
  throw usageError(`--latency must be at most ${LONGEST_DELAY}: ${latency}`);
}

function parseRate(text: string): number {
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw usageError(`--fail must be a number from 0 to 1: ${text}`);
}
