/** The JSON Schemas of course files and defaults files, for editors: `catalog schema`. */
import * as z from "zod/mini";
import { isObject } from "../base/values.ts";
import { splitCodes } from "./codes.ts";
import { PROVIDER_KEY, WITHOUT_DEFAULT } from "./field-names.ts";
import { COURSE } from "./fields.ts";
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODES } from "./iso-codes.ts";
import { type JsonSchema, when } from "./rules.ts";
import {
  AMOUNT_SCHEMA,
  METADATA,
  NOT_BLANK,
  pairSchema,
  URL_SCHEMA,
  UUID_SCHEMA,
} from "./schemas.ts";
import type { StringFormat } from "./string-formats.ts";

/** What a schema says about the file as a whole. */
const FILES = {
  course: { title: "Course file", description: "A course, or a list of courses." },
  partial: {
    title: "Partial course file",
    description:
      "Some fields of a course, or of each course of a list; the others have defaults or stay as they are.",
  },
  defaults: {
    title: "Defaults file",
    description:
      "The values of fields that the course files in this folder and below it leave out.",
  },
} as const;

/** Whether a file has complete courses, courses without some of their fields, or defaults. */
export type FileSchema = keyof typeof FILES;

/**
 * A JSON Schema (2020-12) of the content of a course file: a course to be created, or a list of them.
 * It uses no `format` and no keyword of a single tool, so that every validator accepts it.
 */
export function courseFileSchema(file: FileSchema = "course"): JsonSchema {
  const { $schema, $defs, ...list } = z.toJSONSchema(z.array(COURSE.schema()), {
    io: "input",
    metadata: METADATA,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema._zod.def, jsonSchema),
  });
  return {
    $schema,
    $id: `urn:course-catalog-cli:${file}-file`,
    ...FILES[file],
    $comment:
      "Rules that a schema cannot state, and that `catalog courses check` reports: syntax and encoding, " +
      "duplicate keys, an id or a url given by two courses, URLs that are not well-formed, the order " +
      "of a scale's min and max and a value between them, and everything that depends on your providers. " +
      "The type of one course, for a generator of code, is at #/$defs/course.",
    ...(file === "defaults"
      ? { $ref: COURSE_REF }
      : when({ type: "array" }, { ...list, minItems: 1 }, { $ref: COURSE_REF })),
    $defs: file === "course" ? $defs : { ...$defs, course: withoutRequired($defs?.course, file) },
  };
}

const COURSE_REF = "#/$defs/course";

/** The schema of a course of which nothing is required; of defaults, without the fields that have none. */
function withoutRequired(course: JsonSchema = {}, file: FileSchema): JsonSchema {
  const { required: _, properties, else: otherwise, ...rest } = course;
  const without = file === "defaults" ? WITHOUT_DEFAULT : [];
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const { required: __, ...whenGiven } = isObject(otherwise) ? otherwise : {};
  return {
    ...rest,
    properties: Object.fromEntries(fields.filter(([name]) => !without.includes(name))),
    // Of a provider that is null, the id is needed.
    else: { ...whenGiven, dependentRequired: { [PROVIDER_KEY]: ["provider_id"] } },
  };
}

/** Removes metadata that JSON Schema has no keyword for, and states formats as patterns or lists. */
function adapt(def: z.core.$ZodTypeDef, schema: Record<string, unknown>): void {
  for (const key of ["flag", "needed", "unordered", "id"]) delete schema[key];
  if (schema.pattern === "\\S") schema.pattern = NOT_BLANK;
  if (def.type !== "string" || !("format" in def)) return;
  delete schema.format;
  Object.assign(schema, FORMATS[def.format as StringFormat]());
}

const FORMATS: Readonly<Record<StringFormat, () => JsonSchema>> = {
  uuid: () => UUID_SCHEMA,
  url: () => URL_SCHEMA,
  amount: () => AMOUNT_SCHEMA,
  currency: () => ({ enum: splitCodes(CURRENCY_CODES) }),
  // The languages by name, so that editors can offer them, and any of them with any country.
  language: () => {
    const languages = splitCodes(LANGUAGE_CODES);
    const countries = splitCodes(COUNTRY_CODES);
    return { anyOf: [{ enum: languages }, pairSchema(languages, countries)] };
  },
};
