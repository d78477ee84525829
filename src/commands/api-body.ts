/** Reads the body of `catalog api`: text, a file or standard input (cli.md section 11). */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Method } from "../api/transport.ts";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import type { Context } from "../command-support/context.ts";
import { getString } from "../command-support/flag-values.ts";
import { STANDARD_INPUT } from "../command-support/ids.ts";
import { unreadable } from "../files/bytes.ts";
import { STDIN_NAME } from "../files/read.ts";

/** Where the body comes from. */
export type BodySource =
  | { readonly text: string }
  /** A file's name as it was typed, or `-`. */
  | { readonly file: string };

/** What reading a body needs. */
export type BodyNeeds = Pick<Context, "io" | "folder" | "messages">;

const MEBIBYTE = 1024 * 1024;
const MAX_BODY = 64 * MEBIBYTE;

/** The body that the words ask for. @throws CatalogError `usage` where the method takes none */
export function parseBody(words: ParsedArguments, method: Method): BodySource | undefined {
  const data = getString(words, "data");
  if (data === undefined) return undefined;
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") {
    throw usageError(`${method} takes no --data`, "Query parameters are a part of the path.");
  }
  if (data === STANDARD_INPUT) return { file: data };
  if (!data.startsWith("@")) return { text: data };
  const file = data.slice(1);
  if (file === "") throw usageError("--data names no file behind the @");
  return { file };
}

/**
 * The bytes of a body, as they are; with a warning where they are no JSON.
 *
 * @throws CatalogError of kind `file` for one that cannot be read
 */
export async function readBody(source: BodySource, context: BodyNeeds): Promise<Uint8Array> {
  const bytes = "text" in source ? Buffer.from(source.text) : await readFrom(source.file, context);
  if (!isJson(bytes)) {
    await context.messages.warn("the body is not JSON; it is sent as it is, marked as JSON");
  }
  return bytes;
}

async function readFrom(file: string, { io, folder }: BodyNeeds): Promise<Buffer> {
  const isInput = file === STANDARD_INPUT;
  const name = isInput ? STDIN_NAME : file;
  // What another program writes into a pipe of its own, as <(…) does, is read, too.
  const stream: Readable = isInput ? io.in.stream : createReadStream(resolve(folder, file));
  let bytes: Buffer | undefined;
  try {
    bytes = await readAll(stream, MAX_BODY);
  } catch (cause) {
    if (systemCode(cause) !== "EISDIR") throw unreadable(name, cause);
    throw new CatalogError("file", `could not read ${name}: it is a folder`, { file: name });
  }
  if (bytes !== undefined) return bytes;
  const message = `${name} is larger than ${MAX_BODY / MEBIBYTE} MiB, the most for a body`;
  throw new CatalogError("file", message, { file: name });
}

/** Whether the bytes are JSON as it is sent: UTF-8, without a byte order mark. */
function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
