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
  const { result }: Coverage = JSON.parse(await readFile(join(coverage, file), "utf8"));
  const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

/** What Node.js writes about the parts of programs that ran. */
interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** A course with two problems, of which one has a fix, and a key twice. */
function entries(index: number): readonly string[] {
  const url = `"https://academy.example/${index}"`;
  return [`"name": "K${index}"`, `"url": ${url}`, '"pace": "self-paced"', '"x-a": 1', '"level": 5'];
}

function inBrackets(index: number): string {
  return `{${entries(index).join(", ")}}`;
}

const plain = (index: number): string =>
  entries(index)
    .join("\n")
    .replaceAll(/"([\w-]+)":/g, "$1:");
const block = (index: number): string => `- ${plain(index).replaceAll("\n", "\n  ")}`;

/** The text of courses in each layout. */
const LAYOUTS: readonly (readonly [
  title: string,
  name: string,
  write: (courses: readonly number[]) => string,
])[] = [
  ["a block of YAML", "a.yaml", (all) => all.map(block).join("\n")],
  ["documents with ---", "a.yaml", (all) => all.map(plain).join("\n---\n")],
  ["documents with ...", "a.yaml", (all) => `${all.map(plain).join("\n...\n")}\n`],
  ["YAML in brackets", "a.yaml", (all) => `[\n${all.map(inBrackets).join(",\n")},\n]\n`],
  ["YAML on one line", "a.yaml", (all) => `[${all.map(inBrackets).join(", ")},]`],
  [
    "YAML with keys twice",
    "a.yaml",
    (all) => `[${all.map((each) => inBrackets(each).replace("x-a", "name")).join(", ")},]`,
  ],
  ["JSON", "a.json", (all) => `[\n${all.map(inBrackets).join(",\n")}\n]\n`],
  ["JSON on one line", "a.json", (all) => `[${all.map(inBrackets).join(",")}]`],
  [
    "JSON with keys twice",
    "a.json",
    (all) => `[${all.map((each) => inBrackets(each).replace("x-a", "name")).join(",")}]`,
  ],
  ["NDJSON", "a.ndjson", (all) => all.map(inBrackets).join("\n")],
  [
    "CSV",
    "a.csv",
    (all) =>
      `name,url,pace\n${all.map((each) => `K${each},https://academy.example/${each},fast`).join("\n")}`,
  ],
  [
    "one course of YAML",
    "a.yaml",
    (all) => `${plain(0)}\ninstructors:\n${all.map(() => "  - name: 5\n").join("")}`,
  ],
  [
    "one course of JSON",
    "a.json",
    (all) => `{${entries(0)}, "instructors": [${all.map(() => '{"name": 5}')}]}`,
  ],
];

test.runIf(IS_LONG).each(LAYOUTS)(
  "checking and fixing a file twice as long is at most 2.2 times the work: %s",
  async (_, name, write) => {
    const textOf = (length: number) => write(Array.from({ length }, (_, index) => index));
    const some = await countWork(name, textOf(100));
    const more = await countWork(name, textOf(200));
    expect(more / some).toBeLessThan(2.2);
  },
);
