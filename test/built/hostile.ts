/** Files of any size that cost the tests no memory, and runs whose peak of memory is known. */
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "vitest";
import { type Ended, newFolder, PROGRAM, STACK, type StartOptions, start } from "./rig.ts";

/** A text that is one piece, many times over, between two others. */
export interface Long {
  readonly head?: string;
  readonly piece: string | Uint8Array;
  /** How often the piece is repeated; as often as fits into `size` if left out. */
  readonly times?: number;
  readonly tail?: string;
}

const CHUNK = 1024 * 1024;

function* chunksOf({ head = "", piece, times, tail = "" }: Long, size: number): Generator<Buffer> {
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

/** Writes a long text into a new folder, piece by piece. @returns its path */
export async function newLongFile(name: string, long: Long, size = 0): Promise<string> {
  const path = join(await newFolder(), name);
  await pipeline(Readable.from(chunksOf(long, size)), createWriteStream(path));
  return path;
}

/** How a process ended, and what it was like. */
interface Measured extends Ended {
  /** The most memory that it held, in MiB. */
  readonly peak: number;
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
  const whole = names() === before;
  writeFileSync(process.env.MEASURED, JSON.stringify({ peak: peak / 1024, prototypeIsWhole: whole }));
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

/** Runs a check that must end well, whatever it finds. @returns what it said on both streams */
export async function checked(
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
  return said;
}
