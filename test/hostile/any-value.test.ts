/** Random values in any field of courses and providers, with every command that compares, saves or writes them. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isUuid } from "../../src/base/values.ts";
import { FIELDS } from "../../src/course/fields.ts";
import { anyCharacter } from "../any-character.ts";
import { deletedCourses, id, lines, numberedCourse, recordFiles } from "../commands/helpers.ts";
import { scaleRuns } from "../long.ts";
import { course, type RunResult } from "../rig.ts";
import {
  expectNoInternals,
  expectSafe,
  HOSTILE_TEXT,
  type HostileService,
  PROVIDER,
  startHostileService,
} from "./service.ts";

/** A row of a response. */
type Row = Record<string, unknown>;

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    HOSTILE_TEXT,
    "",
    " ",
    "\n",
    "a\nb",
    "a\0b",
    "\ud800",
    "e\u0301",
    "#",
    "~",
    "null",
    "1.0",
  ),
  fc.constantFrom("../../x", "/etc/x", "CON", "x".repeat(300), "https://x.example/\u202e", "---"),
);

/** Keys that are dangerous in JavaScript objects. */
const key = fc.oneof(
  text,
  fc.constantFrom("__proto__", "constructor", "toString", "valueOf", "toJSON", "length", "then"),
);

const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 5e-324, 2 ** 60),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("any")), { maxLength: 3 }).map((entries) => withAll({}, entries)),
  ),
}));

/** Sets own properties, even `__proto__`. */
function withAll(row: Row, entries: readonly (readonly [string, unknown])[]): Row {
  const changed = { ...row };
  for (const [name, value] of entries) {
    const shape = { enumerable: true, configurable: true, writable: true };
    Object.defineProperty(changed, name, { ...shape, value });
  }
  return changed;
}

const changes = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, key), any), {
    maxLength: 5,
  });

const COURSE_FIELDS = FIELDS.map(({ name }) => name).filter((name) => name !== "id");
const PROVIDER_FIELDS = Object.keys(PROVIDER);

const courseId = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  text,
  fc.constantFrom(id(1).toUpperCase(), id(2), "6F0F8A34-4f3b-4C58-9d7e-0d0c3c1f5b21"),
);

/** Pages of courses; the first course usually has the first id. */
const courses: fc.Arbitrary<Row[]> = fc
  .array(fc.tuple(courseId, changes(COURSE_FIELDS)), { maxLength: 4 })
  .map((rows) =>
    rows.map(([unusualId, entries], index) => ({
      ...withAll(numberedCourse(index + 1), entries),
      id: unusualId ?? id(index + 1),
    })),
  );

/** Lists of providers. */
const providers: fc.Arbitrary<Row[]> = fc
  .array(changes(PROVIDER_FIELDS), { minLength: 1, maxLength: 3 })
  .map((rows) => rows.map((entries) => withAll(PROVIDER, entries)));

/** Command lines that compare, confirm, save or write. `two.json` contains a course with an id and one without. */
const CHANGE_COMMANDS: readonly (readonly string[])[] = [
  ["courses", "check", "--online", "two.json"],
  ["courses", "create", "three.json"],
  ["courses", "diff", "two.json"],
  ["courses", "diff", "two.json", "--json"],
  ["courses", "diff", "two.json", "--prune"],
  ["courses", "push", "two.json", "--dry-run", "--prune"],
  ["courses", "push", "two.json"],
  ["courses", "push", "two.json", "--prune", "--yes", "--json"],
  ["courses", "rm", id(1), "--yes"],
  ["courses", "rm", id(1), id(2), "--yes", "--json"],
  ["courses", "update", id(1), "--set", 'prices[0].price="3"'],
  ["courses", "unpublish", id(1)],
  ["courses", "init"],
  ["status"],
  ["status", "--json"],
];

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
  if (terminal) expectSafe(ran);
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
  const checked = await run("courses check out --json");
  const report = JSON.parse(checked.stdout) as {
    courses: number;
    problems: readonly { rule: string }[];
  };
  expect([0, 3]).toContain(checked.code);
  expect(report.courses).toBe(count);
  const unread = ["syntax", "encoding", "too-deep", "unreadable", "no-course", "duplicate-field"];
  expect(report.problems.filter(({ rule }) => unread.includes(rule))).toEqual([]);
}
