/** The standard streams as values. */
import type { Readable, Writable } from "node:stream";
import { CatalogError, systemCode, systemReason } from "./errors.ts";

/** The argument that means standard input, as a path or an id. */
export const STANDARD_INPUT = "-";

/** The name of standard input in messages. */
export const STDIN_NAME = "<stdin>";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; 80 if it is unknown. */
  readonly columns: number;
  /** The stream itself, for libraries that draw on it (prompts, progress). */
  readonly stream: Writable;
  /** Masks secrets in text for people, before it is laid out or written to another place. */
  readonly mask: (text: string) => string;
  /** Disarms workflow commands in text; without effect where none are executed. */
  readonly neutralize: (text: string) => string;
  /**
   * Writes text and resolves when more can be written. After the reader has closed the stream (as
   * `head` does), `closed` is true and text is dropped. Rejects with kind `output` if the text cannot
   * be written, for example to a full disk.
   *
   * @param kind what may be changed in it; by default it is a message
   */
  write(text: string, kind?: TextKind): Promise<void>;
  /** Whether the reader has closed the stream. */
  readonly closed: boolean;
}

/**
 * A text for people, in which secrets are masked and workflow commands disarmed; data, in which only
 * commands are; or what must not change at all, such as our own commands.
 */
export type TextKind = "message" | "data" | "verbatim";

interface Input {
  readonly isTerminal: boolean;
  readonly stream: Readable;
}

/** The terminal that the program was started from, even if standard input carries data. */
export interface ControllingTerminal {
  readonly isAvailable: () => boolean;
  /** Opens it for reading. The caller destroys the stream. */
  readonly open: () => Promise<Readable>;
}

/** The three standard streams, and the terminal next to them. */
export interface IO {
  readonly in: Input;
  readonly out: Output;
  readonly err: Output;
  readonly terminal?: ControllingTerminal;
}

/** What a stream of `process` may have in addition to `Writable`. */
export type MaybeTerminal = { isTTY?: boolean | undefined; columns?: number | undefined };

/** The width of text where no terminal has one. */
export const DEFAULT_COLUMNS = 80;

/** An `Output` that also accepts bytes. */
interface StreamOutput extends Output {
  write(text: string | Uint8Array): Promise<void>;
}

const unchanged = (text: string): string => text;

/** The part of an output that changes text, for one that changes none. */
export const UNGUARDED = { mask: unchanged, neutralize: unchanged };

export function streamOutput(stream: Writable & MaybeTerminal): StreamOutput {
  let failure: unknown;
  let closed = false;
  const record = (error: unknown): void => {
    if (/^(EPIPE|ERR_STREAM_DESTROYED)$/.test(systemCode(error) ?? "")) closed = true;
    else failure ??= error;
  };
  stream.on("error", record);
  return {
    ...UNGUARDED,
    stream,
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
    get closed() {
      return closed;
    },
    async write(text) {
      if (closed || text.length === 0) return;
      await new Promise<void>((resolve) => {
        stream.write(text, (error) => {
          if (error) record(error);
          resolve();
        });
      });
      if (failure !== undefined) throw outputError(failure);
    },
  };
}

function outputError(cause: unknown): CatalogError {
  const message = `cannot write the output: ${systemReason(cause)}`;
  return new CatalogError("output", message, { code: systemCode(cause), cause });
}

/** Reads a stream to its end. @returns undefined if it contains more than `limit` bytes */
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
