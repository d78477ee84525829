/** Damaged and untidy text: the problems that check reports, the repairs of --fix, and what push sends. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeWindows1252 } from "../../src/course/mojibake.ts";
import { course, PROVIDER_ID, type Rig, rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { push, writeRequests } from "./push-files.ts";

async function read({ folder }: Rig, name: string): Promise<string> {
  return await readFile(join(folder, name), "utf8");
}

/** The text that a program makes of UTF-8 if it reads the bytes as Windows-1252. */
function misread(text: string): string {
  return decodeWindows1252(Buffer.from(text));
}

const TABLE = `name,url,short_description,long_description,audio,provider_id,pace,instructors[0].name
Küche für Führungskräfte,https://academy.example/a,Ein Kurs – für „alle“.,"Zwei
Zeilen.",de,${PROVIDER_ID},self_paced,René
エクセル,https://academy.example/b,Kurs,Für 10 €,ja,${PROVIDER_ID},self_paced,Ada
`;

/** Checks a course in JSON. @returns the problems as lines of text */
async function check(changes: Readonly<Record<string, unknown>>): Promise<string[]> {
  const r = await rig();
  await r.write("a.json", JSON.stringify(course(changes)));
  const { stdout } = await r.run(["courses", "check", "a.json"]);
  const found = lines(stdout).slice(0, -1);
  return found.map((line) => line.replace(/^[^ ]+ /, ""));
}

/** A file in UTF-16, which check --fix does not change. */
function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, "utf16le");
}

describe("UTF-8 that a program read as Windows-1252", () => {
  test("push refuses a CSV file with damaged text and sends nothing", async () => {
    const r = await rig();
    await r.write("a.csv", misread(TABLE));
    const ran = await push(r, ["a.csv"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain(
      'name was damaged by a wrong encoding: "KÃ¼che" should be "Küche". Did you mean "Küche für Führungskräfte"? [mojibake]',
    );
  });

  test("check --fix skips damaged text in a table that is not UTF-8", async () => {
    const r = await rig();
    await r.write("a.csv", utf16(misread(TABLE)));
    const fixed = await r.run(["courses", "check", "--fix", "a.csv"]);
    expect(fixed.stderr).toContain("Skipped a.csv: --fix can only edit text in UTF-8.");
  });

  test.each([
    ["once", misread],
    ["twice", (text: string) => misread(misread(text))],
  ])("check --fix repairs text byte for byte that was damaged %s", async (_, damage) => {
    const r = await rig();
    await r.write("a.csv", damage(TABLE));
    expect((await r.run(["courses", "check", "a.csv", "--fix"])).code).toBe(0);
    expect(await read(r, "a.csv")).toBe(TABLE);
  });

  test.each(["off", "warning"])("push sends damaged text if mojibake is %s", async (level) => {
    const r = await rig();
    await r.write("catalog.config.yaml", `rules: {mojibake: ${level}}\n`);
    await r.write("a.csv", misread(TABLE));
    const ran = await push(r, ["a.csv"]);
    expect([ran.code, writeRequests(ran).length]).toEqual([0, 2]);
    const { stdout } = await r.run(["courses", "check", "a.csv"]);
    expect(stdout.includes("warning: name was damaged")).toBe(level === "warning");
    expect((await storedCourses(r)).map(({ name }) => name)).toContain(
      misread("Küche für Führungskräfte"),
    );
  });
});

test("check --fix repairs a damaged name and its spaces, and keeps the comments", async () => {
  const r = await rig();
  const text = `name: "${misread(" Sticken  für alle")}" # ours\nlong_description: a\\u2019b\n`;
  const rest = JSON.stringify(course()).replace(/"name":"[^"]*",/, "");
  await r.write("a.yaml", `${text}`);
  await r.write("b.json", rest.replace("{", `{"name":${JSON.stringify(misread(" für "))},`));
  const ran = await r.run(["courses", "check", "--fix", "a.yaml", "b.json"]);
  expect(ran.stdout).toContain('b.json:1:9: fixed: name: " für " → "für" [spaces]');
  expect(await read(r, "a.yaml")).toContain('name: "Sticken für alle" # ours\n');
  expect(JSON.parse(await read(r, "b.json")).name).toBe("für");
});

test("check --fix repairs two equal descriptions that are damaged", async () => {
  const r = await rig();
  const text = misread("Für alle");
  const damaged = course({ short_description: text, long_description: text });
  await r.write("a.json", JSON.stringify(damaged));
  await r.run(["courses", "check", "--fix", "a.json"]);
  expect(JSON.parse(await read(r, "a.json"))).toMatchObject({
    ...{ short_description: "Für alle", long_description: "Für alle" },
  });
});

test("check --ignore, and push with the setting rules, accept damaged text", async () => {
  const r = await rig();
  await r.write("a.json", JSON.stringify(course({ name: misread("Für alle") })));
  expect((await r.run(["courses", "check", "a.json", "--ignore", "mojibake"])).code).toBe(0);
  await r.write("catalog.config.yaml", "rules:\n  mojibake: off\n");
  expect((await push(r, ["a.json"])).code).toBe(0);
});

test("create and update refuse damaged text in a flag", async () => {
  const r = await rigWith(numberedCourse(1));
  const name = misread("Für alle");
  const others = [
    "--url",
    "https://academy.example/a",
    "--short-description",
    "A",
    "--audio",
    "en",
  ];
  const rest = ["--long-description", "B", "--provider", "example-academy", "--pace", "self_paced"];
  for (const words of [
    ["create", ...others, ...rest],
    ["update", id(1)],
  ]) {
    const ran = await r.run(["courses", ...words, "--name", name]);
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toContain("name was damaged by a wrong encoding");
  }
});

describe("rules of check", () => {
  test("check names the first damaged word of a long text", async () => {
    const long = `${"Plain words. ".repeat(20)}Kurs ${misread("für „Anfänger“")} und mehr`;
    expect(await check({ long_description: long })).toEqual([
      'error: long_description was damaged by a wrong encoding: "fÃ¼r" should be "für" [mojibake]',
    ]);
  });

  test("check accepts text of which only a part looks damaged, because it may be meant", async () => {
    expect(await check({ long_description: "Größer: donâ€™t" })).toEqual([]);
  });

  test.each([
    ["a url", { url: "https://academy.example/fÃ¼r" }],
    ["a slug", { slug: "fÃ¼r" }],
    ["the field key", { key: "fÃ¼r" }],
    ["a private field", { "x-note": "fÃ¼r" }],
  ])("check reports no damage in %s", async (_, changes) => {
    expect((await check(changes)).filter((line) => line.includes("mojibake"))).toEqual([]);
  });

  test.each([
    [" Zeit", 'has spaces at its beginning or end. Did you mean "Zeit"?'],
    ["Zeit\u00a0", 'has spaces at its beginning or end. Did you mean "Zeit"?'],
    [" Zeit \t und", 'has spaces at its beginning or end. Did you mean "Zeit und"?'],
    ["Zeit \u00a0und", 'has several spaces in a row. Did you mean "Zeit und"?'],
    ["入\u3000\u3000門", 'has several spaces in a row. Did you mean "入\u3000門"?'],
  ])("check explains the wrong spaces of the name %j", async (name, message) => {
    expect(await check({ name })).toEqual([`warning: name ${message} [spaces]`]);
  });

  test("check accepts no-break and full-width spaces in a name, and any spaces in a description", async () => {
    const text = "  One.\n\n  Two.  ";
    expect(await check({ name: "10\u00a0000 入\u3000門", long_description: text })).toEqual([]);
  });

  test.each([
    [
      "Zeit\u200bplan",
      'a zero-width space (U+200B) after "Zeit"; delete it. Did you mean "Zeitplan"?',
    ],
    ["\ufeffZeit", 'a byte order mark (U+FEFF) at its beginning; delete it. Did you mean "Zeit"?'],
    [
      "Kinder\u00adgarten",
      'a soft hyphen (U+00AD) after "Kinder"; delete it. Did you mean "Kindergarten"?',
    ],
    ["a\u2060b\u200db", 'a word joiner (U+2060) after "a"; delete it'],
    ["👩\u200d", 'an invisible character (U+200D) after "👩"; delete it'],
    ["a\u000bb", 'an invisible character (U+000B) after "a"; delete it'],
    ["a\u202eb", 'an invisible character (U+202E) after "a"; delete it'],
    ["שלום \u202eb", 'an invisible character (U+202E) after "שלום "; delete it'],
    ["a\u2067b", 'an invisible character (U+2067) after "a"; delete it'],
    [
      `${"x".repeat(18)}🧶🧶\u200b`,
      `a zero-width space (U+200B) after "${"x".repeat(16)}🧶🧶"; delete it`,
    ],
  ])("check names the invisible character in %j and its position", async (name, message) => {
    const [found = "", ...others] = await check({ name });
    expect(others).toEqual([]);
    expect(found.startsWith(`warning: name contains ${message}`)).toBe(true);
    expect(found.endsWith("[invisible]")).toBe(true);
  });

  test.each([
    ["a joiner in Persian", "می\u200cخواهم"],
    ["a joiner between Latin and Persian letters", "API\u200cها"],
    ["joiners in Devanagari", "क्\u200dष क्\u200cष"],
    ["emoji of several parts", "👩🏽\u200d💻 🏳️\u200d🌈 🏃\u200d♂️ 1️⃣"],
    ["the flag of a region", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
    ["a zero-width space in Khmer", "ភាសា\u200bខ្មែរ"],
    ["marks for the direction of text", "network.py\u200e و C++\u200f"],
    ["an isolate in Hebrew", "שלום \u2066C++\u2069"],
    ["decomposed letters", "fu\u0308r"],
  ])("check accepts %s", async (_, name) => {
    expect(await check({ name })).toEqual([]);
  });

  test.each([
    [{ name: "{{ course.name }}" }, ["name"]],
    [
      { short_description: " \u0024{SHORT}\n", long_description: "[object Object]" },
      ["short_description", "long_description"],
    ],
    [{ url: "https://academy.example/\u0024{slug}" }, ["url"]],
    [{ syllabus: [{ title: "{{title}}" }] }, ["syllabus[0].title"]],
    [{ name: "Templates with {{ x }} and \u0024{x}" }, []],
  ])("check reports what a template never filled in: %j", async (fields, names) => {
    const found = await check(fields);
    const wanted = names.map(
      (name) => `error: ${name} still has the placeholder text; replace it [placeholder]`,
    );
    expect(found).toEqual(wanted);
  });

  test("check compares the two descriptions without the spaces around them", async () => {
    const [short_description, long_description] = ["Knit it. ", "\nKnit it."];
    expect(await check({ short_description, long_description })).toEqual([
      "warning: short_description is the same text as long_description: shorten it [same-descriptions]",
    ]);
    expect(await check({ short_description, long_description: "Knit it!" })).toEqual([]);
  });
});

test("push sends courses with untidy text", async () => {
  const r = await rig();
  const untidy = { name: " A  b\u200b ", short_description: "C […]", long_description: "C […]" };
  await r.write("a.json", JSON.stringify(course(untidy)));
  const ran = await push(r, ["a.json"]);
  expect([ran.code, writeRequests(ran).length]).toEqual([0, 1]);
});
