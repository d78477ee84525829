/** `catalog api`: sends one raw request with the key. */
import { checkCall } from "../api/raw-guard.ts";
import { METHODS, type Method } from "../api/transport.ts";
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { getString, isSet } from "../command-support/flag-values.ts";
import { type BodyNeeds, type BodySource, parseBody, readBody } from "./api-body.ts";
import { checkResponseFormat, printResponse, type ResponseNeeds } from "./api-response.ts";

interface Options {
  readonly method: Method;
  readonly path: string;
  readonly body?: BodySource;
  /** Whether status and headers are part of the output. */
  readonly include: boolean;
}

type Needs = ResponseNeeds & BodyNeeds & Pick<Context, "client">;

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
  flags: [
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
  ],
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

function parseOptions(words: ParsedArguments): Options {
  const [word = "", path = ""] = words.arguments;
  const method = parseMethod(word);
  checkCall(method, path);
  const include = isSet(words, "include");
  const hasFormat = isSet(words, "json") || getString(words, "output") !== undefined;
  if (include && hasFormat) {
    throw usageError("--include and --output cannot be combined: headers have no format");
  }
  const body = parseBody(words, method);
  return { method, path, include, ...(body === undefined ? {} : { body }) };
}

function parseMethod(word: string): Method {
  const method = METHODS.find((known) => known === word.toUpperCase());
  if (method !== undefined) return method;
  const suggestion = closest(word, METHODS);
  throw usageError(
    `the method must be ${joinList(METHODS)}: ${word}`,
    suggestion === undefined ? undefined : `Did you mean ${suggestion}?`,
  );
}

async function sendRequest(options: Options, context: Needs): Promise<void> {
  const { method, path, include } = options;
  checkResponseFormat(context);
  // A missing base URL or key is reported before anything is read.
  const client = await context.client();
  const body = options.body === undefined ? undefined : await readBody(options.body, context);
  const response = await client.raw({ method, path, ...(body === undefined ? {} : { body }) });
  await printResponse(response, include, context);
  if (response.failure !== undefined) throw response.failure;
}
