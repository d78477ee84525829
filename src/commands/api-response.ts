/** Prints the response to a raw request: unchanged, safe for a terminal, or in a format. */
import { isUtf8 } from "node:buffer";
import type { RawResponse } from "../api/raw.ts";
import { RESPONSE_LIMITS } from "../api/response.ts";
import { attempt, CatalogError, systemCode } from "../base/errors.ts";
import type { Output, TextKind } from "../base/io.ts";
import { scanJson } from "../base/scan-json.ts";
import { escapeLine, escapeText } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Context } from "../command-support/context.ts";
import { checkNamedFormat, rendererFor } from "../command-support/show.ts";
import { capabilitiesOf, JSON_FORMAT } from "../output/formats.ts";
import { terminalJson } from "../output/json.ts";

/** Checks the format and `--fields` before the request. @throws CatalogError of kind `usage` */
export function checkResponseFormat({ options }: Context): void {
  // The fields of the response are not known yet.
  checkNamedFormat({ allColumns: columnsOf(options.fields) }, options);
}

/** The columns of fields or of paths into them. */
function columnsOf(fields: readonly string[] = []): string[] {
  return fields.map((field) => /^[^.[]+/.exec(field)?.[0] ?? field);
}

/** Prints the body, and the status on standard error; `include` prints both with the headers. */
export async function printResponse(
  response: RawResponse,
  include: boolean,
  context: Context,
): Promise<void> {
  const { io, messages, options } = context;
  const status = `HTTP ${response.status} ${response.reason}`.trimEnd();
  if (include) {
    const head = [status, ...headerLines(response)];
    await io.out.write(`${head.map(escapeLine).join("\n")}\n\n`);
  } else await messages.info(escapeLine(status));
  if (response.body.length === 0) return;
  // The body of an error is not data, and a format could hide its message.
  if (options.format === undefined || response.failure !== undefined) {
    await printBody(response.body, io.out, response.failure === undefined ? "data" : "message");
  } else {
    await printInFormat(response.body, context);
  }
}

function headerLines({ headers }: RawResponse): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Prints the body unchanged; on a terminal indented, escaped and ending its line. */
async function printBody(body: Uint8Array, out: Output, kind: TextKind): Promise<void> {
  if (!out.isTerminal) {
    await writeBytes(body, out, kind);
    return;
  }
  const text = Buffer.from(body).toString("utf8");
  const isJson = parseJson(text) !== undefined;
  const shown = isJson ? terminalJson(await indentJson(text)) : escapeText(text);
  await out.write(shown.endsWith("\n") ? shown : `${shown}\n`, kind);
}

/** The same JSON indented by two; its numbers and repeated keys are unchanged. */
async function indentJson(text: string): Promise<string> {
  const { format } = await import("jsonc-parser");
  let indented = "";
  let done = 0;
  const options = { insertSpaces: true, tabSize: 2, eol: "\n" };
  for (const { offset, length, content } of format(text, undefined, options)) {
    indented += text.slice(done, offset) + content;
    done = offset + length;
  }
  return indented + text.slice(done);
}

/**
 * Writes bytes unchanged, except for workflow commands in GitHub Actions; the JSON that replaces them
 * has the same meaning. An `Output` accepts text, which cannot represent invalid UTF-8.
 */
async function writeBytes(bytes: Uint8Array, out: Output, kind: TextKind): Promise<void> {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  // Latin-1 preserves every byte.
  const text = Buffer.from(bytes).toString(encoding);
  if (encoding === "utf8") return await out.write(text, kind);
  const masked = kind === "message" ? out.mask(text) : text;
  const safe = Buffer.from(out.neutralize(masked), encoding);
  await new Promise<void>((resolve, reject) => {
    out.stream.write(safe, (cause) => {
      // A closed pipe is not an error.
      if (!cause || systemCode(cause) === "EPIPE") resolve();
      else reject(new CatalogError("output", "cannot write the output", { cause }));
    });
  });
}

async function printInFormat(body: Uint8Array, context: Context): Promise<void> {
  const { io, messages, options } = context;
  const value = parseJson(Buffer.from(body).toString("utf8"));
  const rows = rowsOf(value);
  if (rows !== undefined) {
    await printRows(rows, !isList(value), context);
    return;
  }
  // Other JSON values are JSON documents, too.
  if (value === undefined || options.format !== JSON_FORMAT) {
    await messages.warn(
      "the body is not an object or a list of objects that can be formatted; printing it unchanged",
    );
  }
  await printBody(body, io.out, "data");
}

/** Formatters run out of stack on much deeper values; a course needs five levels. */
const LIMITS = { ...RESPONSE_LIMITS, depth: 200 };

/** The value of a JSON text; undefined if it is not JSON, or too large or nested too deeply for a format. */
function parseJson(text: string): unknown {
  const { deep, many, wide } = scanJson(text, LIMITS);
  if ((deep ?? many ?? wide) !== undefined) return undefined;
  return attempt(() => JSON.parse(text));
}

function rowsOf(value: unknown): readonly PlainObject[] | undefined {
  if (isObject(value)) return [value];
  return isList(value) && value.every(isObject) ? value : undefined;
}

async function printRows(
  rows: readonly PlainObject[],
  single: boolean,
  context: Context,
): Promise<void> {
  const { format, fields } = context.options;
  const names = [...new Set(rows.flatMap(Object.keys))];
  const requested = columnsOf(fields);
  const unknown = requested.filter((name) => !names.includes(name));
  // The request was sent, so its response is printed even if a field does not exist.
  if (rows.length > 0 && unknown.length > 0) {
    await context.messages.warn(`the response has no field ${[...new Set(unknown)].join(", ")}`);
  }
  const allColumns = [...new Set([...names, ...requested])];
  if (allColumns.length === 0 && format !== undefined && capabilitiesOf(format).needsColumns)
    return;
  const columns = Object.keys(rows[0] ?? {});
  const renderer = await rendererFor({ kind: "list", columns, allColumns, single }, context);
  await renderer.rows(rows);
  await renderer.end();
}
