/** The JSON Schemas of course files and defaults files, for editors: `catalog schema`. */
import { COURSE_SHAPE } from "./fields.ts";
import type { Key, ObjectShape, Shape } from "./shape.ts";
import { PROVIDER_KEY, WITHOUT_DEFAULT } from "./special-fields.ts";
import { FORMATS } from "./string-formats.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The title and description of each schema. */
const FILES = {
  course: { title: "Course file", description: "A course, or a list of courses." },
  partial: {
    title: "Partial course file",
    description:
      "Some fields of a course, or of each course of a list. The other fields have defaults or stay as they are.",
  },
  defaults: {
    title: "Defaults file",
    description: "Values for the fields that the course files in this folder and below it omit.",
  },
} as const;

/** A file of complete courses, of courses without some of their fields, or of defaults. */
export type FileSchema = keyof typeof FILES;

/**
 * The JSON Schema (2020-12) of the content of a course file: a course to be created, or a list of courses.
 * It uses neither `format` nor a keyword that only one tool supports, so that every validator accepts it.
 */
export function courseFileSchema(file: FileSchema = "course"): JsonSchema {
  const course = { $ref: "#/$defs/course" };
  const list = { type: "array", items: course, minItems: 1 };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:course-catalog-cli:${file}-file`,
    ...FILES[file],
    $comment:
      "Rules that the schema does not state, and that `catalog courses check` reports: syntax and encoding, " +
      "duplicate fields, an id or a url that two courses have, URLs that are not well-formed, keys that depend on " +
      "a type, the scale and the range of a rating, the decimals of a currency, and everything that depends on " +
      "your providers. If you generate code, the type of one course is at #/$defs/course.",
    ...(file === "defaults" ? course : { anyOf: [course, list] }),
    $defs: { ...definitionsIn(COURSE_SHAPE), course: courseSchema(file) },
  };
}

/** A course; in a partial file without required fields, for defaults only with the fields that can have one. */
function courseSchema(file: FileSchema): JsonSchema {
  const without = file === "defaults" ? WITHOUT_DEFAULT : [];
  const keys = COURSE_SHAPE.keys.filter(({ name }) => !without.includes(name));
  const { required, ...schema } = objectSchema({ ...COURSE_SHAPE, keys });
  const hasProvider = ["provider_id", PROVIDER_KEY].map((name) => ({
    properties: { [name]: { type: "string" } },
    required: [name],
  }));
  return {
    description: "A course.",
    ...schema,
    // The keys of `isPrivateKey`.
    patternProperties: { "^x-": {} },
    ...(file === "course" ? { required, oneOf: hasProvider } : { not: { allOf: hasProvider } }),
  };
}

/** The schemas of the objects inside a shape by their names. */
function definitionsIn(shape: Shape): JsonSchema {
  if (shape.kind === "list") return definitionsIn(shape.of);
  if (shape.kind !== "object") return {};
  const inside = shape.keys.map((key) => definitionsIn(key.shape));
  return Object.assign({}, ...inside, { [nameOf(shape)]: objectSchema(shape) });
}

/** `a syllabus item` → `syllabus_item`. */
function nameOf({ owner }: ObjectShape): string {
  return owner.replace(/^an? /, "").replaceAll(" ", "_");
}

function objectSchema({ keys }: ObjectShape): JsonSchema {
  const required = keys.filter((key) => key.required && key.replacedBy === undefined);
  return {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key.name, keySchema(key)])),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

function keySchema({ shape, required, description, example, ...key }: Key): JsonSchema {
  const schema = schemaOf(shape);
  const isNullable = !required || key.replacedBy !== undefined;
  return {
    ...(isNullable ? { anyOf: [schema, { type: "null" }] } : schema),
    description,
    examples: [example],
    ...(required && shape.kind === "list" ? { minItems: 1 } : {}),
    ...(key.readOnly ? { readOnly: true } : {}),
    ...("default" in key ? { default: key.default } : {}),
  };
}

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case "string": {
      const pattern = shape.format === undefined ? "\\S" : FORMATS[shape.format].pattern;
      return { type: "string", ...(shape.format || shape.filled ? { pattern } : {}) };
    }
    case "enum":
      return { type: "string", enum: shape.values };
    case "number":
      return { type: shape.integer ? "integer" : "number" };
    case "boolean":
      return { type: "boolean" };
    case "any":
      return {};
    case "paragraphs":
      return { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
    case "list":
      return { type: "array", items: schemaOf(shape.of) };
    case "object":
      return { $ref: `#/$defs/${nameOf(shape)}` };
  }
}
