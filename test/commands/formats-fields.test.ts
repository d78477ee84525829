/** The names that --fields accepts, and how output shows times and urls. */
import { describe, expect, test } from "vitest";
import { expectRefused, id, lines, numberedCourse, rigWith } from "./helpers.ts";

const RATED = numberedCourse(1, {
  prices: [{ type: "single_course", price: "49.90", currency: "EUR" }],
  certificate: { type: "free" },
  provider_rating: { type: "scale", min: 1, max: 5, value: 4.6 },
  syllabus: [{ title: "Casting on", description: ["One.", "Two."] }],
});

describe("--fields with paths", () => {
  test.each([
    ["prices[0].currency", "EUR"],
    ["provider_rating.value", "4.6"],
    ["syllabus[0].description[1]", "Two."],
    ["prices[7].subscription_period.unit", ""],
    ["audio[0]", "en"],
  ])("ls --fields reads a value inside a course: %s", async (field, value) => {
    const ran = await (await rigWith(RATED)).run(["courses", "ls", "--fields", `id,${field}`]);
    expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\t${value}\n`]);
  });

  test.each([
    ["nme", 'Did you mean "name"?'],
    ["prcies[0].currency", 'Did you mean "prices"?'],
    ["prices[0", "For example: --fields name,prices[0].currency"],
    ["certificate..type", "For example: --fields name,prices[0].currency"],
    ["__proto__", "Available fields: id, name,"],
  ])(
    "ls and get exit with 2 before any request for a name of no field: %s",
    async (field, next) => {
      for (const words of [["ls"], ["get", id(1)]]) {
        const ran = await (await rigWith(RATED)).run(["courses", ...words, "--fields", field]);
        expectRefused(ran, 2);
        expect(ran.stderr).toContain(field);
        expect(ran.stderr).toContain(next);
      }
    },
  );

  test("create and diff --fields read values inside the error of a result and inside changes", async () => {
    const r = await rigWith(RATED);
    await r.write("a.json", JSON.stringify(RATED));
    const words = ["courses", "create", "a.json", "-o", "csv", "--fields", "error.kind,error.rule"];
    const failed = await r.run(words);
    expect(failed.stdout).toBe("error.kind,error.rule\r\nrefused,course-exists\r\n");
    await r.write("a.json", JSON.stringify({ ...RATED, name: "New" }));
    const changed = ["courses", "diff", "a.json", "-o", "ndjson", "--fields"];
    expect((await r.run([...changed, "fields[0].path[0],fields[0].new"])).stdout).toBe(
      '{"fields[0].path[0]":"name","fields[0].new":"New"}\n',
    );
  });
});

describe("times", () => {
  const TIME = "2026-01-10T12:00:00+00:00";
  const fetched = () => rigWith(numberedCourse(1, { last_fetched_at: TIME }));
  const words = ["courses", "ls", "--fields", "last_fetched_at"];
  const plain = { terminal: true, environment: { NO_COLOR: "1" } } as const;

  test("ls shows times to the minute in a table on a terminal", async () => {
    const ran = await (await fetched()).run(words, plain);
    expect(lines(ran.stdout)).toEqual(["LAST_FETCHED_AT", "2026-01-10 12:00"]);
  });

  test("ls prints times unchanged off a terminal and in every format for data", async () => {
    const r = await fetched();
    expect((await r.run(words)).stdout).toBe(`${TIME}\n`);
    expect((await r.run([...words, "-o", "table"])).stdout).toContain(TIME);
    for (const format of ["json", "ndjson", "yaml", "csv"]) {
      expect((await r.run([...words, "-o", format], plain)).stdout).toContain(TIME);
    }
  });
});
