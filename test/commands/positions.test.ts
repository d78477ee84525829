/** `courses check` reports the exact position of every invalid case, in the usual styles of files. */
import { expect, test } from "vitest";
import { CASES, type Case, WARNED_CASES } from "../cases.ts";
import { STYLES, type Style } from "../files/text-styles.ts";
import { readWithYaml } from "../files/yaml-oracle.ts";
import { someOf } from "../long.ts";
import { course, rig } from "../rig.ts";
import { findings } from "./helpers.ts";

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

/** Finds the line and the column of the problem of the course with an index. */
function placesIn(text: string): (entry: Violation, index: number) => object {
  const values = readWithYaml(text)?.values ?? [];
  const found = new Map(values.map((value) => [JSON.stringify(value.path), value]));
  return ({ breaks: { rule, path } }, index) => {
    const find = (steps: typeof path) => found.get(JSON.stringify([0, index, ...steps]));
    const part = find(path);
    const missing = find(path.slice(0, -1))?.value;
    const reported = KEY_RULES.has(rule) ? part?.key : part?.value;
    const before = text.slice(0, (part === undefined ? missing : reported)?.start).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
}

/** The case's course with a unique url, and with wide characters before the rest of a one-line file. */
function distinguish({ course: given, breaks: { path } }: Violation, index: number): object {
  const { name, ...rest } = given;
  const own = path[0] === "name" ? { name } : { name: "編み物 🧶 入門" };
  const url = rest.url === course().url ? { url: `${rest.url}-${index}` } : {};
  return { ...(Object.hasOwn(given, "name") ? own : {}), ...rest, ...url };
}

async function expectPositions(table: readonly Violation[], severity: string, style: Style) {
  const r = await rig();
  const text = style.write(table.map(distinguish));
  const file = await r.write(`courses.${style.extension}`, text);
  const placeOf = placesIn(text);
  const expected = table.map((entry, index) => {
    return { title: entry.title, ...placeOf(entry, index), rule: entry.breaks.rule };
  });
  const ran = await r.run(["courses", "check", file, "-o", "json"]);
  expect(ran.code).toBe(severity === "error" ? 3 : 0);
  const found = findings(ran).filter((problem) => problem.severity === severity);
  const actual = found.map(({ line, column, rule }, index) => {
    return { title: table[index]?.title, line, column, rule };
  });
  expect(actual).toEqual(expected);
}

// Any value in any style has its position: see test/files/yaml.test.ts.
const USUAL = STYLES.filter(({ style }) => ["YAML in blocks", "JSON on one line"].includes(style));

test.each([
  ["error", INVALID],
  ["warning", WARNED],
] as const)(
  "check reports the position of every %s in the usual styles",
  async (severity, table) => {
    for (const style of someOf(USUAL, 1)) await expectPositions(table, severity, style);
  },
);
