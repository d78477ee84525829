/** The tables of cases for positions cover every field and every key of an object. */
import { expect, test } from "vitest";
import { FIELDS } from "../../src/course/fields.ts";
import type { Key, Shape } from "../../src/course/shape.ts";
import { CASES, WARNED_CASES } from "../cases.ts";

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
