import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { beforeAll, describe, expect, test } from "vitest";
import { courseSeed } from "../../src/sandbox/seed.ts";
import type { Seed } from "../../src/sandbox/store.ts";
import { type RunResult, rig, testClock } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

describe("450 courses", () => {
  const COUNT = 450;
  let seed: Seed;
  beforeAll(() => {
    const courses = Array.from({ length: COUNT }, (_, index) => numberedCourse(index));
    seed = courseSeed(courses, testClock());
  });

  const idsOf = (list: { id: string }[]): string[] => list.map((row) => row.id);
  test.each<[string, (ran: RunResult) => string[]]>([
    ["json", ({ stdout }) => idsOf(JSON.parse(stdout))],
    ["ndjson", ({ stdout }) => idsOf(lines(stdout).map((line) => JSON.parse(line)))],
    ["yaml", ({ stdout }) => idsOf(load(stdout) as { id: string }[])],
    ["csv", ({ stdout }) => idsOf(parseCsv(stdout, { columns: true }))],
    ["id", ({ stdout }) => lines(stdout)],
    [
      "table",
      ({ stdout }) =>
        lines(stdout)
          .slice(1)
          .map((line) => line.slice(0, 36)),
    ],
  ])("ls --all -o %s prints each of 450 courses once", async (format, read) => {
    const r = await rig({ seed });
    const ran = await r.run(["courses", "ls", "--all", "--no-color", "-o", format], {
      terminal: format === "table",
      columns: 120,
    });
    const found = read(ran);
    expect(ran.code).toBe(0);
    expect(found).toHaveLength(COUNT);
    expect(new Set(found).size).toBe(COUNT);
  });
});

describe("pages", () => {
  const many = async () =>
    await rigWith(...Array.from({ length: 250 }, (_, index) => numberedCourse(index)));

  test.each(["ndjson", "csv", "id"])("ls -o %s prints each page as it arrives", async (format) => {
    const r = await many();
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=100") ? { status: 400 } : "pass",
    );
    const ran = await r.run(["courses", "ls", "--all", "-o", format], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(id(99));
    expect(ran.stdout).not.toContain(id(100));
  });

  test("ls stops at the first page that fails and requests no other page", async () => {
    const r = await many();
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=100") ? { status: 400 } : "pass",
    );
    const ran = await r.run(["courses", "ls", "--all", "-o", "id"], { environment });
    expect(ran.code).toBe(1);
    // A request in progress would keep the process alive after the command has ended.
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran.requests).toEqual([...new Set(ran.requests)]);
    expect(r.clock.waits).toEqual([]);
  });

  test("ls --concurrency 1 reads one page after another", async () => {
    const r = await many();
    const ran = await r.run(["courses", "ls", "--all", "-o", "id", "--concurrency", "1"]);
    expect(ran.requests.map((line) => /offset=(\d+)/.exec(line)?.[1])).toEqual(["0", "100", "200"]);
  });
});
