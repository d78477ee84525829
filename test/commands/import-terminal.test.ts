/** `import` escapes characters that reorder or break lines; in CSV, only on a terminal. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { rigWith } from "./helpers.ts";

const NAME = "a\u202eb\u2066c\u2028d\u2029e";
const ESCAPED = "a\\u202eb\\u2066c\\u2028d\\u2029e";
const RAW = /[\u202e\u2066\u2028\u2029]/;

describe("bidirectional marks and line separators", () => {
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
  ] as const)(
    "import --format %s escapes bidirectional marks without changing values, on and off a terminal",
    async (format, read) => {
      const r = await rigWith();
      const courses = [{ name: NAME, "x-\u202e": 1 }, { name: "B" }];
      await r.write("a.json", JSON.stringify(courses));
      const words = ["courses", "import", "a.json", "--format", format];
      const { stdout } = await r.run(words, { terminal: true });
      expect(stdout).not.toMatch(RAW);
      expect(stdout).toContain(ESCAPED);
      expect(read(stdout)).toEqual(courses);
      expect((await r.run(words)).stdout).toBe(stdout);
    },
  );

  test("import --format csv escapes bidirectional marks on a terminal and leaves them unchanged in a pipe", async () => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify([{ name: "a\u202eb", "x-\u2028": "c\u2066d" }]));
    const words = ["courses", "import", "a.json", "--format", "csv"];
    const { stdout } = await r.run(words, { terminal: true });
    expect(stdout).not.toMatch(RAW);
    for (const text of ["a\\u202eb", "x-\\u2028", "c\\u2066d"]) expect(stdout).toContain(text);
    const piped = await r.run(words);
    for (const text of ["a\u202eb", "x-\u2028", "c\u2066d"]) expect(piped.stdout).toContain(text);
  });

  test("import --suggest escapes bidirectional marks in a mapping that still maps the column", async () => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify([{ in: { "name \u202e\x1b": "a\u202eb" } }]));
    const { stdout } = await r.run(["courses", "import", "a.json", "--suggest"]);
    expect(stdout).toContain('`in`.$."name \\u202e\\u001b"');
    expect(stdout).not.toMatch(RAW);
    await r.write("map.jsonata", '{"name": `in`.$."name \\u202e\\u001b"}');
    const mapped = await r.run(["courses", "import", "a.json", "--map", "map.jsonata"]);
    expect(parse(mapped.stdout)).toEqual([{ name: "a\u202eb" }]);
  });
});
