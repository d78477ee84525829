/** A fix is what can only be meant: it never leads to an opposite, another unit, another identity or another language. */
import { expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import { COURSE_SHAPE } from "../../src/course/fields.ts";
import type { Shape } from "../../src/course/shape.ts";
import { inTurn } from "../long.ts";
import { course } from "../rig.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a fix writes for each problem that has one. */
function fixesOf(fields: Values): unknown[] {
  return checkCourse(course(fields)).flatMap(({ fix }) => {
    if (fix === undefined) return [];
    return ["name" in fix ? { [String(fix.path.at(-1))]: fix.name } : fix.value];
  });
}

function suggestionsOf(fields: Values): unknown[] {
  return checkCourse(course(fields)).flatMap(({ suggestion }) => suggestion ?? []);
}

/** The words of closed lists and of keys, each with a course in which another word is in its place. */
function wordsIn(
  shape: Shape,
  build: (part: unknown) => Values,
): [string, (word: string) => Values][] {
  if (shape.kind === "list") return wordsIn(shape.of, (part) => build([part]));
  if (shape.kind === "enum") {
    return shape.values.map((word): [string, (other: string) => Values] => [word, build]);
  }
  if (shape.kind !== "object") return [];
  return shape.keys.flatMap(({ name, shape: inner, example }) => [
    [name, (other: string): Values => build({ [other]: example })],
    ...wordsIn(inner, (part) => build({ [name]: part })),
  ]) as [string, (word: string) => Values][];
}

const WORDS = wordsIn(COURSE_SHAPE, (part) => part as Values).filter(
  ([, build]) => Object.keys(build("")).length === 1,
);

test("no fix turns a word into its opposite: un-, non-, not, no, in-, dis-, anti- and ex-", () => {
  expect(WORDS.length).toBeGreaterThan(80);
  const prefixes = ["un", "non", "not", "no", "in", "dis", "anti", "ex", "semi"].flatMap((prefix) =>
    ["", "_", "-", " "].map((sign) => prefix + sign),
  );
  for (const [index, [word, build]] of WORDS.entries()) {
    // Each word has some of the prefixes in turn.
    for (const prefix of inTurn(prefixes, index, 3)) {
      const fixes = fixesOf(build(prefix + word));
      expect({ word: prefix + word, fixes }).toEqual({ word: prefix + word, fixes: [] });
    }
  }
});

test("no fix turns a unit, a count or an identity into another one", () => {
  const durations = ["minutes", "seconds", "days", "weeks", "months", "years", "lessons"];
  const counts = ["sections", "seasons", "sessions", "lectures"];
  for (const name of [
    ...[
      ...durations.map((unit) => `duration_in_${unit}`),
      ...counts.map((each) => `number_of_${each}`),
    ],
    ...["keys", "Key", "KEY", "i_d", "ID", "uid", "sid", "ids", "urls", "URL"],
    ...["publisher", "provider_name", "unpublished"],
  ]) {
    expect([name, fixesOf({ [name]: 3 })]).toEqual([name, []]);
  }
  for (const unit of ["hours", "minutes", "seconds"]) {
    const prices = [{ type: "subscription", trial_period: { unit, value: 1 } }];
    expect(fixesOf({ prices })).toEqual([]);
  }
});

test.each([
  [{ certificate: { type: "unpaid" } }, ["paid"]],
  [{ certificate: { type: "excluded" } }, ["included"]],
  [{ pace: "not_self_paced" }, ["self_paced"]],
  [{ level: ["upper_intermediate"] }, ["intermediate"]],
  [{ prices: [{ type: "single_course", prise: "1" }] }, ["price"]],
  [{ audio: ["en-UK"] }, ["en-GB"]],
  [{ audio: ["zh-Hant-TW", "sr-Latn-RS"] }, ["zh-TW", "sr-RS"]],
  [{ audio: ["Portuguese, Brazil"] }, ["pt-BR"]],
])("a suggestion is not a fix: %j", (fields, suggestions) => {
  expect([fixesOf(fields), suggestionsOf(fields)]).toEqual([[], suggestions]);
});

test.each([
  [{ pace: "Self-Paced" }, "self_paced"],
  [{ pace: "self_pcaed" }, "self_paced"],
  [{ Prices: [] }, { Prices: "prices" }],
  [{ "duration-in-hour": 1 }, { "duration-in-hour": "duration_in_hours" }],
  [{ level: "Beginner, advanced" }, ["beginner", "advanced"]],
  [{ level: "Beginner; advanced," }, ["beginner", "advanced"]],
  [{ audio: "en, de" }, ["en", "de"]],
  [{ audio: "en,pt_br" }, ["en", "pt-BR"]],
  [{ audio: ["EN"] }, "en"],
  [{ audio: "English" }, ["en"]],
  [{ published: "true" }, true],
  [{ number_of_lessons: "6" }, 6],
])("a fix is what can only be meant: %j", (fields, fix) => {
  expect(fixesOf(fields)).toEqual([fix]);
});

test.each([
  [{ audio: ["en, fr"] }],
  [{ audio: "en, Klingon" }],
  [{ audio: ["iw"] }],
  [{ level: "beginner and advanced" }],
])("what several values can mean has neither a fix nor a suggestion: %j", (fields) => {
  expect([fixesOf(fields), suggestionsOf(fields)]).toEqual([[], []]);
});
