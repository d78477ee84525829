/** Prints the response to a raw request: unchanged, safe for a terminal, or in a format. */
import { isUtf8 } from "node:buffer";
import { attempt } from "../base/errors.ts";
import { type Output, streamOutput, type TextKind } from "../base/io.ts";
import { scanJson } from "../base/scan-json.ts";
import { escapeLine, escapeText } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Context } from "../command-support/context.ts";
import { rendererFor } from "../command-support/show.ts";
import { applyEdits } from "../files/text-edit.ts";
import { terminalJson } from "../output/data-formats.ts";
import { capabilitiesOf, JSON_FORMAT } from "../output/formats.ts";
import type { RawResponse } from "../service/raw.ts";
import { RESPONSE_LIMITS } from "../service/response.ts";

/** Prints the body, and the status on standard error; `include` prints both with the headers. */
export async function printResponse(
  response: RawResponse,
  include: boolean,
  context: Context,
): Promise<void> {
  const { io, messages, options } = context;
  const { body, failure, headers, reason = "" } = response;
  const status = escapeLine(`HTTP ${response.status} ${reason}`.trimEnd());
  if (include) {
    const lines = Object.entries(headers).map(([name, value]) => escapeLine(`${name}: ${value}`));
    await io.out.write(`${[status, ...lines].join("\n")}\n\n`);
  } else await messages.info(status);
  if (body.length === 0) return;
  // The body of an error is not data, and a format could hide its message.
  if (failure !== undefined) return await printBody(body, io.out, "message");
  const value = options.format && parseJson(body);
  const rows = isList(value) ? value : [value];
  if (rows.every(isObject)) return await printRows(rows, !isList(value), context);
  // Other JSON values are JSON documents, too.
  const isDocument = options.format === JSON_FORMAT && value !== undefined;
  if (options.format !== undefined && !isDocument) {
    await messages.warn(
      "the body is not an object or a list of objects that can be formatted; printing it unchanged",
    );
  }
  await printBody(body, io.out, "data");
}

/** Prints the body unchanged; on a terminal indented, escaped and ending its line. */
async function printBody(body: Buffer, out: Output, kind: TextKind): Promise<void> {
  if (out.isTerminal) {
    const text = body.toString();
    const shown =
      parseJson(body) === undefined ? escapeText(text) : terminalJson(await indentJson(text));
    await out.write(shown.endsWith("\n") ? shown : `${shown}\n`, kind);
  } else if (isUtf8(body)) {
    await out.write(body.toString(), kind);
  } else {
    // Latin-1 preserves every byte, which text for an output cannot.
    const text = body.toString("latin1");
    const safe = out.neutralize(kind === "message" ? out.mask(text) : text);
    await streamOutput(out.stream).write(Buffer.from(safe, "latin1"));
  }
}

/** The same JSON indented by two; its numbers and repeated keys are unchanged. */
async function indentJson(text: string): Promise<string> {
  const { format } = await import("jsonc-parser");
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" });
  return applyEdits(
    text,
    edits.map(({ offset, length, content }) => ({
      span: { start: offset, end: offset + length },
      text: content,
    })),
  );
}

/** Formatters run out of stack on much deeper values; a course needs five levels. */
const LIMITS = { ...RESPONSE_LIMITS, depth: 200 };

/** The value of a JSON text; undefined if it is not JSON, or too large or nested too deeply for a format. */
function parseJson(body: Buffer): unknown {
  const text = body.toString();
  const { deep, many, wide } = scanJson(text, LIMITS);
  if ((deep ?? many ?? wide) !== undefined) return undefined;
  return attempt(() => JSON.parse(text));
}

async function printRows(
  rows: readonly PlainObject[],
  single: boolean,
  context: Context,
): Promise<void> {
  const { format, fields } = context.options;
  const names = new Set(rows.flatMap(Object.keys));
  const requested = columnsOf(fields);
  const unknown = requested.filter((name) => !names.has(name));
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

/** The columns of fields or of paths into them. */
export function columnsOf(fields: readonly string[] = []): string[] {
  return fields.map((field) => /^[^.[]+/.exec(field)?.[0] ?? field);
}
