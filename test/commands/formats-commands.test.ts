/** The output of every command that prints data can be parsed, in every format. */
import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { memoize } from "../../src/base/values.ts";
import { inTurn } from "../long.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { expectRefused, id, lines, numberedCourse, rigWith } from "./helpers.ts";

const FORMATS = ["table", "json", "ndjson", "yaml", "csv", "tsv", "id"] as const;
type Format = (typeof FORMATS)[number];

/** A service with two courses, a file that changes the first and adds a third. */
async function drifted(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write(
    "a.json",
    JSON.stringify([numberedCourse(1, { name: "New name" }), numberedCourse(3)]),
  );
  await r.write("new.json", JSON.stringify(numberedCourse(4)));
  return r;
}

/** Provides rigs for a command: one for all runs if it changes nothing, otherwise one for each. */
function rigsFor(line: string): () => Promise<Rig> {
  return /^providers|ls$| get | diff |--dry-run$/.test(line) ? memoize(drifted) : drifted;
}

const COMMANDS: readonly (readonly [line: string, rows: number])[] = [
  ["providers ls", 1],
  ["courses ls", 2],
  [`courses get ${id(1)} ${id(2)}`, 2],
  ["courses diff a.json", 2],
  ["courses push a.json --dry-run", 2],
  ["courses push a.json", 2],
  ["courses pull out", 2],
  ["courses create new.json", 1],
  [`courses update ${id(1)} --name Other`, 1],
  [`courses publish ${id(1)} ${id(2)}`, 2],
  [`courses unpublish ${id(1)}`, 1],
  [`courses rm --yes ${id(1)} ${id(2)}`, 2],
];

/** Parses the rows of an output in its format. */
function rowsIn(format: Format, { stdout }: RunResult): readonly unknown[] {
  switch (format) {
    case "json":
      return JSON.parse(stdout) as unknown[];
    case "ndjson":
      return lines(stdout).map((line) => JSON.parse(line) as unknown);
    case "yaml":
      return load(stdout) as unknown[];
    case "csv":
      expect(stdout).toMatch(/^id,/);
      return parseCsv(stdout, { columns: true });
    case "tsv":
      return lines(stdout).map((line) => ({ id: line.split("\t")[0] }));
    case "id":
      return lines(stdout).map((line) => ({ id: line }));
    case "table":
      return lines(stdout).slice(1);
  }
}

describe.each(COMMANDS)("%s", (line, count) => {
  const turn = COMMANDS.findIndex(([other]) => other === line);

  test(`${line} prints one row per item with the same ids in every format`, async () => {
    const next = rigsFor(line);
    for (const format of inTurn(FORMATS, turn, 3)) {
      const ran = await (await next()).run([...line.split(" "), "-o", format]);
      const rows = rowsIn(format, ran);
      expect([format, ran.code, rows.length]).toEqual([format, 0, count]);
      if (format === "table") {
        expect(ran.stdout).toMatch(/^ID +/);
        continue;
      }
      for (const row of rows)
        expect(row).toMatchObject({ id: expect.stringMatching(/^[-\da-f]+$/) });
    }
  });

  test(`${line} accepts --fields in every format except id`, async () => {
    const words = [...line.split(" "), "--fields", "id"];
    const next = rigsFor(line);
    for (const format of inTurn(["table", "ndjson", "csv"], turn, 1)) {
      const ran = await (await next()).run([...words, "-o", format]);
      const [first = ""] = lines(ran.stdout);
      expect(first.trim()).toMatch(format === "ndjson" ? /^\{"id":"[^"]*"\}$/ : /^id$/i);
    }
    const other = / (ls|get)\b/.test(line) ? "id,name" : "id,action";
    const refused = [...line.split(" "), "--fields", other, "-o", "id"];
    expectRefused(await (await next()).run(refused), 2);
  });

  test(`${line} exits with 2 for an unknown field before any request`, async () => {
    const words = [...line.split(" "), "-o", "csv", "--fields"];
    const r = await drifted();
    for (const field of ["idd", "id.part", "id["]) {
      expectRefused(await r.run([...words, field]), 2);
    }
  });
});

test.each(COMMANDS.slice(3).map(([line]) => line))(
  "%s exits with 2 for --fields without a format before any request",
  async (line) => {
    const ran = await (await drifted()).run([...line.split(" "), "--fields", "id"]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("--fields");
    expect(ran.stderr).toContain("--json");
  },
);

describe("empty results", () => {
  const EMPTY: readonly (readonly [line: string, notice: RegExp])[] = [
    ["courses ls --name nowhere", /No courses/],
    ["courses pull out --name nowhere", /No courses/],
    ["courses diff same.json", /Already up to date/],
  ];

  test.each(EMPTY)(
    "%s exits with 0 and prints a valid document and a notice on stderr",
    async (line, notice) => {
      const r = await rigWith(numberedCourse(1));
      await r.write("same.json", JSON.stringify(numberedCourse(1)));
      for (const format of FORMATS) {
        const ran = await r.run([...line.split(" "), "-o", format]);
        expect([format, ran.code]).toEqual([format, 0]);
        if (format === "table") expect(ran.stdout).toBe("");
        else expect(rowsIn(format, ran)).toEqual([]);
        expect(ran.stderr).toMatch(notice);
      }
    },
  );

  test("courses get prints an empty list and exits with 5 if no id has a course", async () => {
    const words = ["courses", "get", id(8), id(9), "-o"];
    const r = await rig();
    for (const format of ["json", "yaml", "csv"] as const) {
      const ran = await r.run([...words, format]);
      expect([ran.code, rowsIn(format, ran)]).toEqual([5, []]);
    }
  });
});
