/** The standard streams and the terminal, the environment, the user and the clock, so that tests can replace them. */
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { attempt, CatalogError, systemCode, systemReason } from "./errors.ts";
import { memoize } from "./values.ts";

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

type Stream = Writable & { isTTY?: boolean | undefined; columns?: number | undefined };

/** The width of text, in columns, where no terminal has one. */
const DEFAULT_COLUMNS = 80;

/** The function of an output that leaves all text unchanged. */
export const UNGUARDED = { mask: (text: string): string => text };

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
  openStream: () => Stream,
): Output {
  const stats = attempt(() => fstatSync(descriptor));
  const isFile = stats?.isFile() === true;
  // Only Linux can open a pipe a second time.
  const isPipe = stats?.isFIFO() === true && platform === "linux";
  let isDirect = isFile || isPipe;
  let direct = isFile ? descriptor : undefined;
  let failure: unknown;
  let closed = false;
  const record = (error: unknown): void => {
    // For a terminal, EIO means that its reader is gone; for a file, EIO is a failure.
    const gone = ["EPIPE", "ERR_STREAM_DESTROYED"].concat(isTerminal ? "EIO" : []);
    if (gone.includes(systemCode(error) ?? "")) closed = true;
    else failure ??= error;
  };
  const stream = memoize(() => openStream().on("error", record));
  const isTerminal = !isDirect && stream().isTTY === true;
  /** @returns what could not be written directly */
  const writeDirectly = (text: string | Uint8Array): Uint8Array => {
    let rest = typeof text === "string" ? Buffer.from(text) : text;
    try {
      // Opened a second time without blocking, because a blocked process would not handle signals.
      direct ??= openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
      while (rest.length > 0) rest = rest.subarray(writeSync(direct, rest));
    } catch (error) {
      // The stream waits until the pipe accepts more, or reports the error. Text must not overtake what it has not written.
      isDirect = false;
      closed = systemCode(error) === "EPIPE";
    }
    return rest;
  };
  return {
    ...UNGUARDED,
    isTerminal,
    get stream() {
      return stream();
    },
    get columns() {
      return (isTerminal && stream().columns) || DEFAULT_COLUMNS;
    },
    get closed() {
      return closed;
    },
    async write(text) {
      const rest = isDirect ? writeDirectly(text) : text;
      if (closed || rest.length === 0) return;
      await new Promise<void>((resolve) => {
        stream().write(rest, (error) => {
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

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of CI services: of most; of Azure Pipelines, Jenkins (two) and TeamCity. */
const CI_VARIABLES = ["CI", "TF_BUILD", "BUILD_ID", "BUILD_NUMBER", "TEAMCITY_VERSION"];

/** Whether catalog runs in a CI service, which may provide a terminal without a user. */
export function isUnattended(environment: Environment): boolean {
  return CI_VARIABLES.some((name) => {
    const { [name]: value = "" } = environment;
    return value !== "" && !(name === "CI" && value === "false");
  });
}

/** The variable that `catalog sandbox -- <command>` sets for its command. */
export const SANDBOX_VARIABLE = "CATALOG_SANDBOX";

/** The user and the machine that a run is recorded with. */
export interface Author {
  /** The user's name; the numeric id if the system does not list the user. */
  readonly user: string;
  readonly host: string;
}

/** A source of time and randomness. All times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since an unspecified moment. Never jumps, unlike `now`, so that it can measure durations. */
  monotonic(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 (included) to 1 (excluded). */
  random(): number;
  /** A random UUID, version 4, in lowercase. */
  uuid(): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.now()),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
