/** Creates large files without using memory, and measures the peak memory of a run. */
import { createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "vitest";
import { MAX_FILE_SIZE } from "../../src/files/limits.ts";
import { course } from "../rig.ts";
import {
  linesOf,
  newFolder,
  PROGRAM,
  type ProcessResult,
  STACK,
  type StartOptions,
  start,
} from "./rig.ts";

/** A text with a repeated piece between a head and a tail. */
interface RepeatedText {
  readonly head?: string;
  readonly piece: string | Uint8Array;
  /** How often the piece is repeated; by default as often as fits into `size`. */
  readonly times?: number;
  readonly tail?: string;
}

const CHUNK = 1024 * 1024;

function* chunksOf(
  { head = "", piece, times, tail = "" }: RepeatedText,
  size: number,
): Generator<Buffer> {
  const unit = Buffer.from(piece);
  const around = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const each = Math.max(1, Math.floor(CHUNK / unit.length));
  const chunk = Buffer.concat(Array.from({ length: each }, () => unit));
  yield Buffer.from(head);
  let left = times ?? Math.floor((size - around) / unit.length);
  for (; left > each; left -= each) yield chunk;
  yield chunk.subarray(0, left * unit.length);
  yield Buffer.from(tail);
}

/** The members of a JSON course that lacks only its name. */
export const NAMELESS = JSON.stringify(course({ name: undefined })).slice(1, -1);

/** An error with its position. */
export const ONE_ERROR = /\/a\.(yaml|json):\d+:\d+: error: /;
/** The summary without findings. */
export const NO_PROBLEMS = /1 course: no problems/;

/** A file just below the size limit of its format, the expected exit code and message, and the most MB. */
export type LongFile = readonly [
  says: string,
  name: string,
  long: RepeatedText,
  code: 0 | 2 | 3,
  expected: RegExp,
  most?: number,
];

/** Checks such a file in bounded time and memory. */
export async function checkLongFile([, name, long, code, expected, most]: LongFile): Promise<void> {
  const path = join(await newFolder(), name);
  await pipeline(Readable.from(chunksOf(long, MAX_FILE_SIZE - 1024)), createWriteStream(path));
  expect(await runCheck([path], code, most === undefined ? {} : { most })).toMatch(expected);
}

/** A hostile file: title, name, content, and the expected line after the name of its folder. */
export type HarmfulFile = readonly [
  says: string,
  name: string,
  text: string | Uint8Array,
  expected: RegExp,
];

/** Checks all files in one run that must find errors. @returns the titles of those without the expected line */
export async function findUnreported(
  harms: readonly HarmfulFile[],
  most?: number,
): Promise<readonly string[]> {
  const folder = await newFolder();
  for (const [index, [, name, text]] of harms.entries()) {
    const path = join(folder, String(index), name);
    await mkdir(dirname(path));
    await writeFile(path, text);
  }
  const output = await runCheck(["."], 3, { folder, ...(most === undefined ? {} : { most }) });
  const lines = linesOf(output);
  const isReported = (index: number, expected: RegExp): boolean =>
    lines.some((line) => line.startsWith(`${index}/`) && expected.test(line));
  return harms.flatMap(([title, , , expected], index) =>
    isReported(index, expected) ? [] : title,
  );
}

/** The result of a process, with measurements. */
interface Measured extends ProcessResult {
  /** The peak memory in MiB. */
  readonly peak: number;
  /** CPU time in seconds. */
  readonly seconds: number;
  /** Whether `Object.prototype` was unchanged at the end. */
  readonly isPrototypeUnchanged: boolean;
}

/*
 * The peak from /proc, which starts with the program; that of getrusage includes the memory of the
 * parent process.
 */
const HOOK = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const names = () => Object.getOwnPropertyNames(Object.prototype).sort().join();
const before = names();
process.on("exit", () => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
  const { user, system } = process.cpuUsage();
  const measured = {
    peak: peak / 1024,
    seconds: (user + system) / 1e6,
    isPrototypeUnchanged: names() === before,
  };
  writeFileSync(process.env.MEASURED, JSON.stringify(measured));
});`;

/** Runs `catalog` to its end. Throws if it was killed. */
async function measure(words: readonly string[], options: StartOptions = {}): Promise<Measured> {
  const report = join(await newFolder(), "measured.json");
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const running = await start(process.execPath, ["--import", hook, PROGRAM, ...words], {
    ...options,
    environment: { ...options.environment, MEASURED: report },
  });
  const ended = await running.ended;
  const measured = await readFile(report, "utf8").catch((cause: unknown) => {
    throw new Error(`ended by ${ended.signal}, exit code ${ended.code}:\n${ended.stderr}`, {
      cause,
    });
  });
  return { ...ended, ...JSON.parse(measured) };
}

/** The memory limit for any file, in MiB; Node.js 26 needs 330, earlier versions less. */
const MAX_MEMORY = 400;
/** The CPU time limit for any file, in seconds, on a slow machine. */
const MAX_SECONDS = 10;

/** Runs a check within the limits. @returns the output of both streams */
export async function runCheck(
  paths: readonly string[],
  code: 0 | 2 | 3,
  { most = MAX_MEMORY, ...options }: StartOptions & { readonly most?: number } = {},
): Promise<string> {
  const ran = await measure(["courses", "check", ...paths], options);
  const output = ran.stdout + ran.stderr;
  expect({ code: ran.code, output: output.slice(0, 2000) }).toMatchObject({ code });
  expect(output).not.toMatch(STACK);
  expect(ran.isPrototypeUnchanged).toBe(true);
  expect(ran.peak).toBeLessThan(most);
  expect(ran.seconds).toBeLessThan(MAX_SECONDS);
  return output;
}
