/** The output of commands on terminals of several widths. */
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { course, MemoryOutput, type Rig, type RunOptions } from "../rig.ts";
import { id, rigWith } from "./helpers.ts";

/** The result of a run on a terminal. */
interface TerminalRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Text that would move the cursor, recolor, ring, reorder or forge lines if printed raw. */
const HOSTILE = "a\u001b[31mb\u001b]0;t\u0007\u009b2J\r\nc\td\u202ee\u2066f\u200eg\u2028h";
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
const ESCAPE = "\u001b";
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const COLORS = /\u001b\[[\d;]*m/g;

const url = (number: number): string => `https://academy.example/a/long/way/to/course/${number}`;

/** Four courses, of which the command lines below show three. */
const COURSES = [
  course({ id: id(1), url: url(1), name: "Knitting", approval_status: "approved" }),
  course({ id: id(2), url: url(2), name: HOSTILE, long_description: HOSTILE, published: false }),
  course({
    id: id(3),
    url: url(3),
    name: "编み物 👩‍👩‍👧‍👦 뜨개질 ".repeat(8),
    approval_status: "rejected",
  }),
  course({ id: id(4), url: url(4), name: "One more" }),
];

/** Lists three courses. */
const LIST = ["courses", "ls", "--limit", "3"];
/** Shows the same three courses as blocks. */
const GET = ["courses", "get", id(1), id(2), id(3)];
/** Runs a command line with a terminal as standard output only. */
async function runOnTerminal(
  r: Rig,
  words: readonly string[],
  columns: number,
  environment: NonNullable<RunOptions["environment"]>,
): Promise<TerminalRun> {
  const out = new MemoryOutput(true, columns);
  const err = new MemoryOutput();
  const system = r.system({ out, err, environment: { TERM: "xterm-256color", ...environment } });
  const code = await main(words, system);
  r.requireKeyless({ words, keys: [], outputs: [out.text, err.text] });
  return { code, stdout: out.text, stderr: err.text };
}

/** The visible text of each line. Fails if a line is wider than the terminal or contains control characters. */
function visibleLines(text: string, columns: number): string[] {
  const bare = text.replace(COLORS, "").replace(/\n$/, "");
  const lines = bare === "" ? [] : bare.split("\n");
  for (const line of lines) {
    expect(line).not.toMatch(UNSAFE);
    // A word of ASCII, such as a URL, is not broken.
    const rest = line.replace(/(?<= |^)[!-~]+$/, "");
    expect(stringWidth(rest), line).toBeLessThanOrEqual(columns);
  }
  return lines;
}

/** Expects colors or none, and no other escape sequences. */
function expectColors(text: string, expected: boolean): void {
  expect(text.includes(ESCAPE)).toBe(expected);
  expect(text.replace(COLORS, "")).not.toContain(ESCAPE);
}

/** Expects the table of `LIST`, with a layout that fits the terminal. */
function expectTable(table: TerminalRun, columns: number): void {
  expect(table.code).toBe(0);
  const shown = visibleLines(table.stdout, columns);
  // The id is left out where the long name would have less than 24 columns.
  const hasIds = columns >= 80;
  expect(shown[0]).toMatch(hasIds ? /^NAME +LIVE +APPROVAL +ID$/ : /^NAME +LIVE +APPROVAL$/);
  const words = shown.slice(1).map((row) => /[✓✗].*/.exec(row)?.[0].split(/ {2,}/));
  expect(words).toEqual([
    ["✓ yes", "approved", ...(hasIds ? [id(1)] : [])],
    ["✗ no", "● pending", ...(hasIds ? [id(2)] : [])],
    ["✓ yes", "rejected", ...(hasIds ? [id(3)] : [])],
  ]);
  expect(table.stderr).toMatch(/^3 courses: .* There are more\. .*\n$/s);
}

/** Expects the blocks of `GET`, with a layout that fits the terminal. */
function expectBlocks(blocks: TerminalRun, columns: number): void {
  expect([blocks.code, blocks.stderr]).toEqual([0, ""]);
  // The longest word has 72 columns, and no word is broken.
  const block = visibleLines(blocks.stdout, Math.max(columns, 72)).join("\n");
  expect(block).toMatch(/(?:^|\n)name: Knitting\n/);
  expect(block).toMatch(/\npublished: false\n/);
  expect(block).toMatch(/\napproval_status: pending\n/);
  expect(block.replaceAll(/\n +/g, "")).toContain("a\\u001b[31mb\\u001b]0;t\\u0007\\u009b2J");
}

const VARIABLES: readonly NonNullable<RunOptions["environment"]>[] = [
  {},
  { NO_COLOR: "1" },
  { FORCE_COLOR: "1" },
];

const CASES = [40, 80, 200].flatMap((columns) =>
  VARIABLES.map((variables) => [columns, variables] as const),
);

test.each(CASES)("ls and get fit a terminal of %i columns (%j)", async (columns, variables) => {
  const r = await rigWith(...COURSES);
  const table = await runOnTerminal(r, LIST, columns, variables);
  const blocks = await runOnTerminal(r, GET, columns, variables);
  expectTable(table, columns);
  expectBlocks(blocks, columns);
  for (const { stdout } of [table, blocks]) {
    expectColors(stdout, variables.NO_COLOR === undefined);
  }
});
