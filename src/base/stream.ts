/** Wraps a Node.js stream as an `Output` that waits for slow readers and survives gone ones. */
import type { Readable, Writable } from "node:stream";
import { CatalogError, systemCode } from "./errors.ts";
import type { Output } from "./io.ts";

/** What a stream of `process` tells beside being writable. */
export type MaybeTerminal = { isTTY?: boolean | undefined; columns?: number | undefined };

/** How wide text is laid out where no terminal says. */
export const DEFAULT_COLUMNS = 80;

/** An `Output` that takes bytes, too. */
export interface StreamOutput extends Output {
  write(text: string | Uint8Array): Promise<void>;
}

/** An `Output` over a writable stream. */
export function outputOver(stream: Writable & MaybeTerminal): StreamOutput {
  let failure: unknown;
  let isClosed = false;
  const note = (error: unknown): void => {
    if (systemCode(error) === "EPIPE" || systemCode(error) === "ERR_STREAM_DESTROYED") {
      isClosed = true;
    } else {
      failure ??= error;
    }
  };
  stream.on("error", note);

  return {
    stream,
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns !== undefined && stream.columns > 0 ? stream.columns : DEFAULT_COLUMNS;
    },
    get closed() {
      return isClosed;
    },
    async write(text) {
      if (isClosed || text.length === 0) return;
      await new Promise<void>((resolve) => {
        stream.write(text, (error) => {
          if (error) note(error);
          resolve();
        });
      });
      if (failure !== undefined) throw outputError(failure);
    },
  };
}

function outputError(cause: unknown): CatalogError {
  const code = systemCode(cause);
  const why = code === "ENOSPC" ? "no space left on the device" : (code ?? "unknown cause");
  return new CatalogError("output", `the output could not be written: ${why}`, { code, cause });
}

/** Everything a stream holds until it ends, at most `limit` bytes; undefined when it holds more. */
export async function readAll(stream: Readable, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > limit) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
