/** `catalog api`: sends one raw request with the key. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { Flag, ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { checkNamedFormat } from "../command-support/show.ts";
import { readStreamBytes, unreadable } from "../files/bytes.ts";
import { checkCall } from "../service/raw.ts";
import { METHODS } from "../service/transport.ts";
import { columnsOf, printResponse } from "./api-response.ts";

const FLAGS = [
  {
    name: "data",
    short: "d",
    value: "<text|@file|->",
    completes: "@file",
    description: "JSON body: inline text, @file, or - for standard input",
  },
  {
    name: "include",
    short: "i",
    description: "print the status and the headers before the body",
  },
] as const satisfies readonly Flag[];

/** Sends the given request once. */
export const api = command({
  description:
    "The path is relative to the base URL. The request is sent once, and no redirect is followed. " +
    "PATCH, PUT and DELETE are sent only with exactly one id=<uuid> in the query: without it, they could reach every course.",
  arguments: [
    {
      name: "method",
      required: true,
      choices: METHODS,
      description: `${joinList(METHODS)}, in any case`,
    },
    { name: "path", required: true, description: "path and query, such as developer/v1/courses" },
  ],
  flags: FLAGS,
  examples: [
    {
      description: "Read a course, unprocessed",
      line: "catalog api GET 'developer/v1/courses?limit=1'",
    },
    {
      description: "Unpublish a course",
      line: `catalog api PATCH "developer/v1/courses?id=$id" -d '{"published": false}'`,
    },
    {
      description: "Create a course and show the complete response",
      line: "catalog api POST developer/v1/courses -d @course.json -i",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: sendRequest,
});

function parseOptions(words: ParsedArguments<typeof FLAGS>) {
  const [word = "", path = ""] = words.arguments;
  const { data, include } = words.values;
  const problem = `the method must be ${joinList(METHODS)}: ${word}`;
  const method = requireChoice(word.toUpperCase(), METHODS, problem);
  checkCall(method, path);
  if (data !== undefined && !/^(?:POST|PUT|PATCH)$/.test(method)) {
    throw usageError(`${method} does not accept --data`, "Put query parameters in the path.");
  }
  if (data === "@") throw usageError("--data needs a file name after the @");
  return { method, path, include, data };
}

async function sendRequest(
  { method, path, include, data }: ReturnType<typeof parseOptions>,
  context: Context,
): Promise<void> {
  if (include && context.options.format !== undefined) {
    throw usageError("--include and --output cannot be combined: headers have no format");
  }
  // The fields of the response are not known yet.
  checkNamedFormat({ allColumns: columnsOf(context.options.fields) }, context.options);
  // A missing base URL or key is reported before anything is read.
  const client = await context.client();
  const body = data === undefined ? undefined : await readBody(data, context);
  const response = await client.raw({ method, path, body });
  await printResponse(response, include, context);
  if (response.failure !== undefined) throw response.failure;
}

/** The bytes of the body, unchanged; warns if they are not JSON. */
async function readBody(data: string, context: Context): Promise<Buffer> {
  const bytes = await readData(data, context);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  if (attempt(() => JSON.parse(decoder.decode(bytes))) === undefined) {
    await context.messages.warn(
      "the body is not JSON; sending it unchanged with Content-Type: application/json",
    );
  }
  return bytes;
}

async function readData(data: string, { io, folder }: Context): Promise<Buffer> {
  if (data === STANDARD_INPUT) return await readFrom(STDIN_NAME, io.in.stream);
  if (!data.startsWith("@")) return Buffer.from(data);
  const file = data.slice(1);
  // A stream also reads pipes such as <(…).
  return await readFrom(file, createReadStream(resolve(folder, file)));
}

async function readFrom(name: string, stream: Readable): Promise<Buffer> {
  try {
    return await readStreamBytes(name, stream);
  } catch (cause) {
    throw cause instanceof CatalogError ? cause : unreadable(name, cause);
  }
}
