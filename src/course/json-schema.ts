/** The JSON Schema of a course file, for editors: `catalog schema`. */
import * as z from "zod/mini";
import { splitCodes } from "./codes.ts";
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

/**
 * A JSON Schema (2020-12) of the content of a course file: a course to be created, or a list of them.
 * It uses no `format` and no keyword of a single tool, so that every validator accepts it.
 */
export function courseFileSchema(): JsonSchema {
  const { $schema, $defs, ...course } = z.toJSONSchema(z.array(COURSE.schema()), {
    io: "input",
    metadata: METADATA,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => adapt(zodSchema._zod.def, jsonSchema),
  });
  return {
    $schema,
    $id: "urn:course-catalog-cli:course-file",
    title: "Course file",
    description: "A course, or a list of courses.",
    $comment:
      "Rules that a schema cannot state, and that `catalog courses check` reports: syntax and encoding, " +
      "duplicate keys, an id or a url given by two courses, URLs that are not well-formed, the order " +
      "of a scale's min and max and a value between them, and everything that depends on your providers. " +
      "The type of one course, for a generator of code, is at #/$defs/course.",
    ...when({ type: "array" }, { ...course, minItems: 1 }, { $ref: "#/$defs/course" }),
    $defs,
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
