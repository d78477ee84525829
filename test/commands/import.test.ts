/** `import`: mappings, problems with their rows, existing files, conversion, and limits. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import { rigWith } from "./helpers.ts";

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

test("import writes a course file for each row and converts texts, languages, durations and videos", async () => {
  const r = await rigWithExport();
  expect(await r.run(IMPORT)).toMatchObject({ code: 0, requests: [] });
  expect(await r.read("c/knit-purl.yaml")).toBe(
    `key: "7"\nname: Knit; purl\nurl: https://academy.example/7\nshort_description: Knit; purl\nlong_description: |-\n  Say "a"\n\n  b\naudio: [en, pt-BR]\nprovider_id: ${PROVIDER_ID}\npace: self_paced\nvideo:\n  type: youtube\n  id: dQw4w9WgXcQ\nlevel: [beginner]\nduration_in_hours: 1.5\n`,
  );
  expect((await r.run("courses push c")).code).toBe(0);
});

test.each([
  [HEADER, 0],
  [`${HEADER}\r\n${ROW}\r\n`, 1],
])("import without --out counts the rows of %j in its last line: %i", async (rows, courses) => {
  const r = await rigWithExport(rows);
  const ran = await r.run([...IMPORT.slice(0, 5), "--json"]);
  const last = JSON.parse(ran.stderr.trimEnd().split("\n").at(-1) ?? "");
  expect([ran.code, last.counts]).toMatchObject([0, { rows: courses, courses, rowsFailed: 0 }]);
});

test("import exits with 3 for a folder without courses", async () => {
  const r = await rigWith();
  await r.write("empty/.keep", "");
  const ran = await r.run("courses import empty");
  expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("contains no course")]);
});

test("import writes courses with problems, and names the source file and row of each problem", async () => {
  const r = await rigWithExport(
    `${HEADER}\r\n${ROW.replace("English", "Klingonese")}\r\n8;;;en;;;;\r\n`,
  );
  const ran = await r.run([...IMPORT, "--json"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(
    /row 2, column D \\"lang\\" .*: audio is missing.*"file":"export.csv","line":2,/,
  );
  expect(ran.stderr).toMatch(
    /row 3, column B \\"title\\": name is missing.*"file":"export.csv","line":3,/,
  );
  expect(JSON.parse(ran.stdout)).toMatchObject([{ action: "create" }, { action: "create" }]);
});

test.each([
  ['{"name": title', 'map.jsonata:1:14: error: expected "}" before end of expression'],
  ['{"name" title}', 'map.jsonata:1:13: error: expected ":", got "title"'],
  [
    '{\n  "name": title,\n}',
    'map.jsonata:3:1: error: the symbol "}" cannot be used as a unary operator',
  ],
])(
  "import refuses the mapping %s, and prints the place and the reason first",
  async (text, message) => {
    const r = await rigWithExport();
    await r.write("map.jsonata", text);
    const ran = await r.run(IMPORT);
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(`${message} [mapping]\n`)]);
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
  const ran = await r.run("courses import export.csv --map map.jsonata");
  expect(ran.stdout).toBe(`- name: ${"no".repeat(outside.length)}\n`);
});

test("import --suggest prints a mapping that import accepts", async () => {
  const r = await rigWithExport();
  const { stdout, code } = await r.run("courses import export.csv --suggest");
  expect(code).toBe(0);
  expect(stdout).toContain('"audio": $languages(lang)');
  expect(stdout).toContain('"long_description": $plainText(text)');
  await r.write("map.jsonata", stdout);
  const ran = await r.run("courses import export.csv --map map.jsonata");
  expect(ran.stdout).toContain("audio: [en, pt-BR]");
});

test("import names a file after the end of the url, and writes a number in a field of text as text", async () => {
  const r = await rigWith();
  const row = { title: 1984, url: "https://a.example/c/knit%20scarfs.html" };
  await r.write("rows.json", [row]);
  await r.write("map.jsonata", '{"name": title, "url": url}');
  await r.run("courses import rows.json --map map.jsonata --out c");
  expect(await r.read("c/knit-scarfs.yaml")).toContain('name: "1984"\n');
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
  await r.write("c/course-2.yaml", own + (await r.read("c/course-2.yaml")));
  const again = await r.run([...IMPORT, "--json"]);
  expect(JSON.parse(again.stdout).map(({ action }: { action: string }) => action)).toEqual(
    Array(12).fill("unchanged"),
  );
  await r.write("export.csv", rows("Renamed"));
  await r.write("c/broken.yaml", "name: [");
  const changed = await r.run([...IMPORT, "--json"]);
  expect(changed.code).toBe(0);
  expect(changed.stderr).toContain("c/broken.yaml");
  expect(JSON.parse(changed.stdout)).toMatchObject(
    numbers.map((n) => ({
      action: isChanged(n) ? "update" : "unchanged",
      file: `c/course-${n}.yaml`,
      line: expect.any(Number),
    })),
  );
  const text = await r.read("c/course-2.yaml");
  expect(text.startsWith(own)).toBe(true);
  expect(text).toContain("name: Renamed 2\n");
});

test("import converts course files to one file of each format and back, and adds courses to this file", async () => {
  const r = await rigWithExport();
  await r.run(IMPORT);
  const first = await r.read("c/knit-purl.yaml");
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
    const texts = await Promise.all(files.map((file) => r.read(`${back}/${file}`)));
    expect(texts).toHaveLength(2);
    expect(texts).toContain(first);
    const checked = await r.run(["courses", "check", name]);
    expect(checked.stdout).toContain("1 file, 2 courses: no problems");
  }
});

test.each([
  ["a.xlsx", "import cannot write .xlsx files such as a.xlsx", "Choose a folder, or a file that"],
  ["a.csv --format json", "--format json cannot be combined with --out a.csv", "Omit --format"],
  ["a --format csv", "--format csv writes one file for all courses, but --out a is a", "Pass the"],
])(
  "import --out %s writes nothing, and says what import can write",
  async (words, problem, advice) => {
    const r = await rigWithExport();
    const ran = await r.run(["courses", "import", "-", "--out", ...words.split(" ")]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(`error: ${problem}`);
    expect(ran.stderr).toContain(`\n  ${advice}`);
  },
);

test.runIf(IS_LONG)("import reports an error after 10,000 warnings, and exits with 3", async () => {
  const r = await rigWith();
  // Each row has a warning for each of three texts.
  const table = Array.from({ length: 3_335 }, (_, index) =>
    ["Sew\u200bing", `https://academy.example/${index}`, "Sho\u200brt.", "Lo\u200bng.", "en"]
      .concat(PROVIDER_ID, "self_paced")
      .join(","),
  );
  const header = "name,url,short_description,long_description,audio,provider_id,pace";
  await r.write("a.csv", [header, ...table].join("\n").replace(/self_paced$/, "WRONG"));
  const ran = await r.run("courses import a.csv --out a.json");
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain('error: row 3336, column G "pace"');
});

test("import refuses HTML with 100,000 nested elements", async () => {
  const r = await rigWith();
  await r.write("deep.html", "<i>".repeat(100_000) + "</b>".repeat(100_000));
  const ran = await r.run("courses import deep.html --map schema.org");
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain("nested elements");
});

test("import --from selects the list, and import without --from explains an object with a list", async () => {
  const r = await rigWith();
  await r.write("a.json", { data: { items: [{ name: "A", color: 1 }] } });
  const ran = await r.run("courses import a.json --from data.items");
  expect(ran.stdout).toBe("- name: A\n");
  expect(ran.stderr).toContain("not a course field: color");
  await r.write("b.json", { items: [{ name: "A" }] });
  const wrapped = await r.run("courses import b.json");
  expect(wrapped.code).toBe(3);
  expect(wrapped.stderr).toContain("if a field has a list of courses, pass its path with --from");
  const absent = await r.run("courses import b.json --from data");
  expect(absent).toMatchObject({ code: 2, stderr: "error: b.json has no data\n" });
  const empty = await r.run("courses import - --from data", { input: "{}" });
  expect(empty).toMatchObject({ code: 2, stderr: "error: <stdin> has no data\n" });
});
