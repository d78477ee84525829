/** Files that would take too much memory or time are reported before they are read. */
import { expect, test } from "vitest";
import { parseCourseFile } from "../../src/files/course-file.ts";
import { parseTable } from "../../src/files/csv.ts";
import { parseJson } from "../../src/files/json.ts";
import { parseAs } from "../../src/files/parse.ts";
import { tableRows } from "../../src/files/rows.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { IS_LONG } from "../long.ts";
import { course, rig } from "../rig.ts";

function expectTooLarge(
  { problems }: { readonly problems: readonly { rule: string; message: string }[] },
  message: string,
): void {
  expect(problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
    `too-large: ${message}`,
  ]);
}

test.runIf(IS_LONG).each([
  ["a JSON text", () => parseJson(`[${"[],".repeat(2_500_000)}[]]`)],
  [
    "the lines of NDJSON together",
    () => parseJson(`[${"1,".repeat(300_000)}1]\n`.repeat(18), true),
  ],
  ["YAML with escapes", () => parseYaml(`name: "${"\\n".repeat(5_000_001)}"\n`)],
] as const)("%s may have five million values, and no more", async (_, parse) => {
  expectTooLarge(await parse(), "too many values (over 5,000,000): split the file");
});

const TOO_MANY = "too many courses (over 100,000): split the file";

test("a file with more than 100,000 courses is too large, and none of its courses is checked", async () => {
  const text = `[${"1,".repeat(100_000)}1]`;
  const file = await parseCourseFile({ name: "a.json", path: "/a.json" }, Buffer.from(text));
  expectTooLarge({ problems: file.diagnostics }, TOO_MANY);
  expect(file.courses).toEqual([]);
});

test.runIf(IS_LONG)(
  "a table with more than 100,000 rows is one problem, and none of its rows is checked",
  async () => {
    const text = `name,url\n${"a,\n".repeat(100_001)}`;
    const file = await parseCourseFile({ name: "a.csv", path: "/a.csv" }, Buffer.from(text));
    expectTooLarge({ problems: file.diagnostics }, TOO_MANY);
    expect([file.diagnostics[0]?.line, file.courses]).toEqual([100_002, []]);
  },
);

test.runIf(IS_LONG)(
  "a syntax error in a list of more than ten million characters is reported at its course",
  async () => {
    const long = `["${"x".repeat(10_000_000)}",\n`;
    const { problems } = await parseJson(`${long}{"name": "A"},\n{"name": },\n{"name": "C"}]`);
    expect(problems).toMatchObject([{ rule: "syntax", span: { start: long.length + 24 } }]);
  },
);

const LARGE: readonly (readonly [name: string, write: (texts: readonly string[]) => string])[] = [
  ["a.ndjson", (texts) => `\n${texts.join("\n")}\n`],
  ["a.json", (texts) => `[\n${texts.join(",\n")}\n]`],
  ["a.yaml", (texts) => `# A list.\n- ${texts.join("\n- ")}\n`],
  ["b.yaml", (texts) => `${texts.join("\n--- # next\n")}\n`],
];
test.runIf(IS_LONG).each(LARGE)(
  "check reports the position of a problem after half a million values in %s",
  async (name, write) => {
    const r = await rig();
    const filler = Array(5001).fill(1);
    const texts = Array.from({ length: 101 }, (_, index) => {
      const url = `https://academy.example/${index}`;
      return JSON.stringify(
        course({ url, pace: index < 100 ? "self_paced" : "fast", "x-a": filler }),
      );
    });
    const text = write(texts);
    await r.write(name, text);
    const lines = text.split("\n");
    const line = lines.findIndex((each) => each.includes('"fast"'));
    const column = lines[line]?.indexOf('"fast"') ?? 0;
    const { stdout } = await r.run(["courses", "check", name]);
    expect(stdout).toContain(`${name}:${line + 1}:${column + 1}: error: pace must be`);
    expect(stdout).toContain("1 error");
  },
);

const COLUMNS = IS_LONG ? 100_000 : 10_000;

test("thousands of columns of a table are compared and named within the time limit of a test", async () => {
  const names = Array.from({ length: COLUMNS / 5 }, (_, index) => `prices[${index}].price`);
  const { problems } = await parseAs("csv", `name,${names},name,prices[7].price\n`);
  expect(problems.map(({ message }) => message)).toEqual([
    'duplicate column "name"',
    'duplicate column "prices[7].price"',
  ]);
  const { columns } = tableRows(parseTable(`${"a,".repeat(COLUMNS)}b\n`));
  expect([...(columns?.keys() ?? [])].at(-2)).toBe(`a (${COLUMNS})`);
});

test("a table whose columns skip items of lists, which would be filled in for each row, has a problem", async () => {
  const far = await parseAs(
    "csv",
    "name,prices[1000000000].price,prices[60].type,prices[2].currency\nA,5",
  );
  expect(far.problems.map(({ message }) => message)).toEqual(
    Array(2).fill(expect.stringContaining("the columns skip too many list items")),
  );
  const deep = `name${".a".repeat(20_000)}`;
  const { documents } = await parseAs("csv", `name,prices[2].currency,${deep}\nA,EUR,1`);
  const prices = [{}, {}, { currency: "EUR" }];
  expect(documents).toEqual([[{ name: "A", prices, [deep]: "1" }]]);
});

const levels = (count: number) => `"x-deep":${"[".repeat(count - 1)}${"]".repeat(count - 1)}`;
const aliases = (count: number) => `x-a: &a 1, x-b: [${"*a, ".repeat(count)}]`;

test.each([
  [100, "levels", "a.json", levels, "more than 100 levels"],
  [100, "levels", "a.yaml", levels, "more than 100 levels"],
  [10_000, "aliases", "a.yaml", aliases, "too many aliases"],
] as const)("check accepts %i %s in %s, and reports one more", async (...row) => {
  const [most, , name, write, says] = row;
  const r = await rig();
  for (const [count, code, stdout] of [
    [most, 0, expect.any(String)],
    [most + 1, 3, expect.stringContaining(says)],
  ] as const) {
    await r.write(name, JSON.stringify(course()).replace(/\}$/, `, ${write(count)}}`));
    expect(await r.run(["courses", "check", name])).toMatchObject({ code, stdout });
  }
});
