/** The tables of cases for positions cover every field, every key of an object and every rule. */
import { expect, test } from "vitest";
import { FIELDS } from "../../src/course/fields.ts";
import { RULES } from "../../src/course/problem.ts";
import type { Key, Shape } from "../../src/course/shape.ts";
import { CASES, WARNED_CASES } from "../cases.ts";
import { RULE_CASES } from "./position-cases-rules.ts";
import { SYNTAX_CASES } from "./position-cases-syntax.ts";
import { YAML_CASES } from "./position-cases-yaml.ts";

/** A path without list indexes: `prices[].currency`. */
function pattern(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === "number" ? "[]" : `.${step}`)).join("");
}

/** The problems of the cases as `rule path`, or as `missing path` for a missing key. */
const BROKEN: ReadonlySet<string> = new Set(
  [...CASES, ...WARNED_CASES].flatMap(({ course, breaks }) => {
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

/** The rules that a value itself can break. */
function rulesOf(shape: Shape): readonly string[] {
  if (shape.kind === "enum") return ["type", "choice"];
  if (shape.kind === "string" && shape.format) return ["type", FORMAT_RULES[shape.format] ?? ""];
  if (shape.kind !== "number" || shape.probably === undefined) return ["type"];
  return ["type", "number-range", ...(shape.probably.isWhole ? ["whole-number"] : [])];
}

/** Every possible problem of a shape at a path, as `rule path`. */
function faultsOf(shape: Shape, at: string): string[] {
  if (shape.kind === "any") return [];
  const own = rulesOf(shape).map((rule) => `${rule} ${at}`);
  if (shape.kind === "paragraphs") return [...own, `type ${at}[]`];
  if (shape.kind === "list") return [...own, ...faultsOf(shape.of, `${at}[]`)];
  if (shape.kind !== "object") return own;
  return [...own, ...shape.keys.flatMap((key) => faultsOfKey(key, `${at}.${key.name}`))];
}

function faultsOfKey({ required, isExpected, shape }: Key, at: string): string[] {
  if (isExpected) return [...faultsOf(shape, at), `incomplete ${at}`];
  if (required !== true) return faultsOf(shape, at);
  const blank = shape.kind === "number" ? [] : [`blank ${at}`];
  return [...faultsOf(shape, at), `missing ${at}`, `required ${at}`, ...blank];
}

const WRITABLE = FIELDS.filter(({ readOnly }) => readOnly !== true);

test("the cases of positions contain each kind of problem of every field and of every key of every object", () => {
  const faults = WRITABLE.flatMap((field) => faultsOfKey(field, `.${field.name}`));
  expect(faults.length).toBeGreaterThan(150);
  expect(faults.filter((fault) => !BROKEN.has(fault))).toEqual([]);
});

/** The rules that depend on more than one file's text: providers, other files, the disk or the service. */
const ELSEWHERE = [
  "too-large",
  "unreadable",
  "no-course",
  "not-read",
  "shared-url",
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

test("the cases of positions contain every rule that depends only on the text of one file", () => {
  const inCases = [...CASES, ...WARNED_CASES].map(({ breaks }) => breaks?.rule);
  const inTexts = [...SYNTAX_CASES, ...YAML_CASES, ...RULE_CASES].flatMap(({ finds }) =>
    finds.map((find) => find.split(" ")[1]),
  );
  const broken = new Set([...inCases, ...inTexts, "too-many"]);
  expect(RULES.filter((rule) => !broken.has(rule))).toEqual(ELSEWHERE);
});
