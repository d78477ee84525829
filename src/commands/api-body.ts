/** Reads the body of `catalog api`: inline text, a file or standard input. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Method } from "../api/transport.ts";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";
import { readAll, STANDARD_INPUT } from "../base/io.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import type { Context } from "../command-support/context.ts";
import { getString } from "../command-support/flag-values.ts";
import { unreadable } from "../files/bytes.ts";
import { STDIN_NAME } from "../files/read.ts";

/** Where the body comes from. */
export type BodySource =
  | { readonly text: string }
  /** A file name as typed, or `-`. */
  | { readonly file: string };

/** What reading a body needs. */
export type BodyNeeds = Pick<Context, "io" | "folder" | "messages">;

const MEBIBYTE = 1024 * 1024;
const MAX_BODY = 64 * MEBIBYTE;

/** The body source of `--data`. @throws CatalogError of kind `usage` if the method has no body */
export function parseBody(words: ParsedArguments, method: Method): BodySource | undefined {
  const data = getString(words, "data");
  if (data === undefined) return undefined;
  if (method !== "POST" && method !== "PUT" && method !== "PATCH") {
    throw usageError(`${method} does not accept --data`, "Put query parameters in the path.");
  }
  if (data === STANDARD_INPUT) return { file: data };
  if (!data.startsWith("@")) return { text: data };
  const file = data.slice(1);
  if (file === "") throw usageError("--data needs a file name after the @");
  return { file };
}

/**
 * The bytes of the body, unchanged; warns if they are not JSON.
 *
 * @throws CatalogError of kind `file` for one that cannot be read
 */
export async function readBody(source: BodySource, context: BodyNeeds): Promise<Uint8Array> {
  const bytes = "text" in source ? Buffer.from(source.text) : await readFrom(source.file, context);
  if (!isJson(bytes)) {
    await context.messages.warn(
      "the body is not JSON; sending it unchanged with Content-Type: application/json",
    );
  }
  return bytes;
}

async function readFrom(file: string, { io, folder }: BodyNeeds): Promise<Buffer> {
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
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
