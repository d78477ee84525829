/** The JSON Schema of a course file, for editors (cli.md sections 1 and 11, `catalog schema`). */
import { FIELDS, type Field, PROVIDER_FIELD, PROVIDER_KEY } from "./fields.ts";
import { formatSchema } from "./format-schema.ts";
import { conditional, holding, type JsonSchema, SET, without } from "./schema-parts.ts";
import type { Key, ObjectShape, Shape } from "./shape.ts";

/**
 * A JSON Schema (2020-12) of what a course file holds: a course to be created, or a list of them.
 * It uses no `format` and no keyword of a single tool, so that every validator takes it.
 */
export function courseFileSchema(): JsonSchema {
  const objects = new Map<string, JsonSchema>();
  const course = courseSchema(objects);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:course-catalog-cli:course-file",
    title: "Course file",
    description: "A course as it is kept in a file, or a list of courses.",
    $comment: BEYOND,
    ...conditional(
      { type: "array" },
      { type: "array", minItems: 1, items: { $ref: "#/$defs/course" } },
      { $ref: "#/$defs/course" },
    ),
    $defs: { course, ...Object.fromEntries(objects) },
  };
}

/** What `catalog courses check` knows beyond the schema. */
const BEYOND =
  "Rules that a schema cannot state, and that `catalog courses check` holds: syntax and encoding, " +
  "keys given twice, an id or a url given by two courses, URLs that are well-formed throughout, " +
  "the order of a scale's min and max and a value between them, and all that the providers tell.";

function courseSchema(objects: Map<string, JsonSchema>): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of FIELDS) {
    properties[field.name] = fieldSchema(field, objects);
    if (field.name === "provider_id") {
      properties[PROVIDER_KEY] = keySchema(PROVIDER_FIELD, objects, true);
    }
  }
  return {
    type: "object",
    description: "A course.",
    properties,
    required: FIELDS.filter(({ name, required }) => required && name !== "provider_id").map(
      ({ name }) => name,
    ),
    additionalProperties: false,
    ...ONE_PROVIDER,
  };
}

/** `provider` stands in the place of `provider_id`; one of them, and never both. */
const ONE_PROVIDER: JsonSchema = conditional(
  holding({ [PROVIDER_KEY]: SET }),
  without(["provider_id"]),
  holding({ provider_id: { type: "string" } }),
);

function fieldSchema(field: Field, objects: Map<string, JsonSchema>): JsonSchema {
  const { description, example, readOnly } = field;
  // What the service sets is dropped, whatever it is.
  if (readOnly) return { description, examples: [example], readOnly: true };
  const optional = !field.required || field.name === "provider_id";
  return {
    ...keySchema(field, objects, optional),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** @param nullable whether null may stand for an absent value */
function keySchema(key: Key, objects: Map<string, JsonSchema>, nullable: boolean): JsonSchema {
  const schema = shapeSchema(key.shape, objects, nullable);
  return {
    description: key.description,
    ...schema,
    ...(key.required ? notBlank(key.shape) : {}),
    examples: [key.example],
  };
}

/** A required text says something, and a required list holds something. */
function notBlank(shape: Shape): JsonSchema {
  if (shape.kind === "list") return { minItems: 1 };
  return shape.kind === "text" && shape.format === undefined ? { pattern: "\\S" } : {};
}

function shapeSchema(
  shape: Shape,
  objects: Map<string, JsonSchema>,
  nullable: boolean,
): JsonSchema {
  switch (shape.kind) {
    case "text":
      return shape.format === undefined
        ? { type: orNull("string", nullable) }
        : formatSchema(shape.format, nullable);
    case "choice": {
      const values = nullable ? [...shape.values, null] : shape.values;
      return { type: orNull("string", nullable), enum: values };
    }
    case "number": {
      const type = shape.whole ? "integer" : "number";
      const { least } = shape;
      return { type: orNull(type, nullable), ...(least === undefined ? {} : { minimum: least }) };
    }
    case "boolean":
      return { type: orNull("boolean", nullable) };
    case "paragraphs":
      return {
        anyOf: [{ type: orNull("string", nullable) }, { type: "array", items: { type: "string" } }],
      };
    case "list":
      return { type: orNull("array", nullable), items: shapeSchema(shape.of, objects, false) };
    case "object":
      return objectReference(shape, objects, nullable);
  }
}

function orNull(type: string, nullable: boolean): string | readonly string[] {
  return nullable ? [type, "null"] : type;
}

/** A reference to the object's definition, which is made at its first use. */
function objectReference(
  shape: ObjectShape,
  objects: Map<string, JsonSchema>,
  nullable: boolean,
): JsonSchema {
  const name = shape.known.owner.replace(/^an? /, "").replaceAll(" ", "_");
  if (!objects.has(name)) objects.set(name, objectSchema(shape, objects));
  return { $ref: `#/$defs/${name}`, ...(nullable ? {} : { type: "object" }) };
}

function objectSchema(shape: ObjectShape, objects: Map<string, JsonSchema>): JsonSchema {
  const rules = shape.rules.flatMap(({ schema }) => schema ?? []);
  return {
    type: ["object", "null"],
    properties: Object.fromEntries(
      shape.keys.map((key) => [key.name, keySchema(key, objects, !key.required)]),
    ),
    required: shape.keys.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
    ...(rules.length === 0 ? {} : { allOf: rules }),
  };
}
