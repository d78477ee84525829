/** The work of finding and fixing problems grows with the size of a file, in every layout. Counts do not depend on the machine, as times do. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { newFolder, runCatalog } from "./rig.ts";

/** How often any part of the program ran. */
async function countWork(name: string, text: string): Promise<number> {
  const folder = await newFolder();
  await writeFile(join(folder, name), text);
  const coverage = join(folder, "coverage");
  const environment = { NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: "1" };
  const command = ["courses", "check", name, "--fix", "--dry-run"];
  expect(await runCatalog(command, { folder, environment })).toMatchObject({ code: 3 });
  const [file = ""] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, file), "utf8")) as {
    result: { functions: { ranges: { count: number }[] }[] }[];
  };
  const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** A course with two problems, of which one has a fix. */
function entries(index: number): readonly string[] {
  const url = `"https://academy.example/${index}"`;
  return [`"name": "K${index}"`, `"url": ${url}`, '"pace": "self-paced"', '"x-a": 1', '"level": 5'];
}

const inBrackets = (index: number) => `{${entries(index).join(", ")}}`;
const twice = (index: number) => inBrackets(index).replace("x-a", "name");
const plain = (index: number) =>
  entries(index)
    .join("\n")
    .replaceAll(/"([\w-]+)":/g, "$1:");
const block = (index: number) => `- ${plain(index).replaceAll("\n", "\n  ")}`;
const row = (index: number) => `K${index},https://academy.example/${index},fast`;
const OWNERS = {
  "a.yaml": `${plain(0)}\ninstructors:\n`,
  "a.json": `{${entries(0)}, "instructors": [`,
};

/** The text of courses in each layout: what each is, and what is before, between and after them. */
const LAYOUTS: readonly (readonly [
  title: string,
  name: string,
  item: (index: number) => string,
  around: readonly [before: string, between: string, after: string],
])[] = [
  ["a block of YAML", "a.yaml", block, ["", "\n", ""]],
  ["documents with ---", "a.yaml", plain, ["", "\n---\n", ""]],
  ["documents with ...", "a.yaml", plain, ["", "\n...\n", "\n"]],
  ["YAML in brackets", "a.yaml", inBrackets, ["[\n", ",\n", ",\n]\n"]],
  ["YAML on one line", "a.yaml", inBrackets, ["[", ", ", ",]"]],
  ["YAML with keys twice", "a.yaml", twice, ["[", ", ", ",]"]],
  ["JSON", "a.json", inBrackets, ["[\n", ",\n", "\n]\n"]],
  ["JSON on one line", "a.json", inBrackets, ["[", ",", "]"]],
  ["JSON with keys twice", "a.json", twice, ["[", ",", "]"]],
  ["NDJSON", "a.ndjson", inBrackets, ["", "\n", ""]],
  ["CSV", "a.csv", row, ["name,url,pace\n", "\n", ""]],
  ["one course of YAML", "a.yaml", () => "  - name: 5", [OWNERS["a.yaml"], "\n", "\n"]],
  ["one course of JSON", "a.json", () => '{"name": 5}', [OWNERS["a.json"], ",", "]}"]],
];

test.runIf(IS_LONG).each(LAYOUTS)(
  "checking and fixing a file twice as long is at most 2.2 times the work: %s",
  async (_, name, item, [before, between, after]) => {
    const textOf = (length: number) =>
      before + Array.from({ length }, (_, index) => item(index)).join(between) + after;
    const some = await countWork(name, textOf(100));
    const more = await countWork(name, textOf(200));
    expect(more / some).toBeLessThan(2.2);
  },
);
