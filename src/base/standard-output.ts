/** Standard output and standard error, of which most runs need no stream. */
import { constants, fstatSync, openSync, type Stats, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { systemCode } from "./errors.ts";
import type { Output } from "./io.ts";
import { DEFAULT_COLUMNS, type MaybeTerminal, outputOver } from "./stream.ts";

/** An `Output` of the process. */
export interface StandardOutput extends Output {
  /** Resolves when the system has all that was written, also by those who did not wait for it. */
  settled(): Promise<void>;
}

/**
 * An `Output` over a descriptor of the process. What goes into a file, or into a pipe that has room,
 * is handed to the system at once: a stream over a pipe would bring all of the network along, which
 * is a tenth of a short command's time. Everything else goes through the stream.
 *
 * @param open makes the stream, at its first use
 */
export function standardOutput(
  descriptor: number,
  platform: NodeJS.Platform,
  open: () => Writable & MaybeTerminal,
): StandardOutput {
  const stats = statsOf(descriptor);
  const direct = directTo(descriptor, stats, platform);
  // On Windows nothing but the stream tells.
  const mayBeTerminal = stats === undefined || stats.isCharacterDevice() || platform === "win32";
  let opened: ReturnType<typeof outputOver> | undefined;
  const output = (): ReturnType<typeof outputOver> => {
    opened ??= outputOver(open());
    return opened;
  };
  return {
    get stream() {
      return output().stream;
    },
    get isTerminal() {
      return mayBeTerminal && output().isTerminal;
    },
    get columns() {
      return mayBeTerminal ? output().columns : DEFAULT_COLUMNS;
    },
    get closed() {
      return direct?.closed === true || opened?.closed === true;
    },
    async write(text) {
      if (direct?.closed === true) return;
      // What was begun through the stream must be followed through it.
      const rest = opened === undefined && direct !== undefined ? direct.write(text) : text;
      if (rest.length > 0) await output().write(rest);
    },
    async settled() {
      const stream = opened?.stream;
      if (stream === undefined || stream.destroyed || stream.writableLength === 0) return;
      await new Promise<void>((resolve) => {
        stream.write("", () => resolve());
      });
    },
  };
}

/** What the system knows of a descriptor; undefined where it is closed. */
function statsOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/** The way past the stream, where there is one. */
function directTo(
  descriptor: number,
  stats: Stats | undefined,
  platform: NodeJS.Platform,
): Direct | undefined {
  if (stats?.isFile() === true) return new Direct(() => descriptor);
  return platform === "linux" && stats?.isFIFO() === true
    ? new Direct(() => withoutWaiting(descriptor))
    : undefined;
}

/**
 * The same pipe, opened once more so that a write which would have to wait fails instead: a process that
 * waits in the system hears no signal. A socket cannot be opened like that.
 */
function withoutWaiting(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
}

/** Hands text to the system at once. */
class Direct {
  readonly #open: () => number;
  #descriptor: number | undefined;
  /** Whether the reader has gone away. */
  closed = false;

  constructor(open: () => number) {
    this.#open = open;
  }

  /** Writes what the system takes at once. @returns the rest */
  write(text: string): Uint8Array {
    let rest: Uint8Array = Buffer.from(text);
    try {
      this.#descriptor ??= this.#open();
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
      return rest;
    } catch (cause) {
      this.closed = systemCode(cause) === "EPIPE";
      // Whatever else keeps it from being written at once, the stream finds a way or says why not.
      return this.closed ? NOTHING : rest;
    }
  }
}

const NOTHING = new Uint8Array();
