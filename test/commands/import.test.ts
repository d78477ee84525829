/** `import`: mappings, problems with their rows, existing files, conversion, and limits. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { course, PROVIDER_ID, type Rig } from "../rig.ts";
import { id, rigWith } from "./helpers.ts";

const MAPPING = `{
  "key": id,
  "name": title,
  "url": "https://academy.example/" & id,
  "provider_id": "${PROVIDER_ID}",
  "short_description": title,
  "long_description": $plainText(text),
  "audio": $languages(lang),
  "pace": "self_paced",
  "level": $lowercase(level),
  "duration_in_hours": $hours(length),
  "video": $video(clip)
}`;

const HEADER = "id;title;text;lang;level;length;clip;other";
const ROW =
  '7;"Knit; purl";"<p>Say &quot;a&quot;</p><p>b</p>";English, pt_br;Beginner;1h 30m;https://youtu.be/dQw4w9WgXcQ;=1+1';

async function rigWithExport(rows = `${HEADER}\r\n${ROW}\r\n`): Promise<Rig> {
  const r = await rigWith();
  await r.write("export.csv", `\ufeff${rows}`);
  await r.write("map.jsonata", MAPPING);
  return r;
}

const IMPORT = ["courses", "import", "export.csv", "--map", "map.jsonata", "--out", "c"];

async function read(r: Rig, name: string): Promise<string> {
  return await readFile(join(r.folder, name), "utf8");
}

describe("mappings", () => {
  test("import writes a course file for each row and converts texts, languages, durations and videos", async () => {
    const r = await rigWithExport();
    expect(await r.run(IMPORT)).toMatchObject({ code: 0, requests: [] });
    expect(await read(r, "c/knit-purl.yaml")).toBe(
      `key: "7"\nname: Knit; purl\nurl: https://academy.example/7\nshort_description: Knit; purl\nlong_description: |-\n  Say "a"\n\n  b\naudio: [en, pt-BR]\nprovider_id: ${PROVIDER_ID}\npace: self_paced\nvideo:\n  type: youtube\n  id: dQw4w9WgXcQ\nlevel: [beginner]\nduration_in_hours: 1.5\n`,
    );
    expect((await r.run(["courses", "push", "c"])).code).toBe(0);
  });

  test("import writes courses with problems, and names the source file and row of each problem", async () => {
    const r = await rigWithExport(
      `${HEADER}\r\n${ROW.replace("English", "Klingonese")}\r\n8;;;en;;;;\r\n`,
    );
    const ran = await r.run([...IMPORT, "--json"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(
      /row 2, column D \\"lang\\" .*: audio\[0\] .*"file":"export.csv","line":2,/,
    );
    expect(ran.stderr).toMatch(
      /row 3, column B \\"title\\": name is missing.*"file":"export.csv","line":3,/,
    );
    expect(JSON.parse(ran.stdout)).toMatchObject([{ action: "create" }, { action: "create" }]);
  });

  test("import compares ids of rows without regard to case, and keys within one provider only", async () => {
    const r = await rigWith();
    const id = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
    const rows = [
      { id, key: "7", provider: "one" },
      { id: id.toUpperCase(), key: "7", provider: "two" },
      { key: "7", provider: "two", name: "A" },
    ];
    await r.write("export.json", JSON.stringify(rows));
    const { stderr } = await r.run(["courses", "import", "export.json"]);
    expect(stderr.match(/row \d: the \w+ is also .*/g)?.sort()).toEqual([
      "row 1: the id is also in row 2, so neither course is imported [duplicate-id]",
      "row 2: the id is also in row 1, so neither course is imported [duplicate-id]",
      "row 2: the key is also in row 3, so neither course is imported [duplicate-key]",
      "row 3: the key is also in row 2, so neither course is imported [duplicate-key]",
    ]);
  });

  test.each([
    ['{"name": title', 'map.jsonata:1:14: error: expected "}" before end of expression'],
    ['{"name" title}', 'map.jsonata:1:13: error: expected ":", got "title"'],
    [
      '{\n  "name": title,\n}',
      'map.jsonata:3:1: error: the symbol "}" cannot be used as a unary operator',
    ],
  ])("%s is not a mapping: the place and the reason come first", async (text, message) => {
    const r = await rigWithExport();
    await r.write("map.jsonata", text);
    const ran = await r.run(IMPORT);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(`${message} [mapping]\n`)]);
  });

  test.each([
    ['{"name": $upper(title)}', "map.jsonata:1:16: attempted to invoke a non-function"],
    ['{"name": $number(title)}', 'unable to cast value to a number: "Knit; purl"'],
    ['{"name": $error("Title too short.")}', "1:16: Title too short"],
    ["($f := function($x) { 1 + $f($x) }; $f(1))", "stack overflow"],
  ])("the mapping %s fails with a place and a reason", async (text, message) => {
    const r = await rigWithExport();
    await r.write("map.jsonata", text);
    expect((await r.run(IMPORT)).stderr).toContain(message);
  });

  test.each([
    ["returns a string", "title", 'returns "Knit; purl", not a course'],
    ["returns a function", "function($x) { $x }", "the result contains a function"],
    ["returns several courses", '[{"name": "a"}, {"name": "b"}]', "returns 2 values"],
  ])(
    "import reports a mapping that %s with the row, and writes nothing",
    async (_, text, message) => {
      const r = await rigWithExport();
      await r.write("map.jsonata", text);
      const ran = await r.run(IMPORT);
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain("export.csv:2:1");
      expect(ran.stderr.replace(/\s+/g, " ")).toContain(message);
      await expect(read(r, "c/knit-purl.yaml")).rejects.toThrow();
    },
  );

  test("import gives a mapping no access to anything outside its row", async () => {
    const r = await rigWithExport();
    const outside = [
      "$.constructor",
      "$.__proto__",
      "$lookup({}, 'constructor')",
      "$string.constructor",
      "$string.environment",
      "$eval('process')",
      "process",
      "$process",
      "$require",
      "globalThis",
      '($merge([{"__proto__": {"extra": 1}}]); $.extra)',
      '({} ~> |$|{"__proto__": {"extra": 1}}|; $.extra)',
      '({} ~> |constructor|{"extra": 1}|; $.extra)',
    ];
    const found = outside.map((expression) => `$exists(${expression}) ? "found" : "no"`);
    await r.write("map.jsonata", `{"name": $join([${found.join(", ")}])}`);
    const ran = await r.run(["courses", "import", "export.csv", "--map", "map.jsonata"]);
    expect(ran.stdout).toBe(`- name: ${"no".repeat(outside.length)}\n`);
  });

  test("import reports a row of a YAML list that the mapping cannot convert at the line of the row", async () => {
    const r = await rigWithExport();
    await r.write("rows.yaml", "- title: Knit\n# second\n- title: Purl\n");
    await r.write("map.jsonata", '{"name": title = "Purl" ? $number(title) : title}');
    const ran = await r.run(["courses", "import", "rows.yaml", "--map", "map.jsonata"]);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("rows.yaml:3:3: error:"),
    });
  });

  test("import names the mapping that is not UTF-8", async () => {
    const r = await rigWithExport();
    await r.write("map.jsonata", Buffer.from(MAPPING.replace("{", "{ /* é */"), "latin1"));
    const ran = await r.run(IMPORT);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("cannot read the mapping map.jsonata: the text is not UTF-8 but");
  });

  test("import --suggest reports a file that cannot be read and prints no mapping", async () => {
    const r = await rigWith();
    await r.write("export.csv", Buffer.from([0x69, 0x64, 0x0a, 0xff, 0x81]));
    const ran = await r.run(["courses", "import", "export.csv", "--suggest"]);
    expect([ran.code, ran.stdout]).toEqual([3, ""]);
    expect(ran.stderr).toContain("export.csv:2:1: error: the table is not UTF-8");
  });

  test("import --suggest reads prices with decimal commas or points and thousands separators", async () => {
    const prices = [
      ["49,90 €", "49.90"],
      ["1.299,00 €", "1299.00"],
      ["€49.90", "49.90"],
      ["$1,299.00", "1299.00"],
      ["1.299 €", "1299.00"],
    ];
    const r = await rigWith();
    const rows = prices.map(([cell], index) => `${index};Course ${index};${cell};EUR\n`);
    await r.write("export.csv", `id;title;price;currency\n${rows.join("")}`);
    const { stdout } = await r.run(["courses", "import", "export.csv", "--suggest"]);
    await r.write("map.jsonata", stdout);
    const ran = await r.run(["courses", "import", "export.csv", "--map", "map.jsonata"]);
    expect(ran.stdout.match(/price: "[^"]*"/g)).toEqual(
      prices.map(([, price]) => `price: "${price}"`),
    );
  });

  test("import --suggest prints a mapping that import accepts", async () => {
    const r = await rigWithExport();
    const { stdout, code } = await r.run(["courses", "import", "export.csv", "--suggest"]);
    expect(code).toBe(0);
    expect(stdout).toContain('"audio": $languages(lang)');
    expect(stdout).toContain('"long_description": $plainText(text)');
    await r.write("map.jsonata", stdout);
    const ran = await r.run(["courses", "import", "export.csv", "--map", "map.jsonata"]);
    expect(ran.stdout).toContain("audio: [en, pt-BR]");
  });
});

describe("repeated imports", () => {
  test("import finds the files of courses without id, key and url by their names", async () => {
    const r = await rigWith();
    await r.write("a.csv", "name,level\nAlpha,beginner\nBeta,advanced\nAlpha,advanced\n");
    for (const _ of [1, 2]) await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect(await readdir(join(r.folder, "c"))).toHaveLength(3);
    await r.write("a.csv", "name,url\nBeta,https://academy.example/beta\n");
    await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect(await readdir(join(r.folder, "c"))).toHaveLength(3);
    const text = await readFile(join(r.folder, "c/beta.yaml"), "utf8");
    expect(text).toBe("name: Beta\nurl: https://academy.example/beta\nlevel: [advanced]\n");
  });

  test("import --dry-run shows which values of which files would change", async () => {
    const r = await rigWith();
    await r.write(
      "a.csv",
      "id;name;url\n1;A;https://academy.example/a\n2;B;https://academy.example/b\n".replace(
        /^(\d);/gm,
        `${id(1).slice(0, -1)}$1;`,
      ),
    );
    await r.run(["courses", "import", "a.csv", "--out", "c"]);
    await r.write("b.csv", `id;name;url\n${id(1)};New;https://academy.example/a\n`);
    const planned = await r.run(["courses", "import", "b.csv", "--out", "c", "--dry-run"]);
    expect(planned.stdout).toBe(`~ New (c/a.yaml, ${id(1)})\n    name: "A" → "New"\n`);
    expect(planned.stderr).toContain("1 course. Would write 1 file.\n");
  });

  test("import finds the file of a course by its url if only the export has an id", async () => {
    const r = await rigWith();
    await r.write("c/mine.yaml", "name: A\nurl: https://academy.example/a\n");
    await r.write("c/other.yaml", `id: ${id(2)}\nname: B\nurl: https://academy.example/b\n`);
    const rows = `id;name;url\n${id(1)};A;https://academy.example/a\n${id(3)};C;https://academy.example/b\n`;
    await r.write("a.csv", rows);
    await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect((await readdir(join(r.folder, "c"))).sort()).toEqual([
      "c.yaml",
      "mine.yaml",
      "other.yaml",
    ]);
    expect(await readFile(join(r.folder, "c/mine.yaml"), "utf8")).toContain(id(1));
    expect(await readFile(join(r.folder, "c/other.yaml"), "utf8")).toContain(id(2));
  });

  test("import writes one separate file for a row with the key of another provider's course", async () => {
    const r = await rigWith();
    const own = "key: '1'\nprovider: one\nname: One\n";
    await r.write("c/one.yaml", own);
    await r.write("a.csv", "key,provider,name\n1,two,Two\n1,one,One\n");
    for (const _ of [1, 2]) await r.run(["courses", "import", "a.csv", "--out", "c"]);
    expect((await readdir(join(r.folder, "c"))).sort()).toEqual(["one.yaml", "two.yaml"]);
    expect(await readFile(join(r.folder, "c/one.yaml"), "utf8")).toBe(own);
  });

  test("import changes only the files whose rows changed, and keeps comments and other fields", async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
    const isChanged = (n: number): boolean => [2, 4, 5, 9, 12].includes(n);
    const rows = (name: string): string =>
      [HEADER, ...numbers.map((n) => `${n};${isChanged(n) ? name : "Course"} ${n};t;en;;;;`)].join(
        "\n",
      );
    const r = await rigWithExport(rows("Course"));
    await r.run(IMPORT);
    const own = "# mine\nx-note: kept # here\nfree_content: true\n";
    await r.write("c/course-2.yaml", own + (await read(r, "c/course-2.yaml")));
    const again = await r.run([...IMPORT, "--json"]);
    expect(JSON.parse(again.stdout).map(({ action }: { action: string }) => action)).toEqual(
      Array(12).fill("unchanged"),
    );
    await r.write("export.csv", rows("Renamed"));
    const changed = await r.run([...IMPORT, "--json"]);
    expect(changed.code).toBe(0);
    expect(JSON.parse(changed.stdout)).toMatchObject(
      numbers.map((n) => ({
        action: isChanged(n) ? "update" : "unchanged",
        file: `c/course-${n}.yaml`,
        line: expect.any(Number),
      })),
    );
    const text = await read(r, "c/course-2.yaml");
    expect(text.startsWith(own)).toBe(true);
    expect(text).toContain("name: Renamed 2\n");
  });

  test("import replaces the provider_id of an existing file with the provider of the row", async () => {
    const r = await rigWith();
    await r.write("c/a.json", JSON.stringify(course({ key: "1" })));
    const { provider_id: _, ...row } = course({ key: "1", provider: "example-academy" });
    await r.write("rows.json", JSON.stringify([row]));
    for (const action of ["update", "unchanged"]) {
      const ran = await r.run(["courses", "import", "rows.json", "--out", "c", "--json"]);
      expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, [{ action }]]);
    }
    expect((await r.run(["courses", "check", "c"])).code).toBe(0);
  });

  test("import converts course files to one file of each format and back, and adds courses to this file", async () => {
    const r = await rigWithExport();
    await r.run(IMPORT);
    const first = await read(r, "c/knit-purl.yaml");
    for (const name of ["a.csv", "a.json", "a.ndjson", "a.yaml"]) {
      expect((await r.run(["courses", "import", "c", "--out", name])).code).toBe(0);
      await r.write("more.csv", `${HEADER}\r\n${ROW.replace("7;", "8;")}\r\n`);
      const more = await r.run([
        "courses",
        "import",
        "more.csv",
        "--map",
        "map.jsonata",
        "--out",
        name,
      ]);
      expect(more).toMatchObject({ code: 0 });
      const back = `back-${name.slice(2)}`;
      await r.run(["courses", "import", name, "--out", back]);
      const files = await readdir(join(r.folder, back));
      const texts = await Promise.all(files.map((file) => read(r, `${back}/${file}`)));
      expect(texts).toHaveLength(2);
      expect(texts).toContain(first);
      const checked = await r.run(["courses", "check", name]);
      expect(checked.stdout).toContain("1 file, 2 courses: no problems");
    }
  });
});

describe("encodings of course files", () => {
  test("check does not call bytes of other encodings Windows-1252", async () => {
    const r = await rigWith();
    await r.write("a.yaml", Buffer.from([0x6e, 0x3a, 0xcf, 0xf0, 0xe8, 0xe2]));
    const { stdout } = await r.run(["courses", "check", "a.yaml"]);
    expect(stdout).toContain("error: the text is not UTF-8: save it as UTF-8 [encoding]");
  });
});

describe("sources", () => {
  test.each(["yaml", "json", "csv", "ndjson"])(
    "import keeps private fields in %s",
    async (format) => {
      const r = await rigWith();
      const courses = [
        { name: "A", pace: "self_paced", "x-note": "mine" },
        { name: "B", pace: "self_paced" },
      ];
      await r.write("a.json", JSON.stringify(courses));
      await r.run(["courses", "import", "a.json", "--out", `b.${format}`]);
      const back = await r.run(["courses", "import", `b.${format}`, "--format", "json"]);
      expect(JSON.parse(back.stdout)).toEqual(courses);
    },
  );

  test("import refuses HTML with 100,000 nested elements", async () => {
    const r = await rigWith();
    await r.write("deep.html", "<i>".repeat(100_000) + "</b>".repeat(100_000));
    const ran = await r.run(["courses", "import", "deep.html", "--map", "schema.org"]);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("nested elements");
  });

  test("import does not fill up lists whose columns skip millions of items", async () => {
    const r = await rigWith();
    await r.write("a.csv", "name,prices[1000000000].price\nA,5\n");
    const far = await r.run(["courses", "import", "a.csv"]);
    expect(far.stderr).toContain("error: row 2: the columns skip too many list items");
    const lists = Array.from({ length: 3100 }, (_, index) => `x-a[999].b${index}[999]`);
    await r.write("b.csv", `name,${lists.join(",")}\nA${",1".repeat(lists.length)}`);
    const many = await r.run(["courses", "import", "b.csv"]);
    expect(many.stderr).toContain("error: row 2: the columns skip too many list items");
  });

  test("import --from selects the list, and import without --from explains an object with a list", async () => {
    const r = await rigWith();
    await r.write("a.json", JSON.stringify({ data: { items: [{ name: "A", color: 1 }] } }));
    const ran = await r.run(["courses", "import", "a.json", "--from", "data.items"]);
    expect(ran.stdout).toBe("- name: A\n");
    expect(ran.stderr).toContain("Ignored color");
    await r.write("b.json", JSON.stringify({ items: [{ name: "A" }] }));
    const wrapped = await r.run(["courses", "import", "b.json"]);
    expect(wrapped).toMatchObject({ code: 2, stderr: expect.stringContaining("--from items") });
    const absent = await r.run(["courses", "import", "b.json", "--from", "data"]);
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain(
      "b.json has no data\n  Pass one of its fields with --from: items.",
    );
    const empty = await r.run(["courses", "import", "-", "--from", "data"], { input: "{}" });
    expect(empty).toMatchObject({ code: 2, stderr: "error: <stdin> has no data\n" });
  });

  test.runIf(existsSync("/proc/self"))(
    "import --out exits with 1 if its folder cannot be created",
    async () => {
      const r = await rigWithExport();
      const ran = await r.run(["courses", "import", "export.csv", "--out", "/proc/catalog-test/a"]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain("cannot write to /proc/catalog-test/a: no such file or folder");
    },
  );

  test("import adds a column to a CSV file for each field that only a new course has", async () => {
    const r = await rigWith();
    await r.write("a.csv", "key,name,url\nK1,One,https://academy.example/1\n");
    await r.write("b.json", JSON.stringify([course({ key: "K2" })]));
    const ran = await r.run(["courses", "import", "b.json", "--out", "a.csv"]);
    const [header, one, two] = (await read(r, "a.csv")).split("\n");
    expect([ran.code, header?.slice(0, 30), one, two?.slice(0, 30)]).toEqual([
      0,
      "key,name,url,short_description",
      "K1,One,https://academy.example/1,,,,,",
      "K2,Knitting for Beginners,http",
    ]);
  });

  test.runIf(IS_LONG)("import writes no file that would be too large to read", async () => {
    const r = await rigWith();
    // One byte here, and six as the escape in YAML.
    const long_description = `Long.${"\x7f".repeat(1_000_000)}`;
    const rows = Array.from({ length: 9 }, (_, index) =>
      course({ url: `https://academy.example/${index}`, long_description }),
    );
    await r.write("rows.json", JSON.stringify(rows));
    const ran = await r.run(["courses", "import", "rows.json", "--out", "all.yaml"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("all.yaml would be larger than 48 MiB, the limit for a file");
    expect(await readdir(r.folder)).toEqual(["rows.json"]);
  });

  test.runIf(IS_LONG)("import reports an error after 10,000 warnings", async () => {
    const r = await rigWith();
    const rows = Array.from({ length: 10_001 }, (_, index) =>
      JSON.stringify(course({ url: `https://academy.example/${index}`, slug: "a" })),
    );
    const last = course({ url: "https://academy.example/last", pace: "fast" });
    await r.write("a.ndjson", [...rows, JSON.stringify(last)].join("\n"));
    const ran = await r.run(["courses", "import", "a.ndjson", "--format", "ndjson", "-q"]);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("pace must be")]);
  });

  test("import exits with 2 for flags that cannot be combined", async () => {
    const r = await rigWithExport();
    for (const flags of [
      ["--out", "a.json", "--format", "csv"],
      ["--out", "folder", "--format", "csv"],
      ["--suggest", "--out", "a.json"],
      ["--out", "a.xlsx"],
      ["--out", "-"],
      ["--out", ""],
      ["--from", ""],
      ["--from", "items"],
    ]) {
      expect((await r.run(["courses", "import", "export.csv", ...flags])).code).toBe(2);
    }
  });
});
