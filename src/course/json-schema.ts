/** The JSON Schemas of course files and defaults files, for editors: `catalog schema`. */
import * as z from "zod/mini";
import type { PlainObject } from "../base/values.ts";
import { COURSE } from "./schema.ts";
import { FACTS } from "./shape.ts";
import { PROVIDER_KEYS, WITHOUT_DEFAULT } from "./special-fields.ts";

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
export function courseFileSchema(file: FileSchema = "course"): PlainObject {
  const course = { $ref: "#/$defs/course" };
  const list = { type: "array", items: course, minItems: 1 };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:course-catalog-cli:${file}-file`,
    ...FILES[file],
    $comment:
      "Rules that the schema does not state, and that `catalog courses check` reports: syntax and encoding, " +
      "duplicate fields, an id or a url that two courses have, URLs that are not well-formed, fields that depend on " +
      "a type, the scale and the range of a rating, the decimals of a currency, and everything that depends on " +
      "your providers. If you generate code, the type of one course is at #/$defs/course.",
    ...(file === "defaults" ? course : { anyOf: [course, list] }),
    $defs: definitions(file),
  };
}

/** Facts that are for catalog alone, and limits of numbers, which are only those of exact numbers in JavaScript. */
const LEFT_OUT = "id format probably isUnordered isExpected flag replacedBy minimum maximum".split(
  " ",
);

/** The objects of a file. A course is in a partial file without required fields, for defaults only with the fields that can have one. */
function definitions(file: FileSchema): PlainObject {
  const left = file === "defaults" ? WITHOUT_DEFAULT : [];
  const keys = Object.entries(COURSE.shape).filter(([name]) => !left.includes(name));
  const {
    $schema: _,
    $defs,
    required,
    ...course
  } = z.toJSONSchema(z.strictObject(Object.fromEntries(keys)), {
    metadata: FACTS,
    io: "input",
    override: ({ jsonSchema }) => {
      for (const name of LEFT_OUT) delete jsonSchema[name];
    },
  });
  const hasProvider = PROVIDER_KEYS.map((name) => ({
    properties: { [name]: { type: "string" } },
    required: [name],
  }));
  const description = "A course.";
  // The keys of `isPrivateKey`.
  const patternProperties = { "^x-": {} };
  const rules =
    file === "course" ? { required, oneOf: hasProvider } : { not: { allOf: hasProvider } };
  return { ...$defs, course: { description, ...course, patternProperties, ...rules } };
}
