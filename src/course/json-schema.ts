/** The JSON Schemas of course files and defaults files, for editors: `catalog schema`. */
import * as z from "zod/mini";
import { isObject } from "../base/values.ts";
import { PROVIDER_KEY, WITHOUT_DEFAULT } from "./field-names.ts";
import { ifMatches, type JsonSchema } from "./rules.ts";
import { COURSE_SCHEMA, KEYWORDS } from "./schema.ts";

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
  const { $schema, $defs, ...list } = z.toJSONSchema(z.array(COURSE_SCHEMA), {
    io: "input",
    metadata: KEYWORDS,
    unrepresentable: "any",
    // The names of definitions.
    override: ({ jsonSchema }) => void delete jsonSchema.id,
  });
  return {
    $schema,
    $id: `urn:course-catalog-cli:${file}-file`,
    ...FILES[file],
    $comment:
      "Rules that a schema cannot state, and that `catalog courses check` reports: syntax and encoding, " +
      "duplicate fields, an id or a url that two courses have, URLs that are not well-formed, the scale and " +
      "the range of a rating, the decimals of a currency, and everything that depends on your providers. " +
      "If you generate code, the type of one course is at #/$defs/course.",
    ...(file === "defaults"
      ? { $ref: COURSE_REF }
      : ifMatches({ type: "array" }, { ...list, minItems: 1 }, { $ref: COURSE_REF })),
    $defs: file === "course" ? $defs : { ...$defs, course: withoutRequired($defs?.course, file) },
  };
}

const COURSE_REF = "#/$defs/course";

/** The schema of a course without required fields; for defaults, only with the fields that can have one. */
function withoutRequired(course: JsonSchema = {}, file: FileSchema): JsonSchema {
  const { required: _, properties, else: otherwise, ...rest } = course;
  const without = file === "defaults" ? WITHOUT_DEFAULT : [];
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const { required: __, ...whenGiven } = isObject(otherwise) ? otherwise : {};
  return {
    ...rest,
    properties: Object.fromEntries(fields.filter(([name]) => !without.includes(name))),
    // A provider of null is no provider, so the id is needed.
    else: { ...whenGiven, dependentRequired: { [PROVIDER_KEY]: ["provider_id"] } },
  };
}
