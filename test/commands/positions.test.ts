/** Every wrong case in every style of text: check names exactly where it is (cli.md sections 7 and 11). */
import { describe, expect, test } from "vitest";
import { CASES, type Case, WARNED_CASES } from "../cases.ts";
import { course, type Rig, rig } from "../rig.ts";
import { report } from "./check-files.ts";
import { type Place, type Spot, writePlaced } from "./placed-text.ts";
import { STYLES, type Style } from "./text-styles.ts";

/**
 * What is wrong when something stands at the path: with these rules a key that should not be there,
 * with all others the value. When nothing stands there, it is the mapping that lacks the key.
 */
const OF_KEYS: ReadonlySet<string> = new Set([
  "unknown-key",
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "rating-type",
  "read-only",
  "own-slug",
  "unused-image",
]);
/** Its ends belong there, in the other order. */
const UPSIDE_DOWN = "a scale upside down";

type Told = Case & Required<Pick<Case, "breaks">>;
const isTold = (entry: Case): entry is Told => entry.breaks !== undefined;
const WRONG = CASES.filter(isTold);
const WARNED = WARNED_CASES.filter(isTold);

type Spots = (steps: Told["breaks"]["path"]) => Spot | undefined;

function placeOf({ says, breaks: { rule, path } }: Told, spot: Spots): Place | undefined {
  const there = spot(path);
  if (there === undefined) return spot(path.slice(0, -1))?.value;
  return OF_KEYS.has(rule) && says !== UPSIDE_DOWN ? there.key : there.value;
}

/** The case's course with a url of its own and, before the rest of its line, wide characters. */
function written({ course: given, breaks: { path } }: Told, index: number): object {
  const { name, ...rest } = given;
  const own = path[0] === "name" ? { name } : { name: "編み物 🧶 入門" };
  const url = rest.url === course().url ? { url: `${rest.url}-${index}` } : {};
  return { ...(Object.hasOwn(given, "name") ? own : {}), ...rest, ...url };
}

/** Writes one file for each case, or one for all. @returns what check must say of them */
async function write(r: Rig, table: readonly Told[], { extension, manner }: Style) {
  const courses = table.map(written);
  const expected = (entry: Told, file: string, spot: Spots) => {
    const { says, breaks } = entry;
    return { says, file, ...placeOf(entry, spot), ...breaks };
  };
  if (manner.several !== undefined) {
    const { text, spot } = writePlaced(courses, manner);
    const file = await r.write(`courses/all.${extension}`, text);
    return table.map((entry, index) => expected(entry, file, (steps) => spot(index, steps)));
  }
  return await Promise.all(
    table.map(async (entry, index) => {
      const { text, spot } = writePlaced([courses[index]], manner);
      const name = `courses/${String(index).padStart(3, "0")}.${extension}`;
      return expected(entry, await r.write(name, text), (steps) => spot(0, steps));
    }),
  );
}

/** A byte order mark moves the place of every mistake alike, so that some of them show it. */
const sampled = (table: readonly Told[], { manner }: Style): readonly Told[] =>
  manner.marked === true && manner.several === undefined
    ? table.filter((_, index) => index % 6 === 0)
    : table;

async function expectPlaces(whole: readonly Told[], severity: string, style: Style) {
  const table = sampled(whole, style);
  const r = await rig();
  const expected = await write(r, table, style);
  const ran = await r.run(["courses", "check", "courses", "--format", "json"]);
  expect(ran.code).toBe(severity === "error" ? 3 : 0);
  const found = report(ran).diagnostics.filter((diagnostic) => diagnostic.severity === severity);
  const told = found.map((diagnostic, index) => {
    const { file, line, column, endLine, endColumn, rule, path } = diagnostic;
    return { says: table[index]?.says, file, line, column, endLine, endColumn, rule, path };
  });
  expect(told).toEqual(expected);
}

describe("the place of every wrong value, unknown or misplaced key and missing key", () => {
  test.each(STYLES)("$style", async (style) => await expectPlaces(WRONG, "error", style));
});

describe("the place of everything that is legal but not meant", () => {
  test.each(STYLES)("$style", async (style) => await expectPlaces(WARNED, "warning", style));
});
