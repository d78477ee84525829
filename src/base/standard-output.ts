/** Standard output and standard error of the process. */
import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { attempt, systemCode } from "./errors.ts";
import { DEFAULT_COLUMNS, type MaybeTerminal, type Output, streamOutput, UNGUARDED } from "./io.ts";

/**
 * An `Output` on a descriptor of the process. Text for a file or a pipe is written directly, because
 * `process.stdout` loads all of Node.js's network code for a pipe: measured with Node.js 24, a script
 * that prints one line to a pipe takes 1.2 times as long with it. Everything else, and text that a pipe
 * cannot take at once, goes through the stream, which is not opened only to see that it is no terminal.
 *
 * @param openStream opens `process.stdout` or `process.stderr`; called at the first use
 */
export function standardOutput(
  descriptor: number,
  platform: NodeJS.Platform,
  openStream: () => Writable & MaybeTerminal,
): Output {
  const type = typeOf(descriptor, platform);
  let direct = type === "file" ? descriptor : undefined;
  let opened: ReturnType<typeof streamOutput> | undefined;
  let closed = false;
  const output = (): ReturnType<typeof streamOutput> => {
    opened ??= streamOutput(openStream());
    return opened;
  };
  /** @returns what could not be written directly */
  const writeDirectly = (text: string): Uint8Array => {
    let rest: Uint8Array = Buffer.from(text);
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
    get isTerminal() {
      return type === "device" && output().isTerminal;
    },
    get columns() {
      return type === "device" ? output().columns : DEFAULT_COLUMNS;
    },
    get closed() {
      return closed || opened?.closed === true;
    },
    async write(text) {
      if (closed) return;
      // Text must not overtake what the stream has not written yet.
      const isDirect = (type === "file" || type === "pipe") && opened === undefined;
      const rest = isDirect ? writeDirectly(text) : text;
      if (!closed && rest.length > 0) await output().write(rest);
    },
  };
}

/**
 * What a descriptor is. Every terminal is a device; the one that discards everything is like a file. Only
 * Linux can open a pipe again.
 */
function typeOf(
  descriptor: number,
  platform: NodeJS.Platform,
): "device" | "file" | "pipe" | "other" {
  const stats = attempt(() => fstatSync(descriptor));
  if (stats?.isFile()) return "file";
  if (stats?.isFIFO() && platform === "linux") return "pipe";
  if (!stats?.isCharacterDevice()) return "other";
  return platform === "linux" && stats.rdev === nullDevice() ? "file" : "device";
}

function nullDevice(): number | undefined {
  return attempt(() => statSync("/dev/null").rdev);
}
