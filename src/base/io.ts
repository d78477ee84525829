/** Wraps the standard streams and the terminal, so that tests can replace them. */
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { attempt, CatalogError, systemCode, systemReason } from "./errors.ts";

/** The argument that means standard input, instead of a path or an id. */
export const STANDARD_INPUT = "-";

export const STDIN_NAME = "<stdin>";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; 80 if it is unknown. */
  readonly columns: number;
  /** The stream itself, for libraries that draw on it (prompts, progress). */
  readonly stream: Writable;
  /** Masks secrets in a string for people, before it is laid out or written elsewhere. */
  readonly mask: (text: string) => string;
  /**
   * Writes text or bytes, and resolves when more can be written. After the reader has closed the stream, as
   * `head` does, `closed` is true and text is dropped.
   *
   * @param kind by default a message
   * @throws CatalogError of kind `output` if the text cannot be written, for example to a full disk
   */
  write(text: string | Uint8Array, kind?: TextKind): Promise<void>;
  readonly closed: boolean;
}

/**
 * - `message`: text for people, in which secrets are masked, and what `escapeJson` escapes is escaped
 * - `data`: as a message, but without masks
 * - `lines`: tab-separated lines, which are data in the log of a CI service, and otherwise do not change
 * - `verbatim`: text that must not change, such as our own workflow commands
 */
export type TextKind = "message" | "data" | "lines" | "verbatim";

interface Input {
  readonly isTerminal: boolean;
  readonly stream: Readable & { readonly setRawMode?: (isRaw: boolean) => unknown };
}

export interface IO {
  readonly in: Input;
  readonly out: Output;
  readonly err: Output;
}

/** Whether a standard stream was a terminal that is closed now. @param isatty the function of `node:tty` */
export function isTerminalGone(isatty: (fd: number) => boolean): boolean {
  return [0, 1, 2].some(
    (fd) => attempt(() => fstatSync(fd).isCharacterDevice()) === true && !isatty(fd),
  );
}

type MaybeTerminal = { isTTY?: boolean | undefined; columns?: number | undefined };

/** The width of text, in columns, where no terminal has one. */
const DEFAULT_COLUMNS = 80;

const unchanged = (text: string): string => text;

/** The function of an output that leaves all text unchanged. */
export const UNGUARDED = { mask: unchanged };

export function streamOutput(stream: Writable & MaybeTerminal): Output {
  let failure: unknown;
  let closed = false;
  const record = (error: unknown): void => {
    const code = systemCode(error) ?? "";
    // For a terminal, EIO means that its reader is gone; for a file, EIO is a failure.
    const gone = stream.isTTY
      ? /^(EPIPE|ERR_STREAM_DESTROYED|EIO)$/
      : /^(EPIPE|ERR_STREAM_DESTROYED)$/;
    if (gone.test(code)) closed = true;
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
      if (failure === undefined) return;
      const message = `cannot write the output: ${systemReason(failure)}`;
      throw new CatalogError("output", message, { code: systemCode(failure), cause: failure });
    },
  };
}

/**
 * Standard output or standard error of the process. Text for a file or a pipe is written directly, because
 * Node.js's stream drops text that does not fit on a full disk, switches a pipe to a mode in which the writes of
 * another program fail, and loads all network code (docs/contributing/start-up.md). Text for other outputs, and
 * text that a pipe does not accept at once, goes through the stream.
 *
 * @param openStream opens `process.stdout` or `process.stderr`; for a file or a pipe only if needed
 */
export function standardOutput(
  descriptor: number,
  platform: NodeJS.Platform,
  openStream: () => Writable & MaybeTerminal,
): Output {
  const stats = attempt(() => fstatSync(descriptor));
  const isFile = stats?.isFile() === true;
  // Only Linux can open a pipe a second time.
  const isPipe = stats?.isFIFO() === true && platform === "linux";
  if (!isFile && !isPipe) return streamOutput(openStream());
  let direct = isFile ? descriptor : undefined;
  let opened: Output | undefined;
  let closed = false;
  const output = (): Output => {
    opened ??= streamOutput(openStream());
    return opened;
  };
  /** @returns what could not be written directly */
  const writeDirectly = (text: string | Uint8Array): Uint8Array => {
    let rest = typeof text === "string" ? Buffer.from(text) : text;
    try {
      // Opened a second time without blocking, because a blocked process would not handle signals.
      direct ??= openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
      while (rest.length > 0) rest = rest.subarray(writeSync(direct, rest));
    } catch (error) {
      closed = systemCode(error) === "EPIPE";
      // The stream waits until the pipe accepts more, or reports the error.
    }
    return rest;
  };
  return {
    ...UNGUARDED,
    get stream() {
      return output().stream;
    },
    isTerminal: false,
    columns: DEFAULT_COLUMNS,
    get closed() {
      return closed || opened?.closed === true;
    },
    async write(text) {
      if (closed) return;
      // Text must not overtake what the stream has not written yet.
      const rest = opened === undefined ? writeDirectly(text) : text;
      if (!closed && rest.length > 0) await output().write(rest);
    },
  };
}

/** Reads a stream to its end. @returns undefined for more than `limit` bytes */
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
