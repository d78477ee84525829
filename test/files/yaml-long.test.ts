/** Long YAML texts, in which the positions of each course are found separately. */
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { loadCourses } from "../../src/files/load.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { scaleRuns } from "../long.ts";
import { course } from "../rig.ts";

const FILLER = `${"words ".repeat(15)}\n`;
const LONG = FILLER.repeat(scaleRuns(100_000) / FILLER.length);

/** The text of a course, with this line at its end. */
function text(index: number, line: string): string {
  const { audio: _, long_description: __, ...fields } = course();
  const lines = Object.entries({ ...fields, url: `https://academy.example/${index}` });
  const body = LONG.replace(/^/gm, "    ").trimEnd();
  const head = lines.map(([name, value]) => `  ${name}: ${value}\n`).join("");
  return `${head}  long_description: |\n${body}\n  ${line}\n`;
}

const asItems = (parts: readonly string[]): string =>
  `# A list.\n${parts.map((part) => part.replace(/^ /, "-")).join("")}`;
const asDocuments = (parts: readonly string[]): string =>
  parts.map((part) => part.replace(/^ {2}/gm, "")).join("--- # next\n");

async function findings(yaml: string): Promise<string[]> {
  const found: string[] = [];
  const stream = Readable.from([Buffer.from(yaml)]);
  for await (const file of loadCourses(["-"], { folder: "", input: { stream } })) {
    for (const { line, column, rule } of file.diagnostics) found.push(`${line}:${column} ${rule}`);
  }
  return found;
}

describe.each([
  ["a long list", asItems, []],
  // An anchor is not valid beyond its document.
  ["many long documents", asDocuments, [{ rule: "syntax" }]],
])("%s", (_, join, refusals) => {
  const yaml = (line: string): string =>
    join(Array.from({ length: 11 }, (_, index) => text(index, index === 7 ? line : "audio: [en]")));

  test("a problem in a long YAML text is reported with its position", async () => {
    const wrong = yaml("audio: [english]");
    const lines = wrong.split("\n");
    const line = lines.findIndex((each) => each.includes("english"));
    const column = lines[line]?.indexOf("english") ?? 0;
    expect(await findings(wrong)).toEqual([`${line + 1}:${column + 1} language-code`]);
  });

  test("one item of a long YAML text may have anchors, tags and nested brackets", async () => {
    const { documents, problems } = await parseYaml(
      yaml("audio: &a [!!str en]\n  subtitles_text: *a\n  x-a: [[1]]"),
    );
    expect(problems).toEqual([]);
    const courses = documents.length === 1 ? (documents[0] as unknown[]) : documents;
    expect(courses).toHaveLength(11);
    expect(courses[7]).toMatchObject({ audio: ["en"], subtitles_text: ["en"], "x-a": [[1]] });
    expect(courses[8]).toMatchObject({ audio: ["en"], url: "https://academy.example/8" });
  });

  test("an item of a long YAML text may use anchors of another item in a list, and syntax errors are reported", async () => {
    const alias = yaml("audio: *elsewhere").replace("audio: [en]", "audio: &elsewhere [en]");
    expect((await parseYaml(alias)).problems).toMatchObject(refusals);
    expect((await parseYaml(yaml("audio: [en"))).problems).toMatchObject([{ rule: "syntax" }]);
  });
});
