/** The tables of cases for positions cover every field, every key of an object and every rule. */
import { describe, expect, test } from "vitest";
import { FIELDS } from "../../src/course/fields.ts";
import { RULE_GUIDE } from "../../src/course/guide.ts";
import { RULES } from "../../src/course/problem.ts";
import type { Key, Shape } from "../../src/course/shape.ts";
import { CASES, WARNED_CASES } from "../cases.ts";
import { rig } from "../rig.ts";
import { parseReport } from "./check-files.ts";
import { RULE_CASES, TOO_MANY } from "./position-cases-rules.ts";
import { SYNTAX_CASES } from "./position-cases-syntax.ts";
import { YAML_CASES } from "./position-cases-yaml.ts";

/** A path without list indexes: `prices[].currency`. */
function pattern(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === "number" ? "[]" : `.${step}`)).join("");
}

/** The problems of the cases as `rule path`, or as `missing path` for a missing key. */
const BROKEN: ReadonlySet<string> = new Set(
  CASES.flatMap(({ course, breaks }) => {
    if (breaks === undefined) return [];
    const { rule, path } = breaks;
    const there = path.reduce<unknown>(
      (value, step) => (value as Record<string | number, unknown>)[step],
      course,
    );
    const missing = rule === "required" && there === undefined;
    return [`${missing ? "missing" : rule} ${pattern(path)}`];
  }),
);

const FORMAT_RULES: Readonly<Record<string, string>> = {
  uuid: "uuid",
  url: "url",
  language: "language-code",
  currency: "currency-code",
  amount: "amount",
};

/** Every possible problem of a shape at a path, as `rule path`. */
function faultsOf(shape: Shape, at: string): string[] {
  const type = `type ${at}`;
  switch (shape.kind) {
    case "string":
      return shape.format === undefined ? [type] : [type, `${FORMAT_RULES[shape.format]} ${at}`];
    case "enum":
      return [type, `choice ${at}`];
    case "number":
      return [
        type,
        ...(shape.minimum === undefined ? [] : [`number-range ${at}`]),
        ...(shape.integer ? [`whole-number ${at}`] : []),
      ];
    case "boolean":
      return [type];
    case "paragraphs":
      return [type, `type ${at}[]`];
    case "list":
      return [type, ...faultsOf(shape.of, `${at}[]`)];
    case "object":
      return [type, ...shape.keys.flatMap((key) => faultsOfKey(key, `${at}.${key.name}`))];
    case "any":
      return [];
  }
}

function faultsOfKey({ required, shape }: Key, at: string): string[] {
  if (required !== true) return faultsOf(shape, at);
  const blank = shape.kind === "number" ? [] : [`blank ${at}`];
  return [...faultsOf(shape, at), `missing ${at}`, `required ${at}`, ...blank];
}

/** The path of every object below a shape. */
function objectsOf(shape: Shape, at: string): string[] {
  if (shape.kind === "list") return objectsOf(shape.of, `${at}[]`);
  if (shape.kind !== "object") return [];
  return [at, ...shape.keys.flatMap((key) => objectsOf(key.shape, `${at}.${key.name}`))];
}

const WRITABLE = FIELDS.filter(({ readOnly }) => readOnly !== true);

describe("cases with problems", () => {
  test("the cases contain each kind of problem of every field and of every key of every object", () => {
    const faults = WRITABLE.flatMap((field) => faultsOfKey(field, `.${field.name}`));
    expect(faults.length).toBeGreaterThan(150);
    expect(faults.filter((fault) => !BROKEN.has(fault))).toEqual([]);
  });

  test("the cases contain an unknown key in every kind of object", () => {
    const objects = ["", ...WRITABLE.flatMap(({ name, shape }) => objectsOf(shape, `.${name}`))];
    const unknown = [...BROKEN].flatMap((fault) => /^unknown-key (.*)\./.exec(fault)?.[1] ?? []);
    expect(objects.filter((object) => !unknown.includes(object))).toEqual([]);
    expect(objects.length).toBeGreaterThan(10);
  });

  test("the cases contain a warning for every field that only the service sets", () => {
    const warned = WARNED_CASES.map(({ breaks }) => `${breaks?.rule} ${breaks?.path.join(".")}`);
    const own = FIELDS.filter(({ readOnly }) => readOnly).map(({ name }) => `read-only ${name}`);
    expect(warned).toEqual(expect.arrayContaining(own));
  });
});

/** The rules that depend on more than one file's text: providers, other files, the disk or the service. */
const ELSEWHERE = [
  "too-large",
  "unreadable",
  "no-course",
  "not-read",
  "provider-unknown",
  "provider-owned",
  "url-host",
  "url-other-provider",
  "same-course",
  "lost-characters",
  "other-id",
  "several-courses",
  "possible-move",
  "course-exists",
  "mapping",
  "service",
  "stale",
];

describe("cases of rules", () => {
  test("the cases contain every rule that depends only on the text of one file", () => {
    const inCases = [...CASES, ...WARNED_CASES].map(({ breaks }) => breaks?.rule);
    const inTexts = [...SYNTAX_CASES, ...YAML_CASES, ...RULE_CASES].flatMap(({ finds }) =>
      finds.map((find) => find.split(" ")[1]),
    );
    const broken = new Set([...inCases, ...inTexts, "too-many"]);
    expect(RULES.filter((rule) => !broken.has(rule))).toEqual(ELSEWHERE);
  });

  test("check reports too-many at the course where it stops, after as many problems as the guide says", async () => {
    const r = await rig();
    await r.write("course.json", TOO_MANY);
    const ran = await r.run(["courses", "check", "course.json", "-o", "json"]);
    const { problems } = parseReport(ran);
    const { severity, summary } = RULE_GUIDE["too-many"];
    const found = problems.filter(({ rule }) => rule === "too-many");
    expect(found).toMatchObject([{ line: 2, column: 2, path: [], severity }]);
    expect(summary).toContain(` ${(problems.length - 1).toLocaleString("en")} `);
  });
});
