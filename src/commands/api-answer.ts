/** Prints the response to a raw request: unchanged, made safe for a terminal, or in a format. */
import { isUtf8 } from "node:buffer";
import type { RawResponse } from "../api/raw.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { escapeLine, escapeText } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Context } from "../command-support/context.ts";
import { checkNamedFormat, rendererFor } from "../command-support/show.ts";
import { scanJson } from "../files/json.ts";
import { capabilitiesOf, JSON_FORMAT } from "../output/formats.ts";
import { prettyJson, terminalJson } from "../output/json.ts";

/** What printing a response needs. */
export type AnswerNeeds = Pick<Context, "io" | "options" | "styles" | "messages">;

/** Checks the format and `--fields`, before anything is sent. @throws CatalogError of kind `usage` */
export function checkFormat({ options }: Pick<Context, "options">): void {
  // The fields of the response are not known yet.
  checkNamedFormat({ allColumns: columnsOf(options.fields) }, options);
}

/** The columns that fields, or paths into them, begin with. */
function columnsOf(fields: readonly string[] = []): string[] {
  return fields.map((field) => /^[^.[]+/.exec(field)?.[0] ?? field);
}

/**
 * Prints the body, and the status on standard error.
 *
 * @param include whether to print status and headers before the body instead
 */
export async function showAnswer(
  answer: RawResponse,
  include: boolean,
  context: AnswerNeeds,
): Promise<void> {
  const { io, messages, options } = context;
  const status = escapeLine(`HTTP ${answer.status} ${answer.reason}`.trimEnd());
  if (include) await io.out.write(`${[status, ...headerLines(answer)].join("\n")}\n\n`);
  else await messages.info(status);
  if (answer.body.length === 0) return;
  // The body of a failure is not data, and a format would hide it.
  if (options.format === undefined || answer.failure !== undefined) {
    await showBody(answer.body, io.out);
  } else {
    await showInFormat(answer.body, context);
  }
}

function headerLines({ headers }: RawResponse): string[] {
  return Object.entries(headers).map(([name, value]) => escapeLine(`${name}: ${value}`));
}

/** Prints the body byte for byte; on a terminal indented, escaped and ending in a newline. */
async function showBody(body: Uint8Array, out: Output): Promise<void> {
  if (!out.isTerminal) {
    await writeBytes(body, out);
    return;
  }
  const text = Buffer.from(body).toString("utf8");
  const pretty = prettyJson(text);
  const shown = pretty === undefined ? escapeText(text) : terminalJson(pretty);
  await out.write(shown.endsWith("\n") ? shown : `${shown}\n`);
}

/** Writes bytes that may not be UTF-8, which an `Output` would change. */
async function writeBytes(bytes: Uint8Array, out: Output): Promise<void> {
  if (isUtf8(bytes)) {
    await out.write(Buffer.from(bytes).toString("utf8"));
    return;
  }
  // Latin-1 keeps every byte, and a key is ASCII.
  const text = Buffer.from(bytes).toString("latin1");
  const safe = Buffer.from(out.mask?.(text) ?? text, "latin1");
  await new Promise<void>((resolve, reject) => {
    out.stream.write(safe, (cause) => {
      // A closed pipe is not an error.
      if (!cause || systemCode(cause) === "EPIPE") resolve();
      else reject(new CatalogError("output", "cannot write the output", { cause }));
    });
  });
}

async function showInFormat(body: Uint8Array, context: AnswerNeeds): Promise<void> {
  const { io, messages, options } = context;
  const value = parsed(Buffer.from(body).toString("utf8"));
  const rows = rowsOf(value);
  if (rows !== undefined) {
    await showRows(rows, !isList(value), context);
    return;
  }
  // JSON of another shape is still a JSON document.
  if (value === undefined || options.format !== JSON_FORMAT) {
    await messages.warn("the body is not an object or a list of objects; printing it unchanged");
  }
  await showBody(body, io.out);
}

/** Formats would overflow the stack on far deeper values; a course needs five levels. */
const MOST_LEVELS = 200;

/** The value of a JSON string, or undefined if it is invalid or too deep for a format. */
function parsed(text: string): unknown {
  if (scanJson(text, MOST_LEVELS, Number.POSITIVE_INFINITY).deep !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowsOf(value: unknown): readonly PlainObject[] | undefined {
  if (isObject(value)) return [value];
  return isList(value) && value.every(isObject) ? value : undefined;
}

async function showRows(
  rows: readonly PlainObject[],
  single: boolean,
  context: AnswerNeeds,
): Promise<void> {
  const { format, fields } = context.options;
  const names = [...new Set(rows.flatMap(Object.keys))];
  const asked = columnsOf(fields);
  const unknown = asked.filter((name) => !names.includes(name));
  // The request has been sent: an unknown field must not hide the response.
  if (rows.length > 0 && unknown.length > 0) {
    await context.messages.warn(`the response has no field ${[...new Set(unknown)].join(", ")}`);
  }
  const allColumns = [...new Set([...names, ...asked])];
  if (allColumns.length === 0 && format !== undefined && capabilitiesOf(format).needsColumns)
    return;
  const columns = Object.keys(rows[0] ?? {});
  const renderer = await rendererFor({ kind: "list", columns, allColumns, single }, context);
  await renderer.rows(rows);
  await renderer.end();
}
