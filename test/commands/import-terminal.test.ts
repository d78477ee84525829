/** `import` on a terminal: characters that reorder or break lines are escaped, and only there. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { rigWith } from "./helpers.ts";

const NAME = "a\u202eb\u2066c\u2028d\u2029e";
const ESCAPED = "a\\u202eb\\u2066c\\u2028d\\u2029e";
const RAW = /[\u202e\u2066\u2028\u2029]/;

describe("import: bidirectional marks and line separators in data", () => {
  test.each([
    ["yaml", parse],
    ["json", JSON.parse],
    [
      "ndjson",
      (text: string) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line)),
    ],
  ] as const)("are escapes with the same meaning in %s on a terminal", async (format, read) => {
    const r = await rigWith();
    const courses = [{ name: NAME, "x-\u202e": 1 }, { name: "B" }];
    await r.write("a.json", JSON.stringify(courses));
    const words = ["courses", "import", "a.json", "--format", format];
    const { stdout } = await r.run(words, { terminal: true });
    expect(stdout).not.toMatch(RAW);
    expect(stdout).toContain(ESCAPED);
    expect(read(stdout)).toEqual(courses);
    const piped = await r.run(words);
    expect(piped.stdout).toMatch(RAW);
    expect(read(piped.stdout)).toEqual(courses);
  });

  test.each([
    ["CSV", ["--format", "csv"]],
    ["a suggested mapping", ["--suggest"]],
  ])("are escaped in %s on a terminal, and unchanged elsewhere", async (_, flags) => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify([{ name: "a\u202eb", "x-\u2028": "c\u2066d" }]));
    const words = ["courses", "import", "a.json", ...flags];
    const { stdout } = await r.run(words, { terminal: true });
    expect(stdout).not.toMatch(RAW);
    for (const text of ["a\\u202eb", "x-\\u2028", "c\\u2066d"]) expect(stdout).toContain(text);
    const piped = await r.run(words);
    for (const text of ["a\u202eb", "x-\u2028", "c\u2066d"]) expect(piped.stdout).toContain(text);
  });
});
