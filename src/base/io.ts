/** The standard streams as values. */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { attempt, CatalogError, systemCode, systemReason } from "./errors.ts";

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
   * Writes text or bytes and resolves when more can be written. After the reader has closed the stream (as
   * `head` does), `closed` is true and text is dropped. Rejects with kind `output` if the text cannot
   * be written, for example to a full disk.
   *
   * @param kind what may be changed in it; by default it is a message
   */
  write(text: string | Uint8Array, kind?: TextKind): Promise<void>;
  /** Whether the reader has closed the stream. */
  readonly closed: boolean;
}

/**
 * A text for people, in which secrets are masked, workflow commands disarmed and control characters
 * beyond ASCII escaped as in JSON; data, in which secrets are not masked; or what must not change at all,
 * such as our own commands.
 */
type TextKind = "message" | "data" | "verbatim";

interface Input {
  readonly isTerminal: boolean;
  readonly stream: Readable;
}

/** The terminal that the program was started from, even if standard input carries data. */
interface ControllingTerminal {
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

const TERMINAL = "/dev/tty";

/** The terminal of the process; the path cannot be opened by one without, such as a service. */
export const CONTROLLING_TERMINAL: ControllingTerminal = {
  isAvailable: () => {
    const opened = attempt(() => openSync(TERMINAL, "r"));
    if (opened !== undefined) closeSync(opened);
    return opened !== undefined;
  },
  open: async () => {
    const { ReadStream } = await import("node:tty");
    return new ReadStream(openSync(TERMINAL, "r"));
  },
};

/** Whether a standard stream was a terminal that is closed now. @param isatty that of `node:tty` */
export function isTerminalGone(isatty: (fd: number) => boolean): boolean {
  return [0, 1, 2].some(
    (fd) => attempt(() => fstatSync(fd).isCharacterDevice()) === true && !isatty(fd),
  );
}

/** What a stream of `process` may have in addition to `Writable`. */
type MaybeTerminal = { isTTY?: boolean | undefined; columns?: number | undefined };

/** The width of text where no terminal has one. */
const DEFAULT_COLUMNS = 80;

const unchanged = (text: string): string => text;

/** The part of an output that changes text, for one that changes none. */
export const UNGUARDED = { mask: unchanged, neutralize: unchanged };

export function streamOutput(stream: Writable & MaybeTerminal): Output {
  let failure: unknown;
  let closed = false;
  const record = (error: unknown): void => {
    const code = systemCode(error) ?? "";
    // A terminal that was closed has no reader anymore; of a file, EIO is a failure.
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
      if (failure !== undefined) throw outputError(failure);
    },
  };
}

/**
 * Standard output or standard error of the process. Text for a file or a pipe is written directly:
 * Node.js's stream loses the rest of what does not fit on a full disk, switches a pipe to a mode in which
 * writes of a program that shares it fail, and loads all network code (docs/contributing/start-up.md). Everything
 * else, and text that a pipe cannot take at once, goes through the stream.
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
  // Only Linux can open a pipe again.
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
      // Opened again because a blocking write would keep the process from handling signals.
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
