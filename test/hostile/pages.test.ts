/** Listings whose pages shift, overlap, end early, are too long, or never end. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { id, lines, numberedCourse } from "../commands/helpers.ts";
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

/** The warning of a listing that changes during each reading. */
const WARNING =
  "warning: the list of courses changed while it was read, so courses may be missing\n";

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

  const NO_ROWS: readonly (readonly [what: string, body: string])[] = [
    ["a number", "[7]"],
    ["null", "[null]"],
    ["a course without an id", '[{"name":"x"}]'],
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
      for (const words of [
        ["pull", "out"],
        ["push", "a.json", "--prune", "--yes"],
      ]) {
        const used = await front.run(["courses", ...words]);
        expectNoInternals(used);
        expect([used.code, used.stdout]).toEqual([6, ""]);
        expect(used.requests.every((line) => line.startsWith("GET "))).toBe(true);
      }
      expect(await readdir(front.r.folder)).toEqual(["a.json"]);
    },
  );
});

describe("listings that commands use", () => {
  test("pull warns of a listing that shows courses twice in each of six readings", async () => {
    const front = await listing(() => coursePage(0, 100));
    const ran = await front.run(["courses", "pull", "out"]);
    expect([ran.code, ran.stderr]).toEqual([0, `${WARNING}Courses in files: 100 written.\n`]);
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
    expect(ran.stderr).toContain(
      "the list of courses changed while it was read, so courses may be missing",
    );
    expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
  });
});
