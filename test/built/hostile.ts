/** Files of any size that cost the tests no memory, and runs whose peak of memory is known. */
import { createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "vitest";
import { MAX_FILE_SIZE, MAX_YAML_SIZE } from "../../src/files/parsed.ts";
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

/** A text that is one piece, many times over, between two others. */
export interface RepeatedText {
  readonly head?: string;
  readonly piece: string | Uint8Array;
  /** How often the piece is repeated; as often as fits into `size` if left out. */
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

/** The inside of a course in JSON that lacks nothing but its name. */
export const NAMELESS = JSON.stringify(course({ name: undefined })).slice(1, -1);

/** What is said of a mistake, with its place. */
export const ONE_ERROR = /\/a\.(yaml|json):\d+:\d+: error: /;
/** What is said when there is none. */
export const NO_PROBLEMS = /1 course: no problems/;

/** A file of nothing but this, of almost the size that its name allows, and what comes of it. */
export type LongFile = readonly [
  says: string,
  name: string,
  long: RepeatedText,
  code: 0 | 2 | 3,
  RegExp,
];

/** Checks such a file, in bounded time and memory. */
export async function checkLongFile([, name, long, code, told]: LongFile): Promise<void> {
  const path = join(await newFolder(), name);
  const allowed = name.endsWith(".yaml") ? MAX_YAML_SIZE : MAX_FILE_SIZE;
  await pipeline(Readable.from(chunksOf(long, allowed - 1024)), createWriteStream(path));
  expect(await runCheck([path], code)).toMatch(told);
}

/** A text that means harm, the name of its file, and the line that tells of it behind its folder. */
export type HarmfulFile = readonly [
  says: string,
  name: string,
  text: string | Uint8Array,
  told: RegExp,
];

/** Checks all these files in one run that finds mistakes. @returns those that are not told of */
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
  const said = await runCheck(["."], 3, { folder, ...(most === undefined ? {} : { most }) });
  const lines = linesOf(said);
  const isTold = (index: number, told: RegExp): boolean =>
    lines.some((line) => line.startsWith(`${index}/`) && told.test(line));
  return harms.flatMap(([says, , , told], index) => (isTold(index, told) ? [] : says));
}

/** How a process ended, and what it was like. */
interface Measured extends ProcessResult {
  /** The most memory that it held, in MiB. */
  readonly peak: number;
  /** Seconds of a processor that it took. */
  readonly seconds: number;
  /** Whether what every object inherits was as it should be at its end. */
  readonly prototypeIsWhole: boolean;
}

/*
 * The system's own count of the peak, which starts anew with the program; that of getrusage begins
 * with the memory of whoever started it.
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
    prototypeIsWhole: names() === before,
  };
  writeFileSync(process.env.MEASURED, JSON.stringify(measured));
});`;

/** Runs `catalog` to its end. Throws where it did not come to one of its own. */
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

/** MiB that no file may make the program take. */
const MOST_MEMORY = 300;
/** Seconds of a processor that no file may take, on a slow machine. */
const MOST_SECONDS = 10;

/** Runs a check that must end well, whatever it finds. @returns what it said on both streams */
export async function runCheck(
  paths: readonly string[],
  code: 0 | 2 | 3,
  { most = MOST_MEMORY, ...options }: StartOptions & { readonly most?: number } = {},
): Promise<string> {
  const ran = await measure(["courses", "check", ...paths], options);
  const said = ran.stdout + ran.stderr;
  expect({ code: ran.code, said: said.slice(0, 2000) }).toMatchObject({ code });
  expect(said).not.toMatch(STACK);
  expect(ran.prototypeIsWhole).toBe(true);
  expect(ran.peak).toBeLessThan(most);
  expect(ran.seconds).toBeLessThan(MOST_SECONDS);
  return said;
}
