/**
 * Reads shapes.yaml: the JSON Schema of every shape that a command prints or writes, and an example, for
 * `catalog schema` and docs/json.md. `line: (integer | null) The line.` in shapes.yaml becomes
 * `{"line": {"type": ["integer", "null"], "description": "The line."}}`.
 */
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { isList, isObject } from "../base/values.ts";
import type { JsonSchema } from "../course/cross-field-rules.ts";
import { FIELDS } from "../course/fields.ts";
import { courseFileSchema } from "../course/json-schema.ts";
import shapesText from "./shapes.yaml?raw";

/** The names that `catalog schema` accepts, in the order of the documents. */
export const SHAPE_NAMES = [
  ...(["courses", "providers", "results", "check", "diff"] as const),
  ...(["plan", "history", "status", "errors"] as const),
];

export type ShapeName = (typeof SHAPE_NAMES)[number];

interface OutputShape {
  readonly title: string;
  /** When the shape is printed or written, as Markdown. */
  readonly description: string;
  /** The commands that print the shape to standard output with `--json`. */
  readonly commands: readonly string[];
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** The shape of that name. */
export function shapeNamed(name: ShapeName): OutputShape {
  const shapes = load(shapesText, { schema: CORE_SCHEMA.withTags(mergeTag) });
  const shape = (shapes as Record<ShapeName, OutputShape>)[name];
  return { ...shape, schema: name === "courses" ? coursesSchema() : expand(shape.schema) };
}

/** The complete JSON Schema of a shape. */
export function shapeSchema(name: ShapeName): JsonSchema {
  const { title, description, schema, example } = shapeNamed(name);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:course-catalog-cli:${name}`,
    ...{ title, description, examples: [example] },
    ...schema,
  };
}

/** A schema without the shorthands of shapes.yaml. */
function expand(schema: unknown): JsonSchema {
  if (typeof schema === "string") {
    const [, types = "", description] = /^\((.+?)\) (.+)$/.exec(schema) ?? [];
    if (types === "any") return { description };
    return { ...typesSchema(types.split(" | ")), description };
  }
  if (!isObject(schema)) return {};
  const { properties, items, additionalProperties, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(isObject(properties) ? propertiesOf(properties) : {}),
    ...(items === undefined ? {} : { items: expand(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: expand(additionalProperties) }),
    ...(isList(anyOf) ? { anyOf: anyOf.map(expand) } : {}),
  };
}

/** A single type, a type or null, or `anyOf` of several types, because strict validators refuse longer lists of types. */
function typesSchema(types: readonly string[]): JsonSchema {
  const [type, ...others] = types;
  if (others.length === 0) return { type };
  const isNullable = others.length === 1 && others[0] === "null";
  return isNullable ? { type: types } : { anyOf: types.map((each) => ({ type: each })) };
}

function propertiesOf(properties: Readonly<Record<string, unknown>>): JsonSchema {
  const entries = Object.entries(properties);
  return {
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ""), expand(schema)]),
    ),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith("?")),
  };
}

/** The schema of courses as the service returns them: values may be any of their type. */
function coursesSchema(): JsonSchema {
  const { $defs = {} } = courseFileSchema();
  const { course } = $defs as Record<string, { properties: Record<string, JsonSchema> }>;
  const fields = FIELDS.map(({ name, description }): [string, JsonSchema] => {
    const type = typeOf(course?.properties[name] ?? {});
    if (name === "id") return [name, { type, description }];
    return [`${name}?`, { ...(type === undefined ? {} : { type: [type, "null"] }), description }];
  });
  const properties = Object.fromEntries(fields);
  const items = expand({ type: "object", description: "A course.", properties });
  return { anyOf: [items, { type: "array", description: "Several courses.", items }] };
}

/** The type of a field besides null. */
function typeOf({ type, anyOf }: JsonSchema): unknown {
  if (Array.isArray(anyOf)) return typeOf(anyOf[0]);
  if (Array.isArray(type)) return type[0];
  return type;
}
