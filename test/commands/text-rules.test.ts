import { expect, test } from "vitest";
import { decodeWindows1252 } from "../../src/course/text-rules.ts";
import { course, rig } from "../rig.ts";
import { lines } from "./helpers.ts";

/** The text that a program makes of UTF-8 if it reads the bytes as Windows-1252. */
function misread(text: string): string {
  return decodeWindows1252(Buffer.from(text));
}

/** Checks a course in JSON. @returns the problems as lines of text */
async function check(changes: Readonly<Record<string, unknown>>): Promise<string[]> {
  const r = await rig();
  await r.write("a.json", course(changes));
  const { stdout } = await r.run("courses check a.json");
  const found = lines(stdout).slice(0, -1);
  return found.map((line) => line.replace(/^[^ ]+ /, ""));
}

test("check --fix repairs a damaged name and its spaces, and keeps the comments", async () => {
  const r = await rig();
  const text = `name: "${misread(" Sticken für alle")}" # ours\nlong_description: a\\u2019b\n`;
  const rest = JSON.stringify(course()).replace(/"name":"[^"]*",/, "");
  await r.write("a.yaml", `${text}`);
  await r.write("b.json", rest.replace("{", `{"name":${JSON.stringify(misread(" für "))},`));
  const ran = await r.run("courses check --fix a.yaml b.json");
  expect(ran.stdout).toContain('b.json:1:9: fixed: name: " für " → "für" [spaces]');
  expect(await r.read("a.yaml")).toContain("name: Sticken für alle # ours\n");
  expect(JSON.parse(await r.read("b.json")).name).toBe("für");
});

test.each([
  ["Zeit\u200bplan", 'U+200B after "Zeit"'],
  ["\ufeffZeit", 'U+FEFF after ""'],
  ["שלום \u202eb", 'U+202E after "שלום "'],
])("check names the invisible character in %j and its position", async (name, place) => {
  const message = `warning: name contains the invisible character ${place}; delete it [invisible]`;
  expect(await check({ name })).toEqual([message]);
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
])("check reports the fields in which a template left a placeholder: %j", async (fields, names) => {
  const found = await check(fields);
  const wanted = names.map(
    (name) => `error: ${name} still has the placeholder text; replace it [placeholder]`,
  );
  expect(found).toEqual(wanted);
});

test("check reports a url that a template left unfinished once, where it is not a url", async () => {
  const problem =
    'error: url must be a URL such as https://academy.example/knitting, not "https://academy.example/{{ slug }}" [url]';
  expect(await check({ url: "https://academy.example/{{ slug }}" })).toEqual([problem]);
});

test("check compares the two descriptions without the spaces around them", async () => {
  const [short_description, long_description] = ["Knit it. ", "\nKnit it."];
  expect(await check({ short_description, long_description })).toEqual([
    "warning: short_description is the same text as long_description: shorten it [same-descriptions]",
  ]);
  expect(await check({ short_description, long_description: "Knit it!" })).toEqual([]);
});
