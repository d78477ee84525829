/** Commands whose standard output is closed or goes to a full disk. */
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Output, streamOutput } from "../../src/base/io.ts";
import { main } from "../../src/main.ts";
import { courseSeed } from "../../src/sandbox/seed.ts";
import { someOf } from "../long.ts";
import { MemoryOutput, type Rig, rig, testClock } from "../rig.ts";
import { ABSENT, id, lines, numberedCourse, rigWith } from "./helpers.ts";

const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** An output that accepts some writes and then fails with this code. */
function failing(
  code: "EPIPE" | "ENOSPC",
  after: number,
): Output & { readonly text: () => string } {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      if (written.length >= after) {
        const errno = code === "EPIPE" ? -32 : -28;
        return done(Object.assign(new Error(code), { code, errno }));
      }
      written.push(text);
      done();
    },
  });
  return Object.assign(streamOutput(stream), { text: () => written.join("") });
}

interface Streams {
  readonly out?: Output;
  readonly err?: Output;
}

/** Runs a line with separate outputs. @returns its exit code and the output */
async function run(
  r: Rig,
  line: string,
  { out = new MemoryOutput(), err = new MemoryOutput() }: Streams,
) {
  const code = await main(line.split(" "), r.system({ out, err }));
  const textOf = (output: Output): string => (output instanceof MemoryOutput ? output.text : "");
  return { code, stdout: textOf(out), stderr: textOf(err) };
}

const PRINTING = [
  "courses ls --all -o table",
  "courses ls --all -o ndjson",
  "courses ls --all -o csv",
  "courses ls --all -o xlsx",
  "courses ls --all -o id",
  "courses ls --all -o json",
  "courses ls --all -o yaml",
  "courses ls",
  "providers ls",
  "courses ls --help",
  "--help",
  `courses check ${example("one.yaml")}`,
];

describe("closed standard output", () => {
  test.each(PRINTING)("%s exits with 0 if standard output is closed at once", async (line) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const ran = await run(r, line, { out: failing("EPIPE", 0) });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
  });

  test("check keeps its exit code if standard output is closed", async () => {
    const line = `courses check ${example("broken.yaml")} ${example("courses")}`;
    const ran = await run(await rig(), line, { out: failing("EPIPE", 0) });
    expect([ran.code, ran.stderr]).toEqual([3, ""]);
  });

  test.each(someOf(["ndjson", "csv", "id"], 1))(
    "ls -o %s stops its requests if standard output is closed after a page",
    async (format) => {
      const courses = Array.from({ length: 2500 }, (_, index) => numberedCourse(index));
      const r = await rig({ seed: courseSeed(courses, testClock()) });
      const out = failing("EPIPE", 1);
      const ran = await run(r, `courses ls --all -o ${format}`, { out });
      expect([ran.code, ran.stderr]).toEqual([0, ""]);
      expect(lines(out.text()).length).toBeGreaterThan(0);
      expect(r.sandbox.requests()).toBeLessThan(20);
    },
  );
});

describe("full disks", () => {
  test.each([...PRINTING, "sandbox --port 0"])("%s exits with 1 on a full disk", async (line) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const ran = await run(r, line, { out: failing("ENOSPC", 0) });
    expect(ran.stderr).toMatch(/error.*no space left/);
    expect(ran.code).toBe(1);
  });

  test("push --dry-run names no courses as changed if the disk is too full for its results", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", JSON.stringify([numberedCourse(1), numberedCourse(2)]));
    const line = "courses push a.json --dry-run --json";
    const ran = await run(r, line, { out: failing("ENOSPC", 0) });
    expect([ran.code, ran.stderr.match(/"error"/g)?.length]).toEqual([1, 1]);
    expect(ran.stderr).toMatch(/"error".*no space/);
    expect(ran.stderr).not.toMatch(new RegExp(`${id(1)}|${id(2)}`));
  });

  test.each([
    ["courses ls --limit 1", 0, 1],
    ["courses ls --limit 0", 2, 0],
    [`courses create ${example("broken.yaml")}`, 3, 0],
    [`courses get ${ABSENT}`, 5, 0],
  ])("%s keeps data and exit code if the disk for messages is full", async (line, code, count) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const ran = await run(r, line, { err: failing("ENOSPC", 0) });
    expect([ran.code, lines(ran.stdout).length]).toEqual([code, count]);
  });
});
