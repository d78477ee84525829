/** The work of finding and fixing problems grows with the size of a file, in every layout. */
import { Session } from "node:inspector/promises";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixText } from "../../src/files/fix.ts";
import { loadCourses } from "../../src/files/load.ts";
import { formatOf } from "../../src/files/parse.ts";

const session = new Session();

beforeAll(async () => {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
});

afterAll(() => session.disconnect());

/** How often any part of our code and of the parsers ran. Counts do not depend on the machine, as times do. */
async function countWork(run: () => Promise<unknown>): Promise<number> {
  // Starts at zero.
  await session.post("Profiler.takePreciseCoverage");
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const scripts = result.filter(({ url }) => /\/src\/|\/(?:js-yaml|yaml|jsonc-parser)\//.test(url));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
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

async function checkAndFix(text: string, name: string): Promise<void> {
  const input = { stream: Readable.from([Buffer.from(text)]) };
  for await (const { diagnostics } of loadCourses(["-"], { folder: "", input })) {
    expect(diagnostics.length).toBeGreaterThan(0);
  }
  await fixText(text, formatOf(name), true);
}

test.each(LAYOUTS)(
  "checking and fixing a file twice as long is at most 2.5 times the work: %s",
  async (_, name, write) => {
    const textOf = (length: number) => write(Array.from({ length }, (_, index) => index));
    const some = await countWork(() => checkAndFix(textOf(40), name));
    const more = await countWork(() => checkAndFix(textOf(80), name));
    expect(some).toBeGreaterThan(10_000);
    expect(more / some).toBeLessThan(2.5);
  },
);
