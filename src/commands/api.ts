/** `catalog api`: sends one request with your API key. docs/service.md describes the API. */
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { usageError } from "../base/errors.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { escapeControls, escapeLine, joinList, requireChoice } from "../base/text.ts";
import { DRY_RUN_FLAG, type Flag, type Typed } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { readBytes, readSource, unreadable } from "../files/decode.ts";
import { type CatalogClient, checkCall } from "../service/client.ts";
import { METHODS } from "../service/errors.ts";

const FLAGS = [
  {
    name: "data",
    short: "d",
    value: "<text|@file|->",
    description: "the JSON body: text, @file, or - for standard input",
  },
  { name: "include", short: "i", description: "print the status and the headers before the body" },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

/** Sends the given request once. */
export const api = command({
  description:
    "The path is relative to the base URL. catalog sends the request once, and follows no redirect, to keep " +
    "your API key safe. PATCH, PUT and DELETE need exactly one id=<uuid> in the query: without it, they could " +
    "change every course. What api changes cannot be undone.",
  arguments: [
    {
      name: "method",
      required: true,
      choices: METHODS,
      description: `${joinList(METHODS)}, in upper- or lowercase`,
    },
    { name: "path", required: true, description: "path and query, such as developer/v1/courses" },
  ],
  flags: FLAGS,
  examples: {
    "Read a course as the service sends it": "catalog api GET 'developer/v1/courses?limit=1'",
    "Unpublish a course": `catalog api PATCH "developer/v1/courses?id=$id" -d '{"published": false}'`,
    "Create a course and show the complete response":
      "catalog api POST developer/v1/courses -d @course.json -i",
  },
  parse: parseOptions,
  run: sendRequest,
});

function parseOptions({ words: [word = "", path = ""], ...flags }: Typed<typeof FLAGS>) {
  const { data } = flags;
  const method = requireChoice(word.toUpperCase(), METHODS, "the method");
  checkCall(method, path);
  if (data !== undefined && !/^(?:POST|PUT|PATCH)$/.test(method)) {
    throw usageError(
      `--data cannot be combined with ${method}, which has no body`,
      "Put query parameters in the path.",
    );
  }
  if (data === "@") throw usageError("missing the name of a file after --data @");
  return { ...flags, method, path };
}

async function sendRequest(
  { method, path, include, data, dryRun }: ReturnType<typeof parseOptions>,
  context: Context,
): Promise<void> {
  // A missing base URL or key is reported before anything is read.
  const client = await context.client();
  const body = data === undefined ? undefined : await readBody(data, context);
  if (dryRun && method !== "GET") {
    return await context.messages.info(`Would send ${method} ${escapeLine(path)}.`);
  }
  const response = await client.raw({ method, path, body });
  await printResponse(response, include, context);
  if (response.failure !== undefined) throw response.failure;
}

/** Prints the body as sent, and the status on standard error; with `include`, the status and the headers before it. */
async function printResponse(
  { status, reason = "", headers, body, failure }: Awaited<ReturnType<CatalogClient["raw"]>>,
  include: boolean,
  { io: { out }, messages }: Context,
): Promise<void> {
  const first = escapeLine(`HTTP ${status} ${reason}`.trimEnd());
  if (include) {
    const lines = Object.entries(headers).map(([name, value]) => escapeLine(`${name}: ${value}`));
    await out.write(`${[first, ...lines].join("\n")}\n\n`);
  } else await messages.info(first);
  if (!out.isTerminal && !isUtf8(body)) return await out.write(body);
  // The body of an error is masked like a message, because it may repeat the key.
  const kind = failure === undefined ? "data" : "message";
  const text = escapeControls(body.toString());
  const end = out.isTerminal && !/^$|\n$/.test(text) ? "\n" : "";
  await out.write(`${text}${end}`, kind);
}

/** The bytes of the body: the text of `--data`, the file after `@`, or standard input. */
async function readBody(data: string, { io, folder }: Context): Promise<Buffer> {
  const name = data.slice(1);
  if (data.startsWith("@")) return readBytes({ name, path: resolve(folder, name) });
  if (data !== STANDARD_INPUT) return Buffer.from(data);
  try {
    return await readSource({ name: STDIN_NAME, path: "" }, io.in.stream);
  } catch (cause) {
    throw unreadable(STDIN_NAME, cause);
  }
}
