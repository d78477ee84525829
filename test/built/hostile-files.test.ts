/** Hostile course files are reported in bounded time and memory. */
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { LIMITS } from "../../src/files/limits.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { newFolder, PROGRAM, runScript, STACK, start } from "./rig.ts";

/** The memory limit for any file, in MiB; Node.js 26 needs 330, earlier versions less. */
const MAX_MEMORY = 400;
/** The CPU time limit for any file, in seconds, on a slow machine. */
const MAX_SECONDS = 10;

/*
 * The peak from /proc, which starts with the program; that of getrusage includes the memory of the
 * parent process.
 */
const HOOK = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
process.on("exit", () => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = Number(/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
  const { user, system } = process.cpuUsage();
  const measured = { peak: peak / 1024, seconds: (user + system) / 1e6 };
  writeFileSync(process.env.MEASURED, JSON.stringify(measured));
});`;

/** Runs a check within the limits. @returns the output of both streams */
async function runCheck(
  paths: readonly string[],
  code: 0 | 3,
  { folder, most = MAX_MEMORY }: { readonly folder?: string; readonly most?: number } = {},
): Promise<string> {
  const report = join(await newFolder(), "measured.json");
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const words = ["--import", hook, PROGRAM, "courses", "check", ...paths];
  const running = await start(process.execPath, words, {
    ...(folder === undefined ? {} : { folder }),
    environment: { MEASURED: report },
  });
  const ended = await running.ended;
  const output = ended.stdout + ended.stderr;
  expect({ code: ended.code, output: output.slice(0, 2000) }).toMatchObject({ code });
  expect(output).not.toMatch(STACK);
  const { peak, seconds } = JSON.parse(await readFile(report, "utf8"));
  expect(peak).toBeLessThan(most);
  expect(seconds).toBeLessThan(MAX_SECONDS);
  return output;
}

test.runIf(IS_LONG)(
  "a deep folder with patterns of many ** is checked in bounded time",
  async () => {
    const folder = await newFolder();
    const deep = join(folder, "c", "a/".repeat(300));
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, "a.json"), JSON.stringify(course()));
    const patterns = [`${"**/a/".repeat(9)}b`, `${"a/**/".repeat(9)}b`, `${"*a".repeat(99)}b`];
    await writeFile(join(folder, "c/.catalogignore"), `${patterns.join("\n")}\n`);
    expect(await runCheck(["c"], 0, { folder })).toContain("1 file, 1 course: no problems");
  },
);

test("check rejects YAML and JSON files of a gigabyte without reading them", async () => {
  const folder = await newFolder();
  const names = ["a.yaml", "a.json"];
  for (const name of names) {
    await writeFile(join(folder, name), "{");
    await truncate(join(folder, name), 2 ** 30);
  }
  const said = await runCheck(names, 3, { folder, most: 100 });
  for (const name of names) expect(said).toContain(`error: ${name} is larger than `);
});

test.runIf(IS_LONG && existsSync("/dev/zero"))("check rejects endless standard input", async () => {
  const { code, stdout } = await runScript("catalog courses check - < /dev/zero");
  expect(stdout).toMatch(/<stdin> is larger than .*\[too-large\]/);
  expect(code).toBe(3);
});

/** A file just below the size limit of its format: a piece, repeated between a head and a tail. */
type LongFile = readonly [
  says: string,
  name: string,
  head: string,
  piece: string | Uint8Array,
  tail: string,
  code: 0 | 3,
  expected: RegExp,
];

function* chunksOf([, , head, piece, tail]: LongFile): Generator<Buffer> {
  const unit = Buffer.from(piece);
  const size = LIMITS.size - 1024 - Buffer.byteLength(head + tail);
  const each = Math.floor((1024 * 1024) / unit.length);
  const chunk = Buffer.concat(Array.from({ length: each }, () => unit));
  yield Buffer.from(head);
  let left = Math.floor(size / unit.length);
  for (; left > each; left -= each) yield chunk;
  yield chunk.subarray(0, left * unit.length);
  yield Buffer.from(tail);
}

/** The members of a JSON course that lacks only its name. */
const NAMELESS = JSON.stringify(course({ name: undefined })).slice(1, -1);
const ERROR = /\/a\.(yaml|json):\d+:\d+: error: /;

/** One file for each way to exhaust memory or time, the most telling first. */
const LONG_FILES: readonly LongFile[] = [
  ["aliases", "a.yaml", "- &a 1\n- [", "*a,", "1]\n", 3, ERROR],
  ["one text", "a.json", `{${NAMELESS},"name":"`, "x", '"}', 0, /1 course: no problems/],
  ["digits", "a.json", `{${NAMELESS},"name":`, "1", "}", 3, /\[type\]/],
  ["a key again and again", "a.json", "{", '"name":1,', '"name":2}', 3, ERROR],
  ["empty objects", "a.yaml", "[", "{},", "{}]", 3, ERROR],
  ["comments between two keys", "a.yaml", "a: 1\n", "#\n", "b: 2\n", 3, ERROR],
  ["quotation marks", "a.json", "", '"', "", 3, /\[syntax\]/],
  ["line ends before a mistake", "a.json", "", "\n", "[", 3, ERROR],
  ["no UTF-8", "a.yaml", "", Uint8Array.from([0x80]), "", 3, /\/a\.yaml:1:1: .*\[encoding\]/],
];

test.runIf(IS_LONG).each(LONG_FILES)(
  "check needs bounded memory for a file just below the size limit that contains only %s",
  async (...file) => {
    const [, name, , , , code, expected] = file;
    const path = join(await newFolder(), name);
    await pipeline(Readable.from(chunksOf(file)), createWriteStream(path));
    expect(await runCheck([path], code, { most: 1200 })).toMatch(expected);
  },
);
