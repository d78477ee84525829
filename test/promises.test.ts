/** test/promises.md names a test for each thing that users are promised. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINES = readFileSync(`${ROOT}/test/promises.md`, "utf8").split("\n");
const PROMISES = LINES.filter((line) => line.startsWith("- "));

const HELD = /^(?:measured|(test\/\S+\.test\.ts): "(.+)")$/;

/** What is wrong with a line of the document. */
function problemsOf(line: string): string[] {
  const [promise = "", holders = ""] = line.split(" → ");
  return holders.split(" | ").flatMap((holder) => {
    const held = HELD.exec(holder);
    if (held === null) return [`neither a test nor "measured": ${line}`];
    const [, file, title = ""] = held;
    if (file === undefined) return [];
    if (!existsSync(`${ROOT}/${file}`)) return [`${file} does not exist: ${promise}`];
    const exists = readFileSync(`${ROOT}/${file}`, "utf8").includes(title);
    return exists ? [] : [`${file} has no test "${title}": ${promise}`];
  });
}

test("every promise names tests that exist, or is measured", () => {
  expect(PROMISES.length).toBeGreaterThan(250);
  expect(PROMISES.flatMap(problemsOf)).toEqual([]);
});

test("the search for missing tests finds a missing file, a missing title and a missing answer", () => {
  const lines = [
    '- Exit 0. → test/missing.test.ts: "a title"',
    `- Exit 0. → measured | test/promises.test.ts: "${"no such ".repeat(2)}title"`,
    "- Exit 0.",
  ];
  expect(lines.flatMap(problemsOf)).toHaveLength(3);
});
