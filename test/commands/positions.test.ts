/** `courses check` reports the exact position of every invalid case, in the usual styles of files. */
import { expect, test } from "vitest";
import { CASES, type Case, WARNED_CASES } from "../cases.ts";
import { someOf } from "../long.ts";
import { course, type Rig, rig } from "../rig.ts";
import { findings } from "./helpers.ts";
import { type Location, type Range, writeWithPositions } from "./position-writer.ts";
import { STYLES, type Style } from "./text-styles.ts";

/**
 * Rules whose problems are reported at the key; problems of other rules are reported at the value, and a
 * missing key at the object without it.
 */
const KEY_RULES: ReadonlySet<string> = new Set([
  "unknown-field",
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "read-only",
]);

type Violation = Case & Required<Pick<Case, "breaks">>;
const isViolation = (entry: Case): entry is Violation => entry.breaks !== undefined;
const INVALID = CASES.filter(isViolation);
const WARNED = WARNED_CASES.filter(isViolation);

type FindLocation = (steps: Violation["breaks"]["path"]) => Location | undefined;

function expectedRange(
  { breaks: { rule, path } }: Violation,
  find: FindLocation,
): Range | undefined {
  const location = find(path);
  if (location === undefined) return find(path.slice(0, -1))?.value;
  return KEY_RULES.has(rule) ? location.key : location.value;
}

/** The case's course with a unique url, and with wide characters before the rest of a one-line file. */
function distinguish({ course: given, breaks: { path } }: Violation, index: number): object {
  const { name, ...rest } = given;
  const own = path[0] === "name" ? { name } : { name: "編み物 🧶 入門" };
  const url = rest.url === course().url ? { url: `${rest.url}-${index}` } : {};
  return { ...(Object.hasOwn(given, "name") ? own : {}), ...rest, ...url };
}

/** Writes one file per case, or one file for all cases. @returns the expected problems */
async function write(r: Rig, table: readonly Violation[], { extension, layout }: Style) {
  const courses = table.map(distinguish);
  const expected = (entry: Violation, file: string, find: FindLocation) => {
    const { line, column } = expectedRange(entry, find) ?? {};
    return { title: entry.title, file, line, column, rule: entry.breaks.rule };
  };
  return await Promise.all(
    table.map(async (entry, index) => {
      const { text, find } = writeWithPositions([courses[index]], layout);
      const name = `courses/${String(index).padStart(3, "0")}.${extension}`;
      return expected(entry, await r.write(name, text), (steps) => find(0, steps));
    }),
  );
}

async function expectPositions(table: readonly Violation[], severity: string, style: Style) {
  const r = await rig();
  const expected = await write(r, table, style);
  const ran = await r.run("courses check courses -o json");
  expect(ran.code).toBe(severity === "error" ? 3 : 0);
  // Some styles have comments after values.
  const found = findings(ran).filter(
    (diagnostic) => diagnostic.severity === severity && diagnostic.rule !== "cut-text",
  );
  const actual = found.map((diagnostic, index) => {
    const { file, line, column, rule } = diagnostic;
    return { title: table[index]?.title, file, line, column, rule };
  });
  expect(actual).toEqual(expected);
}

// Any value in any style has its position: test/files/yaml-places.test.ts.
const USUAL = STYLES.filter(({ style }) => ["YAML in blocks", "JSON on one line"].includes(style));

test.each(someOf(USUAL, 1))(
  "check reports the position of every error and warning in $style",
  async (style) => {
    await expectPositions(INVALID, "error", style);
    await expectPositions(WARNED, "warning", style);
  },
);
