/** Random values in any field of courses and providers, with every command that reads. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isUuid } from "../../src/base/values.ts";
import { deletedCourses, lines, numberedCourse, recordFiles } from "../commands/helpers.ts";
import { scaleRuns } from "../long.ts";
import { course, type RunResult } from "../rig.ts";
import { CHANGE_COMMANDS, DISPLAY_COMMANDS } from "./command-lines.ts";
import {
  expectNoInternals,
  expectSafe,
  type HostileService,
  startHostileService,
} from "./service.ts";
import { courses, providers, type Row } from "./values.ts";

const world = fc.record({ courses, providers, terminal: fc.boolean() });
type World = Readonly<{ courses: Row[]; providers: Row[]; terminal: boolean }>;

async function inFrontOf(): Promise<HostileService> {
  const front = await startHostileService();
  await front.r.write("two.json", JSON.stringify([numberedCourse(1), course()]));
  await front.r.write("three.json", JSON.stringify([numberedCourse(3)]));
  return front;
}

/** Runs a command line and checks what must be true for every command. */
async function ranIn(
  { respondWith: say, run }: HostileService,
  words: readonly string[],
  world: World,
): Promise<RunResult> {
  const { terminal } = world;
  const bodies = [JSON.stringify(world.providers), JSON.stringify(world.courses)];
  say(({ url }) => bodies[url.includes("/providers") ? 0 : 1]);
  const ran = await run(words, { terminal });
  expectNoInternals(ran);
  expect(exitsOf(words)).toContain(ran.code);
  if (ran.code !== 0) expect(ran.stderr + ran.stdout).not.toBe("");
  if (terminal) expectSafe({ ...ran, stdout: withoutTabs(ran.stdout, words) });
  if (words.includes("--json")) for (const line of lines(ran.stderr)) JSON.parse(line);
  for (const request of ran.requests) {
    const [, written] = /^(?:PATCH|DELETE) .*[?&]id=([^&]*)/.exec(request) ?? [];
    if (!/^(GET|POST) /.test(request)) expect(isUuid(written ?? "")).toBe(true);
  }
  return ran;
}

/**
 * The exit codes of a run whose command line is right. A path of update may lead into a field with another type, and rm
 * refuses a list that contains a course twice.
 */
function exitsOf([, second = ""]: readonly string[]): readonly number[] {
  return ["update", "rm"].includes(second) ? [0, 1, 2, 5, 6] : [0, 1, 3, 4, 5, 6];
}

/** TSV contains tabs. */
function withoutTabs(text: string, words: readonly string[]): string {
  return words.includes("tsv") ? text.replaceAll("\t", "") : text;
}

/** The rows that a listing shows: each course once. */
function shownOf(words: readonly string[], { courses, providers }: World): unknown[] {
  if (words[0] === "providers") return providers;
  if (words[1] === "ls") {
    return courses.filter(
      (row, at) => courses.findIndex((one) => keyOf(one) === keyOf(row)) === at,
    );
  }
  const asked = words.filter(isUuid);
  return asked.flatMap((wanted) => courses.find((row) => keyOf(row) === wanted) ?? []);
}

function keyOf({ id }: Row): string {
  return isUuid(String(id)) ? String(id).toLowerCase() : String(id);
}

/** The rows in standard output; undefined for formats without complete rows. */
function readBack(words: readonly string[], stdout: string): unknown[] | undefined {
  const isOne = words[1] === "get" && words.filter(isUuid).length === 1;
  const value = (parsed: unknown) => (isOne ? [parsed] : (parsed as unknown[]));
  if (words.includes("json") || words.includes("--json")) return value(JSON.parse(stdout));
  if (words.includes("ndjson")) return lines(stdout).map((line) => JSON.parse(line));
  return undefined;
}

test("any value is shown by a command and a format at random, and complete formats read back unchanged", async () => {
  const front = await inFrontOf();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...DISPLAY_COMMANDS), world, async (words, served) => {
      const ran = await ranIn(front, words, served);
      const shown = shownOf(words, served);
      if (ran.code !== 0) return;
      const back = readBack(words, ran.stdout);
      // Compared as text to include the order and `__proto__`.
      if (back !== undefined) expect(JSON.stringify(back)).toBe(JSON.stringify(shown));
      if (words.includes("csv")) {
        const records = parseCsv(ran.stdout, { columns: true, relax_quotes: false });
        expect(records).toHaveLength(shown.length);
      }
      if (words.includes("table") && !served.terminal && shown.length > 0) {
        expect(lines(ran.stdout)).toHaveLength(shown.length + 1);
      }
    }),
    { numRuns: scaleRuns(12) },
  );
});

test("commands compare, confirm, save and write any value, or report it without an internal error", async () => {
  const front = await inFrontOf();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CHANGE_COMMANDS), world, async (words, served) => {
      for (const file of await recordFiles(front.r)) await rm(file);
      const ran = await ranIn(front, words, served);
      if (words.includes("--json")) JSON.parse(ran.stdout || "null");
      if (words[1] === "rm" && ran.requests.some((line) => line.startsWith("DELETE"))) {
        const [file = ""] = await recordFiles(front.r);
        const copies = await deletedCourses(file);
        expect(JSON.stringify(copies)).toBe(JSON.stringify(shownOf(words, served)));
      }
    }),
    { numRuns: scaleRuns(12) },
  );
});

test("pull writes courses with any values to files that check can read, the same for every pull", async () => {
  const front = await inFrontOf();
  const formats = fc.constantFrom("yaml", "json");
  const { folder } = front.r;
  const before = (await readdir(folder)).sort();
  await fc.assert(
    fc.asyncProperty(formats, world, async (format, served) => {
      const words = ["courses", "pull", "out", "--format", format, "--json"];
      await rm(join(folder, "out"), { recursive: true, force: true });
      const ran = await ranIn(front, words, served);
      const isMade = ran.code === 0;
      expect((await readdir(folder)).sort()).toEqual(isMade ? [...before, "out"].sort() : before);
      if (!isMade) return;
      const names = await readdir(join(folder, "out"));
      expect(names).toHaveLength(shownOf(["courses", "ls"], served).length);
      for (const name of names) expect(name).toMatch(/^[^-.~\s/\\][^/\\]{0,194}\.(yaml|json)$/u);
      const again = await front.run([...words, "-o", "json"]);
      expect(again.code).toBe(0);
      const results = JSON.parse(again.stdout) as { action: string }[];
      expect(results.map(({ action }) => action)).toEqual(names.map(() => "unchanged"));
      if (names.length > 0) await expectRead(front, names.length);
    }),
    { numRuns: scaleRuns(6) },
  );
});

/** `check` may find invalid values in a pulled file, but never a syntax error. */
async function expectRead({ run }: HostileService, count: number): Promise<void> {
  const checked = await run(["courses", "check", "out", "--json"]);
  const report = JSON.parse(checked.stdout) as {
    courses: number;
    problems: readonly { rule: string }[];
  };
  expect([0, 3]).toContain(checked.code);
  expect(report.courses).toBe(count);
  const unread = ["syntax", "encoding", "too-deep", "unreadable", "no-course", "duplicate-field"];
  expect(report.problems.filter(({ rule }) => unread.includes(rule))).toEqual([]);
}
