/** `catalog sandbox`: runs the API on this machine. */
import { usageError } from "../base/errors.ts";
import { decimal, wholeNumber } from "../base/values.ts";
import { type Flag, nonEmpty, type ParsedArguments } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import { type ServeOptions, serve } from "./sandbox-serve.ts";

const DEFAULT_PORT = 4010;
/** The longest delay of a timer, in milliseconds. */
const LONGEST_DELAY = 2 ** 31 - 1;
const DEFAULT_STATUS = "approved";
const FLAGS = [
  {
    name: "port",
    value: "<n>",
    parse: wholeNumber(0, 65_535),
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
    parse: decimal(0, 1),
    description: "make this share of the requests fail, 0 to 1",
  },
  {
    name: "approve-after",
    value: "<seconds>",
    parse: decimal(0, LONGEST_DELAY / 1000),
    description: "approve each new course after this time (default: courses stay pending)",
  },
  {
    name: "approve-as",
    needs: "approve-after",
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
  examples: {
    "Start a sandbox; it prints what to do next": "catalog sandbox",
    "Start with the courses of a folder": "catalog sandbox --seed courses/",
    "Keep the data for next time": "catalog sandbox --data sandbox.data",
    "Test a script while one request in ten fails": "catalog sandbox --fail 0.1 -- sh publish.sh",
    "Approve new courses after two seconds": "catalog sandbox --approve-after 2",
  },
  exits: [1, 3],
  showsKey: true,
  parse: parseOptions,
  run: serve,
});

const EXAMPLE = "For example: catalog sandbox -- sh publish.sh";

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
  const { approveAfter: after, approveAs: as = DEFAULT_STATUS, seed, data } = values;
  const { port = command.length === 0 ? DEFAULT_PORT : 0, host = "127.0.0.1" } = values;
  const { latency = 0, fail = 0 } = values;
  const approval = after === undefined ? undefined : { after: after * 1000, as };
  return { port, host, seed, data, latency, fail, approval, command };
}
