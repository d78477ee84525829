/** `--out` writes data to files; `-o xlsx`: workbooks of courses, which are printed completely or not at all. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { read } from "@e965/xlsx";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { readWorkbook } from "../../src/files/workbook.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { bytesOf, type RunResult } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

/** The rows of the workbook that a run printed. */
async function rowsOf({ stdout }: RunResult): Promise<unknown> {
  return (await readWorkbook("c.xlsx", bytesOf(stdout), undefined)).table.rows.map(
    ({ cells }) => cells,
  );
}

/** The cells of the visible sheet, and what a spreadsheet shows there. */
function sheetOf(bytes: Uint8Array): unknown {
  const book = read(bytes);
  return book.Sheets[book.SheetNames[0] ?? ""];
}

test.each([
  ["json", ["-o", "json"]],
  ["ndjson", ["-o", "ndjson"]],
  ["jsonl", ["-o", "ndjson"]],
  ["yaml", ["-o", "yaml"]],
  ["yml", ["-o", "yaml"]],
  ["csv", ["-o", "csv"]],
  ["csv", ["-o", "csv", "--excel"]],
  ["xlsx", ["-o", "xlsx"]],
])(
  "ls, get and providers ls write to a .%s file what they print with %j",
  async (extension, words) => {
    const r = await rigWith(numberedCourse(1, { name: "=Größe, \u202e" }), numberedCourse(2));
    const [, , ...flags] = words;
    for (const line of [
      "courses ls",
      `courses get ${id(1)}`,
      `courses get ${id(1)} ${id(2)}`,
      "providers ls",
    ]) {
      if (line === "providers ls" && flags.length > 0) continue;
      const file = `data.${extension}`;
      const written = await r.run([...line.split(" "), "--out", file, ...flags], {
        terminal: true,
      });
      expect(written).toMatchObject({ code: 0, stdout: "" });
      const { stdout } = await r.run([...line.split(" "), ...words]);
      const content = await readFile(join(r.folder, file));
      if (extension === "xlsx") {
        // Each workbook has an id of its own.
        expect(sheetOf(content)).toEqual(sheetOf(bytesOf(stdout)));
      } else expect(content.equals(Buffer.from(stdout))).toBe(true);
    }
  },
);

test("ls --out replaces the file only with a complete listing", async () => {
  const r = await rigWith(...Array.from({ length: 150 }, (_, n) => numberedCourse(n + 1)));
  await r.write("c.csv", "mine");
  const { environment } = await unreliableService(r, ({ url }) =>
    url.includes("offset=99") ? { status: 400, body: "{}" } : "pass",
  );
  const words = ["courses", "ls", "--all", "--out", "c.csv"];
  expect(await r.run(words, { environment })).toMatchObject({ code: 1, stdout: "" });
  expect(await r.read("c.csv")).toBe("mine");
  expect((await r.run(words)).code).toBe(0);
  expect(lines(await r.read("c.csv"))).toHaveLength(151);
});

test("ls -o xlsx has the name first, the id last, the parts of prices, and nothing that only the service sets", async () => {
  const prices = [
    { type: "single_course", price: "49.90", currency: "EUR" },
    { type: "subscription", price: "9.00", currency: "EUR", customer_type: "business" },
  ];
  const level = ["beginner", "advanced"];
  const r = await rigWith(numberedCourse(1, { prices, level }), numberedCourse(2));
  const ran = await r.run("courses ls -o xlsx");
  const [columns = [], ...rows] = (await rowsOf(ran)) as string[][];
  expect([columns[0], columns.at(-1)]).toEqual(["name", "id"]);
  expect(columns.filter((name) => name.startsWith("prices"))).toEqual([
    ...["prices[0].type", "prices[0].price", "prices[0].currency"],
    ...["prices[1].type", "prices[1].price", "prices[1].currency", "prices[1].customer_type"],
  ]);
  for (const name of ["slug", "approval_status", "schema_version", "last_fetched_at"]) {
    expect(columns).not.toContain(name);
  }
  await r.write("c.xlsx", bytesOf(ran.stdout));
  const check = await r.run("courses check c.xlsx");
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining("no problems") });
  const diff = await r.run("courses diff c.xlsx");
  expect(diff.stdout).toBe("Already up to date: 2 courses.\n");
  expect(rows[0]?.[columns.indexOf("level")]).toBe("beginner, advanced");
});

test("ls -o xlsx has a filter, wrapped text, and lists of the values from which a field can be chosen", async () => {
  const r = await rigWith(numberedCourse(1, { long_description: "One.\nTwo." }));
  const parts = unzipSync(bytesOf((await r.run("courses ls -o xlsx")).stdout));
  const xml = (name: string) => Buffer.from(parts[name] ?? []).toString();
  const sheet = xml("xl/worksheets/sheet1.xml");
  expect(sheet).toContain('<autoFilter ref="A1:');
  expect(sheet).toMatch(/<formula1>"(?:self_paced,instructor_paced|instructor_paced,self_paced)"/);
  expect(sheet).toContain('<formula1>"true,false"</formula1>');
  for (const [, values = ""] of sheet.matchAll(/<formula1>"([^"]*)"/g)) {
    expect(values.length).toBeLessThan(256);
  }
  expect(sheet).toContain('ht="45"');
  expect(xml("xl/styles.xml")).toContain('wrapText="1"');
});

test.each(["ls", "get"])("%s -o xlsx exits with 2 on a terminal", async (name) => {
  const r = await rigWith(numberedCourse(1));
  const words = name === "get" ? ["get", id(1)] : ["ls"];
  const ran = await r.run(["courses", ...words, "-o", "xlsx"], { terminal: true });
  expect(ran).toMatchObject({ code: 2, stdout: "", requests: [] });
  expect(ran.stderr).toContain("a terminal cannot show the workbook of --output xlsx");
  expect(ran.stderr).toContain("--out courses.xlsx");
});

test("ls -o xlsx masks neither the API key nor workflow commands, because workbooks are data", async () => {
  const name = `${DEFAULT_KEY} ::error::x ##[group]`;
  const r = await rigWith(numberedCourse(1, { name }));
  const environment = { GITHUB_ACTIONS: "true" };
  const ran = await r.run("courses ls -o xlsx --fields name", { environment });
  expect(await rowsOf(ran)).toEqual([["name"], [name]]);
});
