/** The output of commands on terminals of several widths, with and without color. */
import { fileURLToPath } from "node:url";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { COLORS, UNSAFE } from "../output/rig.ts";
import type { RunOptions } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

const ESCAPE = "\u001b";
/** Text that would move the cursor, recolor, ring, reorder or forge lines if printed raw. */
const HOSTILE = "a\u001b[31mb\u001b]0;t\u0007\u009b2J\r\nc\td\u202ee\u2066f\u200eg\u2028h";

/** Four courses, of which the command lines below show three. */
const COURSES = [
  numberedCourse(1, { name: "Knitting", approval_status: "approved" }),
  numberedCourse(2, { name: HOSTILE, long_description: HOSTILE, published: false }),
  numberedCourse(3, { name: "編み物 👩‍👩‍👧‍👦 뜨개질 ".repeat(8), approval_status: "rejected" }),
  numberedCourse(4),
];

/** The visible text of each line. Fails if a line is wider than the terminal or contains control characters. */
function visibleLines(text: string, columns: number): string[] {
  const lines = text.replace(COLORS, "").trimEnd().split("\n");
  for (const line of lines) {
    expect(line).not.toMatch(UNSAFE);
    // A word of ASCII, such as a URL, is not broken.
    const rest = line.replace(/(?<= |^)[!-~]+$/, "");
    expect(stringWidth(rest), line).toBeLessThanOrEqual(columns);
  }
  return lines;
}

test.each(
  [40, 80, 200].flatMap((columns) =>
    [{}, { NO_COLOR: "1" }, { FORCE_COLOR: "1" }].map((variables) => [columns, variables] as const),
  ),
)("ls and get fit a terminal of %i columns (%j)", async (columns, variables) => {
  const r = await rigWith(...COURSES);
  const environment = { TERM: "xterm-256color", ...variables };
  const options: RunOptions = { terminal: true, columns, environment };
  const table = await r.run("courses ls --limit 3", options);
  const [header, ...rows] = visibleLines(table.stdout, columns);
  // The id is left out where the long name would have less than 24 columns.
  const hasIds = columns >= 80;
  expect(header).toMatch(hasIds ? /^NAME +LIVE +APPROVAL +ID$/ : /^NAME +LIVE +APPROVAL$/);
  expect(rows.map((row) => /[✓✗].*/.exec(row)?.[0].split(/ {2,}/))).toEqual([
    ["✓ yes", "approved", ...(hasIds ? [id(1)] : [])],
    ["✗ no", "● pending", ...(hasIds ? [id(2)] : [])],
    ["✓ yes", "rejected", ...(hasIds ? [id(3)] : [])],
  ]);
  expect(table.stderr).toMatch(/^3 courses: .* There\sare more\. .*\n$/s);

  const blocks = await r.run(["courses", "get", id(1), id(2), id(3)], options);
  // The longest word has 72 columns, and no word is broken.
  const block = visibleLines(blocks.stdout, Math.max(columns, 72)).join("\n");
  expect(block).toMatch(/(?:^|\n)name: Knitting\n/);
  expect(block).toMatch(/\npublished: false\n/);
  expect(block.replaceAll(/\n +/g, "")).toContain("a\\u001b[31mb\\u001b]0;t\\u0007\\u009b2J");
  for (const { stdout } of [table, blocks]) {
    expect(stdout.includes(ESCAPE)).toBe(!("NO_COLOR" in variables));
  }
});

const BROKEN = fileURLToPath(new URL("../../examples/broken.yaml", import.meta.url));

test.each(["courses ls -o table", `courses check ${BROKEN}`, "courses ls --limit 0"])(
  "catalog %s --no-color prints no color, even with FORCE_COLOR",
  async (line) => {
    const r = await rigWith(...COURSES);
    const { stdout, stderr } = await r.run(`${line} --no-color`, {
      environment: { FORCE_COLOR: "3" },
    });
    expect(stdout + stderr).not.toBe("");
    expect(stdout + stderr).not.toContain(ESCAPE);
  },
);
