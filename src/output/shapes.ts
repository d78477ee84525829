/** Every JSON shape that a command prints or writes: its JSON Schema, and an example. */
import { FIELDS } from "../course/fields.ts";
import { courseFileSchema } from "../course/json-schema.ts";
import type { JsonSchema } from "../course/rules.ts";
import { SHAPE_EXAMPLES } from "./shape-examples.ts";
import {
  ACTION,
  anything,
  count,
  DIAGNOSTIC,
  DIFFERENCE_KEYS,
  FAILURE,
  flag,
  listOf,
  mapOf,
  number,
  object,
  orNull,
  PATH,
  PLAN_COUNTS,
  PLAN_STEP_KEYS,
  RESULT_KEYS,
  RUN_KEYS,
  TARGET,
  text,
  WRITE_KEYS,
} from "./shape-parts.ts";

export interface Shape {
  readonly title: string;
  /** What prints or writes it, as Markdown. */
  readonly description: string;
  /** The commands that print it to standard output with `--json`. */
  readonly commands: readonly string[];
  readonly schema: () => JsonSchema;
}

/** The shapes by the names that `catalog schema` accepts. */
export const SHAPES = {
  courses: {
    title: "Courses",
    description:
      "Courses exactly as the service returns them: a list, or one object from `get` with one id. " +
      "With `-o ndjson`, each course is an object on its own line. `wait` prints only some of the keys.",
    commands: ["courses ls", "courses get", "courses wait"],
    schema: () => {
      const course = courseSchema();
      return { anyOf: [course, listOf(course, "Several courses.")] };
    },
  },
  providers: {
    title: "Providers",
    description: "Your providers as the service returns them.",
    commands: ["providers ls"],
    schema: () =>
      listOf(
        object("A provider.", {
          id: text("The provider's UUID."),
          "name?": orNull(text("Its name.")),
          "description?": orNull(text("Its description.")),
          "slug?": orNull(text("Its slug.")),
          "url?": orNull(text("Its site.")),
          "domain?": anything("The domain of its site."),
          "published?": orNull(flag("Whether it is published.")),
        }),
        "Your providers.",
      ),
  },
  results: {
    title: "Results",
    description:
      "What a command did with each course, in the order of the input. A course with the action `unchanged` has " +
      "the same status. `sandbox approve` prints this shape, too.",
    commands: [
      ...["courses create", "courses import", "courses update", "courses pull", "courses push"],
      ...["courses publish", "courses unpublish", "courses rm", "undo"],
    ],
    schema: () => listOf(object("The result for one course.", RESULT_KEYS), "One per course."),
  },
  check: {
    title: "Check",
    description:
      "The findings of `check`, also written by `--report json=<file>`. The reports of `diff` and `push` have the " +
      "additional keys `command`, `time`, `seconds` and `results`. Failures count as errors.",
    commands: ["courses check"],
    schema: () =>
      object("The result of a run.", {
        "command?": text("The command, in reports of `diff` and `push`."),
        "target?": TARGET,
        "time?": text("When the run began, in ISO 8601."),
        "seconds?": number("How long it took."),
        files: count("How many files were read."),
        courses: count("How many courses they contain."),
        errors: count("How many errors and failures there are."),
        warnings: count("How many warnings there are."),
        diagnostics: listOf(DIAGNOSTIC, "The findings, by file and position."),
        "failures?": listOf(FAILURE, "Why the run failed, if not because of the files."),
        "results?": listOf(
          object("What was done with one course.", {
            ...RESULT_KEYS,
            action: orNull(ACTION),
            "seconds?": number("How long its requests took."),
          }),
          "One per course, in reports of `diff` and `push`.",
        ),
        "fixes?": listOf(
          object("A fix.", {
            file: text("The file."),
            line: count("The line of the value."),
            column: count("The column of the value."),
            rule: text("The rule that was broken."),
            path: PATH,
            "old?": anything("The value before."),
            "new?": anything("The value after."),
          }),
          "What `--fix` changed, or would change with `--dry-run`.",
        ),
        "plan?": object("What a push would change, in reports of `diff`.", {
          counts: object("How many courses it changes, and leaves unchanged.", PLAN_COUNTS),
          steps: listOf(
            object("A course that changes.", { ...PLAN_STEP_KEYS, fields: DIFFERENCE_KEYS.fields }),
            "The courses that change.",
          ),
        }),
      }),
  },
  diff: {
    title: "Differences",
    description: "The courses that `push` would change, and how.",
    commands: ["courses diff"],
    schema: () =>
      listOf(object("A course that differs.", DIFFERENCE_KEYS), "One per course that differs."),
  },
  plan: {
    title: "Plan",
    description:
      "What `diff --out` and `push --dry-run --out` write, and `push --plan` executes. A step of a creation has no " +
      "`before`; that of a deletion has no `body`, and in `before` the complete course.",
    commands: [],
    schema: () =>
      object("A plan.", {
        formatVersion: { const: 1, description: "The version of this format." },
        toolVersion: text("The version of `catalog` that wrote it."),
        createdAt: text("When it was made, in ISO 8601."),
        baseUrl: text("The base URL of the service."),
        "target?": TARGET,
        "maxDeletes?": count("How many courses it may delete at most."),
        "scope?": object("The courses among which it deletes.", {
          courses: count("How many there are."),
          providers: listOf(text("A name."), "The names of their providers."),
        }),
        counts: object("How many courses it changes, and leaves unchanged.", PLAN_COUNTS),
        steps: listOf(
          object("A request.", {
            ...PLAN_STEP_KEYS,
            "body?": mapOf(anything("The new value of a field."), "The body of the request."),
            "before?": mapOf(
              anything("The value of a field."),
              "The values that the request replaces; it is sent only if they are unchanged.",
            ),
          }),
          "The requests, deletions last.",
        ),
      }),
  },
  history: {
    title: "History",
    description:
      "The recorded runs, newest first; with `history show <run>`, the courses that the run changed.",
    commands: ["history"],
    schema: () => ({
      anyOf: [
        listOf(object("A run.", RUN_KEYS), "The runs."),
        listOf(object("A course that the run changed.", WRITE_KEYS), "The courses of one run."),
      ],
    }),
  },
  status: {
    title: "Status",
    description: "The settings in effect, and whether the key works.",
    commands: ["status"],
    schema: () =>
      object("The settings and the service.", {
        settings: listOf(
          object("A setting.", {
            name: text("Its name; that of a rule is `rules.` and the rule."),
            value: {
              type: ["string", "number", "boolean", "null"],
              description: "Its value; the key is masked.",
            },
            source: orNull(text("Where the value is from: `flag`, `environment`, `default` …")),
            origin: orNull(text("The flag, variable or file.")),
          }),
          "Every setting.",
        ),
        service: object("The result of the test; null is unknown.", {
          reachable: orNull(flag("Whether the service responds.")),
          authenticated: orNull(flag("Whether it accepts the key.")),
          providers: orNull(count("How many providers the key has access to.")),
        }),
      }),
  },
  errors: {
    title: "Messages",
    description:
      "One object per line on standard error, from every command with `--json` or `-o ndjson`: an error, a warning or a " +
      "notice. Notices of a command that changes or compares courses contain its target and counts; the last counts are the results.",
    commands: [],
    schema: () => ({
      anyOf: [
        object("A failure.", { error: FAILURE }),
        object("The warning.", { warning: text("The warning.") }),
        object("The notice.", {
          notice: text("The notice."),
          "counts?": mapOf(count("How many."), "How many courses, by what was done with them."),
          "target?": TARGET,
        }),
      ],
    }),
  },
} satisfies Readonly<Record<string, Shape>>;

export type ShapeName = keyof typeof SHAPES;

export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];

export function shapeSchema(name: ShapeName): JsonSchema {
  const { title, description, schema } = SHAPES[name];
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:course-catalog-cli:${name}`,
    ...{ title, description },
    examples: [SHAPE_EXAMPLES[name]],
    ...schema(),
  };
}

/** A course as the service returns it. Its values are not restricted beyond their types. */
function courseSchema(): JsonSchema {
  const { $defs = {} } = courseFileSchema();
  const { course } = $defs as Record<string, { properties: Record<string, JsonSchema> }>;
  const fields = FIELDS.map(({ name, description }): [string, JsonSchema] => {
    const type = typeOf(course?.properties[name] ?? {});
    const isId = name === "id";
    return [
      isId ? name : `${name}?`,
      { ...(type === undefined ? {} : { type: isId ? type : [type, "null"] }), description },
    ];
  });
  return object("A course.", Object.fromEntries(fields));
}

/** The type of a field besides null. */
function typeOf({ type, anyOf }: JsonSchema): unknown {
  if (Array.isArray(anyOf)) return typeOf(anyOf[0]);
  if (Array.isArray(type)) return type[0];
  return type;
}
