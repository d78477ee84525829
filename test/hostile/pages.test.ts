/** Listings whose pages shift, overlap, end early, are too long, or never end. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { id, lines, numberedCourse } from "../commands/helpers.ts";
import { inTurn } from "../long.ts";
import {
  coursePage,
  expectNoInternals,
  type HostileService,
  type Responder,
  startHostileService,
} from "./service.ts";

/** Starts a service with these pages, and writes a file with the first course. */
async function listing(pageAt: (offset: number, reading: number) => string | undefined) {
  let readings = 0;
  const answers: Responder = ({ url, offset }) => {
    if (!url.includes("/courses") || url.includes("id=0")) return undefined;
    if (offset === 0) readings++;
    return pageAt(offset, readings);
  };
  const front = await startHostileService(answers);
  await front.r.write("a.json", JSON.stringify(numberedCourse(0)));
  return { ...front, readings: () => readings };
}

/** The command lines that read every course. */
const READ_ALL: readonly (readonly string[])[] = [
  ["courses", "pull", "out"],
  ["courses", "diff", "a.json"],
  ["courses", "push", "a.json", "--prune", "--dry-run"],
];

/** Runs commands that read all courses, and expects a failure without effects. */
async function expectNothingDone(
  { run, r }: HostileService,
  message: string,
  commands = READ_ALL,
): Promise<void> {
  for (const words of commands) {
    const ran = await run(words);
    expectNoInternals(ran);
    expect({ words, code: ran.code, stdout: ran.stdout }).toEqual({ words, code: 6, stdout: "" });
    expect(ran.stderr).toContain(message);
    expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
    expect(ran.requests.length).toBeLessThan(50);
  }
  expect(await readdir(r.folder)).toEqual(["a.json"]);
}

/** Runs every command that reads all courses, and expects that many courses. */
async function expectAllSeen({ run, r }: HostileService, count: number): Promise<void> {
  const [pull = [], diff = [], push = []] = READ_ALL;
  expect((await run(pull)).stderr).toBe(`Wrote ${count} files.\n`);
  expect(await readdir(join(r.folder, "out"))).toHaveLength(count);
  expect((await run(diff)).stdout).toContain("Already up to date: 1 course.");
  expect((await run(push)).stderr).toContain(`${count - 1} courses to delete`);
}

/** What a listing that shows courses twice every time is warned of with. */
const WARNING =
  "warning: the service's list of courses is unreliable: some appear twice, so others may be missing\n";

const ids = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => id(from + index));

describe("listings that are shown", () => {
  const shown = async (front: HostileService) =>
    lines((await front.run(["courses", "ls", "--all", "-o", "id"])).stdout);

  test("ls --all shows each course of overlapping pages once", async () => {
    // Each page begins with the last courses of the previous one.
    const front = await listing((offset) => {
      const from = Math.floor(offset * 0.9);
      return coursePage(from, Math.max(0, Math.min(100, 295 - from)));
    });
    expect(await shown(front)).toEqual(ids(0, 295));
  });

  test("ls ignores extra courses of a page", async () => {
    const front = await listing((offset) =>
      coursePage(offset, Math.min(250, Math.max(0, 350 - offset))),
    );
    expect(await shown(front)).toEqual(ids(0, 350));
    const few = await front.run(["courses", "ls", "--limit", "3", "-o", "id"]);
    expect(lines(few.stdout)).toEqual(ids(0, 3));
  });

  test("ls --all shows a course once if its id appears in uppercase and lowercase", async () => {
    const upperCase = "ABCDEF00-0000-4000-9000-00000000000A";
    const rows = [
      numberedCourse(1, { id: upperCase }),
      numberedCourse(2, { id: upperCase.toLowerCase() }),
      numberedCourse(3),
    ];
    const front = await listing(() => JSON.stringify(rows));
    expect(await shown(front)).toEqual([upperCase, id(3)]);
  });

  test("ls --all reads a listing whose pages repeat six times, and warns", async () => {
    const front = await listing(() => coursePage(0, 100));
    const ran = await front.run(["courses", "ls", "--all", "-o", "id"]);
    expect([ran.code, lines(ran.stdout), front.readings()]).toEqual([0, ids(0, 100), 6]);
    expect(ran.stderr).toContain(WARNING);
  });

  test("ls --all stops repeating after a reading that shows each course once", async () => {
    const front = await listing((offset, reading) =>
      coursePage(reading < 3 && offset > 0 ? 99 : offset, offset > 100 ? 0 : 100),
    );
    expect([await shown(front), front.readings()]).toEqual([ids(0, 200), 3]);
  });

  const NO_ROWS: readonly (readonly [what: string, body: string])[] = [
    ["a number", "[7]"],
    ["null", "[null]"],
    ["a list", "[[]]"],
    ["a course without an id", '[{"name":"x"}]'],
    ["a course whose id is a number", '[{"id":7}]'],
    ["no list", '{"id":"x"}'],
    ["no JSON", "["],
  ];

  test.each(NO_ROWS)(
    "ls --all ends with an error after the previous courses if a page has %s",
    async (_, body) => {
      const front = await listing((offset) => (offset === 0 ? coursePage(0, 100) : body));
      const ran = await front.run(["courses", "ls", "--all", "-o", "id"]);
      expectNoInternals(ran);
      expect([ran.code, lines(ran.stdout)]).toEqual([6, ids(0, 100)]);
      const turn = NO_ROWS.findIndex(([, other]) => other === body);
      const message = body === "[" ? "responded with something that is not valid JSON" : "";
      await expectNothingDone(front, message, inTurn(READ_ALL, turn, 1));
    },
  );
});

describe("listings that commands use", () => {
  test("pull reads a listing again that shifted, and gets all courses", async () => {
    // In the first reading a course is deleted between two pages, and the others move up.
    const front = await listing((offset, reading) => {
      const from = reading === 1 && offset > 0 ? offset - 1 : offset;
      return coursePage(from, Math.max(0, Math.min(100, 150 - from)));
    });
    expect((await front.run(["courses", "pull", "out"])).stderr).toBe("Wrote 150 files.\n");
    expect(front.readings()).toBe(2);
  });

  test("pull warns of a listing that shows courses twice in each of six readings", async () => {
    const front = await listing(() => coursePage(0, 100));
    const ran = await front.run(["courses", "pull", "out"]);
    expect([ran.code, ran.stderr]).toEqual([0, `${WARNING}Wrote 100 files.\n`]);
  });

  test.each([
    ["push of a new course", ["courses", "push", "new.json"]],
    ["create", ["courses", "create", "new.json"]],
    ["push --prune", ["courses", "push", "a.json", "--prune", "--yes", "--max-deletes", "100%"]],
  ])("%s is refused if the listing shows courses twice every time", async (_, words) => {
    const front = await listing(() => coursePage(0, 100));
    await front.r.write("new.json", JSON.stringify(numberedCourse(400)));
    const ran = await front.run(words);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("some appear twice, so others may be missing");
    expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
  });

  test("push --prune deletes nothing if one course appears with its id in uppercase and lowercase", async () => {
    const upperCase = "ABCDEF00-0000-4000-9000-00000000000A";
    const rows = [
      numberedCourse(1, { id: upperCase }),
      numberedCourse(2, { id: upperCase.toLowerCase() }),
    ];
    const front = await listing(() => JSON.stringify(rows));
    const ran = await front.run(["courses", "push", "a.json", "--prune", "--yes"]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
  });

  test("pull, diff and push use all courses of pages that are longer than requested", async () => {
    const front = await listing((offset) =>
      coursePage(offset, Math.min(250, Math.max(0, 350 - offset))),
    );
    await expectAllSeen(front, 350);
  });
});
