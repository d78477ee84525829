/** The schema of zod for each shape of a course, with what its JSON Schema says besides its type. */
import * as z from "zod/mini";
import { isList, isObject } from "../base/values.ts";
import { COURSE_SHAPE } from "./fields.ts";
import type { Fault } from "./problem.ts";
import { brokenRules, type JsonSchema, OBJECT_RULES, ONE_PROVIDER } from "./rules.ts";
import type { Key, NumberShape, ObjectShape, Shape, StringShape } from "./shape.ts";
import { checkFormat, FORMAT_SCHEMAS, NOT_BLANK } from "./string-formats.ts";

type Schema = z.ZodMiniType;

/** Keywords of JSON Schema. */
export const KEYWORDS = z.registry<JsonSchema>();

const SCHEMAS = new Map<Shape, Schema>();

function schemaOf(shape: Shape): Schema {
  const known = SCHEMAS.get(shape);
  if (known !== undefined) return known;
  const schema = build(shape);
  SCHEMAS.set(shape, schema);
  return schema;
}

function build(shape: Shape): Schema {
  switch (shape.kind) {
    case "string":
      return stringSchema(shape);
    case "enum":
      return z.enum(shape.values);
    case "number":
      return withKeywords(z.number().check(checkThat((value) => numberFault(shape, value))), {
        ...(shape.integer ? { type: "integer" } : {}),
        ...(shape.minimum === undefined ? {} : { minimum: shape.minimum }),
      });
    case "boolean":
      return z.boolean();
    case "any":
      return z.unknown();
    case "paragraphs":
      // Not a union, which collects an issue for each of millions of items.
      return withKeywords(
        z.custom((value) => isText(value) || (isList(value) && value.every(isText))),
        { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      );
    case "list":
      return z.array(schemaOf(shape.of));
    case "object":
      return objectSchema(shape);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Adds keywords to a schema. */
function withKeywords<Type extends Schema>(schema: Type, keywords: JsonSchema): Type {
  KEYWORDS.add(schema, { ...KEYWORDS.get(schema), ...keywords });
  return schema;
}

function checkThat<Value>(find: (value: Value) => Fault | undefined) {
  return z.check<Value>(({ value, issues }) => {
    const fault = find(value);
    if (fault !== undefined) issues.push({ code: "custom", input: value, params: { fault } });
  });
}

function stringSchema({ format, filled }: StringShape): Schema {
  if (format !== undefined) {
    const schema = z.string().check(checkThat((text: string) => checkFormat(format, text)));
    return withKeywords(schema, FORMAT_SCHEMAS[format]);
  }
  if (!filled) return z.string();
  const blank: Fault = { rule: "blank", text: "must not be empty" };
  const schema = z.string().check(checkThat((text) => (/\S/.test(text) ? undefined : blank)));
  return withKeywords(schema, { pattern: NOT_BLANK });
}

function numberFault({ integer, minimum }: NumberShape, value: number): Fault | undefined {
  if (minimum !== undefined && value < minimum) {
    return { rule: "number-range", text: `must be at least ${minimum}, not ${value}` };
  }
  if (integer && !Number.isInteger(value)) {
    return { rule: "whole-number", text: `must be a whole number, not ${value}` };
  }
  // 9007199254740993 is read as 9007199254740992.
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return undefined;
  const text = `is too large to be exact: at most ${Number.MAX_SAFE_INTEGER} is`;
  return { rule: "inexact-number", text };
}

/** The rules of an object are checked even if it has other problems. */
function objectSchema({ owner, keys }: ObjectShape): Schema {
  const rules = owner === "a course" ? [] : (OBJECT_RULES[owner] ?? []);
  const allOf = rules.flatMap(({ schema }) => schema ?? []);
  const schema = z.strictObject(Object.fromEntries(keys.map((key) => [key.name, keySchema(key)])));
  const checkRules = z.check<unknown>(
    ({ value, issues }) => {
      for (const { key, fault } of isObject(value) ? brokenRules(rules, value) : []) {
        issues.push({
          code: "custom",
          input: value,
          path: [key],
          params: { fault },
          continue: true,
        });
      }
    },
    { when: () => true },
  );
  return withKeywords(rules.length === 0 ? schema : schema.check(checkRules), {
    id: owner.replace(/^an? /, "").replaceAll(" ", "_"),
    ...(allOf.length === 0 ? {} : { allOf }),
    ...(owner === "a course" ? COURSE_KEYWORDS : {}),
  });
}

const COURSE_KEYWORDS: JsonSchema = {
  description: "A course.",
  // The keys of `isPrivateKey`.
  patternProperties: { "^x-": {} },
  ...ONE_PROVIDER,
};

/** The schema of a key in its object: a copy, because other keys may have the same shape. */
function keySchema({ shape, required, nullable, description, example, ...key }: Key): Schema {
  const schema = schemaOf(shape);
  return withKeywords(nullable ? z.nullish(schema) : z.clone(schema), {
    description,
    examples: [example],
    ...(required && shape.kind === "list" ? { minItems: 1 } : {}),
    ...(key.readOnly ? { readOnly: true } : {}),
    ...("default" in key ? { default: key.default } : {}),
  });
}

/** The issues of a value. With the invalid values; generated code would save no time, because few values have problems. */
export function findIssues(value: unknown, shape: Shape): readonly z.core.$ZodIssue[] {
  const { error } = z.safeParse(schemaOf(shape), value, { reportInput: true, jitless: true });
  return error?.issues ?? [];
}

/** Whether a value has a shape. Items are checked one by one: the issues of 100,000 would overflow zod's stack. */
export function isValid(value: unknown, shape: Shape): boolean {
  return shape.kind === "list" && isList(value)
    ? value.every((item) => isValid(item, shape.of))
    : z.validate(schemaOf(shape), value);
}

/** Builds all schemas. After everything that they need. */
export const COURSE_SCHEMA = schemaOf(COURSE_SHAPE);
