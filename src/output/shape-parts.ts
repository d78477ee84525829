/** The parts that the JSON Schemas of the output are built from. */
import { ERROR_KINDS } from "../base/errors.ts";
import type { JsonSchema } from "../course/rules.ts";

/** A value of a type, with its description. */
const typed =
  (type: string) =>
  (description: string): JsonSchema => ({ type, description });

export const text = typed("string");
export const count = typed("integer");
export const number = typed("number");
export const flag = typed("boolean");

/** A value of unknown type, such as that of a field which the service has added. */
export const anything = (description: string): JsonSchema => ({ description });

const oneOf = (words: readonly string[], description: string): JsonSchema => ({
  ...{ type: "string", enum: words, description },
});

export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, ...rest } = schema;
  return {
    type: [type, "null"],
    ...(Array.isArray(words) ? { enum: [...words, null] } : {}),
    ...rest,
  };
}

/** An object; a property whose name ends with `?` may be absent. Further properties are allowed. */
export function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const entries = Object.entries(properties);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return {
    ...{ type: "object", description },
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
    ),
    required,
  };
}

export function listOf(items: JsonSchema, description: string): JsonSchema {
  return { type: "array", description, items };
}

/** An object with any keys, whose values have one schema. */
export function mapOf(values: JsonSchema, description: string): JsonSchema {
  return { type: "object", description, additionalProperties: values };
}

/** A path: names of keys and numbers of elements. */
export const PATH = listOf(
  { type: ["string", "integer"] },
  "The keys and indices that lead from the course to the value.",
);

/** Where a course is described, and which one it is. */
const COURSE_KEYS = {
  id: orNull(text("The course's UUID; null if a dry run does not choose one.")),
  name: orNull(text("The course's name; null if it is unknown.")),
  url: orNull(text("The course's page; null if it is unknown.")),
  file: orNull(text("The course file; null if the course is not from a file.")),
  line: orNull(count("The line where the course begins in its file.")),
};

const ACTIONS = ["create", "update", "unchanged", "delete"] as const;
export const ACTION = oneOf(ACTIONS, "What is done with the course.");

export const STATUS = oneOf(
  ["done", "unchanged", "failed", "skipped", "planned", "unknown"],
  "The result: `skipped` was not tried, `planned` is a dry run.",
);

const CHANGE = object("A value that changes.", {
  path: PATH,
  old: anything("The value before the change; null if there is none."),
  new: anything("The value after the change; null if the field is cleared."),
});

export const FAILURE = object("Why something failed.", {
  kind: oneOf(ERROR_KINDS, "The kind of failure, which determines the exit code."),
  message: text("What failed, and why."),
  "hint?": text("The service's hint, as given."),
  "details?": text("The service's details, as given."),
  "status?": count("The HTTP status of the response."),
  "code?": text("The service's code, or that of a failed connection."),
  "file?": text("The file that is the cause."),
  "line?": count("The line in that file; the first is 1."),
  "column?": count("The column in that line, in UTF-16 units; the first is 1."),
  "rule?": text("The rule that is broken; `service` if the service rejected the course."),
  "next?": text("What to do next."),
});

/** Which course a step of a plan is about, and what it does. */
export const PLAN_STEP_KEYS = { ...COURSE_KEYS, action: ACTION };

const UNMANAGED = listOf(text("A field."), "Fields that the catalog has and the file leaves out.");

export const RESULT_KEYS = {
  ...PLAN_STEP_KEYS,
  status: STATUS,
  "error?": FAILURE,
  "unmanaged?": UNMANAGED,
  "fields?": listOf(CHANGE, "With `pull --diff`: how the file would change."),
  "run?": text("The run of a deletion, which `catalog undo` accepts."),
};

export const DIFFERENCE_KEYS = {
  ...PLAN_STEP_KEYS,
  fields: listOf(CHANGE, "The values that differ."),
  status: STATUS,
  "unmanaged?": UNMANAGED,
};

export const DIAGNOSTIC = object("A problem of a course file.", {
  file: text("The file."),
  line: count("The line where the problem begins; the first line of the file is 1."),
  column: count("The column where it begins, in UTF-16 units; the first is 1."),
  endLine: count("The line where it ends."),
  endColumn: count("The column after its last character."),
  severity: oneOf(["error", "warning"], "Whether it must be fixed."),
  rule: text("The rule; `catalog explain <rule>` explains it."),
  message: text("The problem, in one clause."),
  "suggestion?": text("A replacement, as it would be written."),
  path: PATH,
});

/** The service and the account that a run changes. */
export const TARGET = object("The service and the account.", {
  baseUrl: text("The base URL of the service."),
  providers: listOf(text("A name."), "The names of your providers."),
  "profile?": text("The profile that was chosen."),
});

export const PLAN_COUNTS = {
  create: count("How many courses are created."),
  update: count("How many courses are updated."),
  unchanged: count("How many courses are left as they are."),
  delete: count("How many courses are deleted."),
};

export const RUN_KEYS = {
  run: text("The name of the run, for `history show` and `undo`."),
  time: text("When its first write began, in ISO 8601."),
  command: text("The command: `courses push`."),
  baseUrl: text("The base URL of the service."),
  created: count("How many courses it created."),
  updated: count("How many courses it updated."),
  deleted: count("How many courses it deleted."),
  failed: count("How many writes failed."),
  unknown: count("How many writes have no known result: no response, or the run was killed."),
  undone: flag("Whether the run is undone."),
  providers: listOf(text("A UUID."), "The providers of the courses."),
  "user?": text("Who ran the command; missing in records of older versions, as is the next key."),
  "host?": text("The name of the machine."),
  "actor?": text("In CI, the account that started the job."),
  "commit?": text("In CI, the commit of the job."),
  "runUrl?": text("In CI, the page of the job."),
  "target?": text("The service and the account."),
  "note?": text("The text of `--note`."),
  "undoes?": text("The run that this one undoes."),
};

const { line: _line, file, ...COURSE_IDENTITY } = COURSE_KEYS;

/** The keys of a course that a run wrote. */
export const WRITE_KEYS = {
  ...COURSE_IDENTITY,
  "file?": file,
  action: ACTION,
  status: oneOf(["done", "failed", "unchanged", "unknown"], "The result."),
  fields: listOf(CHANGE, "The values that changed."),
};
