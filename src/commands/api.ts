/** `catalog api`: sends one raw request with the key. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { checkCall } from "../api/raw-guard.ts";
import { METHODS, type Method } from "../api/transport.ts";
import { attempt, CatalogError, systemCode, usageError } from "../base/errors.ts";
import { readAll, STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { Flag, ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { unreadable } from "../files/bytes.ts";
import { checkResponseFormat, printResponse } from "./api-response.ts";

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

interface Options {
  readonly method: Method;
  readonly path: string;
  readonly body: BodySource | undefined;
  /** Whether status and headers are part of the output. */
  readonly include: boolean;
}

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

function parseOptions(words: ParsedArguments<typeof FLAGS>): Options {
  const [word = "", path = ""] = words.arguments;
  const { data, include } = words.values;
  const method = parseMethod(word);
  checkCall(method, path);
  const { json, output } = words.flags;
  if (include && (json !== undefined || output !== undefined)) {
    throw usageError("--include and --output cannot be combined: headers have no format");
  }
  return { method, path, include, body: data === undefined ? undefined : parseBody(data, method) };
}

function parseMethod(word: string): Method {
  const problem = `the method must be ${joinList(METHODS)}: ${word}`;
  return requireChoice(word.toUpperCase(), METHODS, problem);
}

async function sendRequest(options: Options, context: Context): Promise<void> {
  const { method, path, include } = options;
  checkResponseFormat(context);
  // A missing base URL or key is reported before anything is read.
  const client = await context.client();
  const body = options.body === undefined ? undefined : await readBody(options.body, context);
  const response = await client.raw({ method, path, ...(body === undefined ? {} : { body }) });
  await printResponse(response, include, context);
  if (response.failure !== undefined) throw response.failure;
}

/** Where the body comes from. */
type BodySource =
  | { readonly text: string }
  /** A file name as typed, or `-`. */
  | { readonly file: string };

const MEBIBYTE = 1024 * 1024;
const MAX_BODY = 64 * MEBIBYTE;

/** The body source of `--data`. @throws CatalogError of kind `usage` if the method has no body */
function parseBody(data: string, method: Method): BodySource {
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") {
    throw usageError(`${method} does not accept --data`, "Put query parameters in the path.");
  }
  if (data === STANDARD_INPUT) return { file: data };
  if (!data.startsWith("@")) return { text: data };
  const file = data.slice(1);
  if (file === "") throw usageError("--data needs a file name after the @");
  return { file };
}

/** The bytes of the body, unchanged; warns if they are not JSON. */
async function readBody(source: BodySource, context: Context): Promise<Uint8Array> {
  const bytes = "text" in source ? Buffer.from(source.text) : await readFrom(source.file, context);
  if (!isJson(bytes)) {
    await context.messages.warn(
      "the body is not JSON; sending it unchanged with Content-Type: application/json",
    );
  }
  return bytes;
}

async function readFrom(file: string, { io, folder }: Context): Promise<Buffer> {
  const isInput = file === STANDARD_INPUT;
  const name = isInput ? STDIN_NAME : file;
  // A stream also reads pipes such as <(…).
  const stream: Readable = isInput ? io.in.stream : createReadStream(resolve(folder, file));
  let bytes: Buffer | undefined;
  try {
    bytes = await readAll(stream, MAX_BODY);
  } catch (cause) {
    if (systemCode(cause) !== "EISDIR") throw unreadable(name, cause);
    throw new CatalogError("file", `cannot read ${name}: it is a folder`, { file: name });
  }
  if (bytes !== undefined) return bytes;
  const message = `${name} is larger than ${MAX_BODY / MEBIBYTE} MiB, the most for a body`;
  throw new CatalogError("file", message, { file: name });
}

/** Whether the bytes are JSON in UTF-8 without a byte order mark. */
function isJson(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return attempt(() => JSON.parse(decoder.decode(bytes))) !== undefined;
}
