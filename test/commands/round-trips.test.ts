import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNumber } from "../../src/base/text.ts";
import { checkCourse } from "../../src/course/check.ts";
import { parseSeeds } from "../../src/sandbox/seed.ts";
// The first import bundles the reader, which takes longer than a test.
import "../../src/files/workbook.ts";
import { validCourse } from "../../tools/fuzz/random-courses.ts";
import { anyText } from "../../tools/fuzz/random-texts.ts";
import { IS_LONG } from "../long.ts";
import { tricky } from "../output/rig.ts";
import { FIRST_FAILURE } from "../random.ts";
import { realCourses } from "../real-courses.ts";
import { bytesOf, course, PROVIDER_ID, type Rig, rig, testClock } from "../rig.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const options = { timeout: IS_LONG ? 600_000 : 60_000 };
// There are 300 real courses.
const COUNT = IS_LONG ? 300 : 4;

async function lists(r: Rig, format: string, more: readonly string[] = []): Promise<string> {
  const { code, stdout } = await r.run(["courses", "ls", "--all", "-o", format, ...more]);
  expect(code).toBe(0);
  return await r.write(`listed.${format}`, format === "xlsx" ? bytesOf(stdout) : stdout);
}

const UNCHANGED = `Already up to date: ${formatNumber(COUNT)} courses.\n`;

test.each(["json", "ndjson", "yaml", "csv", "xlsx"])(
  `push and import change nothing in ${COUNT} real courses that ls printed as %s`,
  options,
  async (format) => {
    const real = realCourses(COUNT).map((each) => ({ ...each, prices: [PRICE] }));
    const r = await rig({ seed: parseSeeds([real], testClock()) });
    const file = await lists(r, format);

    const push = await r.run(["courses", "push", file]);
    expect([push.code, writeRequests(push)]).toEqual([0, []]);
    expect(push.stderr).toContain(UNCHANGED);
    const imported = await r.run(["courses", "import", file, "--out", "imported.ndjson"]);
    expect(imported.code).toBe(0);
    const text = await r.read("imported.ndjson");
    expect(text.trimEnd().split("\n")).toHaveLength(COUNT);
    const again = await r.run("courses diff imported.ndjson --exit-code");
    expect(again.stdout).toBe(UNCHANGED);
  },
);

test.runIf(IS_LONG)(
  "check of 12,000 courses warns once per field that only the service sets, and refuses no course",
  async () => {
    const r = await rig();
    const rows = Array.from({ length: 12_000 }, (_, index) =>
      JSON.stringify({
        ...course({
          url: `https://academy.example/${index}`,
          short_description: "A hidden\u200bspace.",
        }),
        approval_status: "approved",
        schema_version: null,
      }),
    );
    await r.write("c.ndjson", `${rows.join("\n")}\n`);
    const ran = await r.run("courses check c.ndjson --json");
    expect(ran.code).toBe(0);
    const { errors, problems } = JSON.parse(ran.stdout);
    const counts: Record<string, number> = {};
    for (const { rule } of problems) counts[rule] = (counts[rule] ?? 0) + 1;
    expect({ errors, counts }).toEqual({
      errors: 0,
      counts: { "read-only": 1, invisible: 9_999 },
    });
  },
);

/** Texts that a spreadsheet could read as something else. */
const CELLS = ['"null"', "'null'", "'=x", "''-x", "'@x", "'x", "'", "- Messer", "'- Messer"];
const text = fc
  .oneof(fc.constantFrom(...CELLS), tricky(), anyText)
  .filter((some) => some.trim() !== "" && some.isWellFormed());
const courses = fc
  .array(fc.tuple(validCourse, fc.array(text, { minLength: 4, maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((some) =>
    some.map(([valid, [name, short_description, long_description, title]], index) => ({
      ...valid,
      name,
      short_description,
      long_description,
      syllabus: [{ title }],
      url: `https://academy.example/${index}`,
      provider_id: PROVIDER_ID,
    })),
  )
  // A text may be the placeholder of a template, which is an error.
  .filter(
    (some) =>
      !some.flatMap((each) => checkCourse(each)).some(({ severity }) => severity === "error"),
  );

test.runIf(IS_LONG)(
  "diff finds no change in random courses in any format of ls and import",
  options,
  async () => {
    const property = fc.asyncProperty(courses, async (some) => {
      const seed = parseSeeds([some], testClock());
      const r = await rig({ seed });
      const unchanged = /^Already up to date: /;
      const diff = async (path: string): Promise<string> => {
        const { stdout, stderr } = await r.run(["courses", "diff", path]);
        return `${stdout}${stderr}`;
      };
      for (const flags of ["json", "ndjson", "yaml", "csv", "csv --excel", "xlsx"]) {
        const [format = "", ...more] = flags.split(" ");
        const file = await lists(r, format, more);
        expect(await diff(file)).toMatch(unchanged);
        const update = await r.run(["courses", "update", file]);
        expect(update).toMatchObject({ code: 0 });
        expect(await diff(file)).toMatch(unchanged);
        const out = `imported-${flags.replaceAll(" ", "")}.${format === "xlsx" ? "csv" : format}`;
        const imported = await r.run(["courses", "import", file, "--out", out]);
        expect(imported).toMatchObject({ code: 0 });
        expect(await diff(out)).toMatch(unchanged);
      }
      expect((await r.run("courses pull pulled")).code).toBe(0);
      expect(await diff("pulled")).toMatch(unchanged);
    });
    await fc.assert(property, { numRuns: 6, ...FIRST_FAILURE });
  },
);

test("ls quotes the text null in CSV and in tab-separated lines, where null without quotes means cleared", async () => {
  const r = await rigWith(course({ name: "null" }));
  const words = ["courses", "ls", "--fields", "name,video"];
  expect((await r.run([...words, "-o", "csv"])).stdout).toBe('name,video\r\n"null",\r\n');
  expect((await r.run(words)).stdout).toBe('"null"\t\n');
});

const PRICE = { type: "single_course", price: "99.00", currency: "EUR" };

test.each(["csv", "json", "ndjson", "yaml"])(
  "what ls --fields writes as %s is accepted by update, and check, diff and push say so in one problem",
  async (extension) => {
    const r = await rigWith(...[1, 2, 3].map((n) => numberedCourse(n, { prices: [PRICE] })));
    const file = `some.${extension}`;
    const fields = "id,name,prices[0].price";
    await r.run(["courses", "ls", "--all", "--fields", fields, "--out", file]);
    for (const command of ["check", "diff", "push"]) {
      const ran = await r.run(["courses", command, file]);
      const output = lines(ran.stdout + ran.stderr);
      expect([command, ran.code]).toEqual([command, 3]);
      expect(output.filter((line) => line.includes("error:"))).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${file}:\\d+:\\d+: error: .*all courses of this file lack .*url.*, so only update accepts it: catalog courses update ${file} \\[required\\]$`,
          ),
        ),
      ]);
    }
    const ran = await r.run(["courses", "update", file]);
    expect([ran.code, ran.stderr]).toEqual([0, "Already up to date: 3 courses.\n"]);
  },
);

test("a file in which only some courses lack a required field has a problem for each of them", async () => {
  const r = await rigWith();
  const [one, two] = [numberedCourse(1), numberedCourse(2)];
  const { pace: _, ...short } = two;
  await r.write("some.json", [one, short, { ...short, id: id(3), url: `${two.url}3` }]);
  const ran = await r.run("courses check some.json");
  expect(ran.code).toBe(3);
  expect(ran.stdout.match(/error: pace is missing/g)).toHaveLength(2);
});
