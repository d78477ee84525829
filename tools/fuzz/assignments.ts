/** Properties of `--set`, `--unset`, `--fields`, and of the paths that they name. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CatalogError } from "../../src/base/errors.ts";
import { formatPath, type Path, parsePath, valueAt } from "../../src/base/values.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  assign,
  collectAssignments,
} from "../../src/command-support/assignments.ts";
import { checkFields, courseFieldTrees } from "../../src/command-support/fields-flag.ts";
import { FIELD_NAMES, PROVIDER_KEY } from "../../src/course/field-names.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import type { Shape } from "../../src/course/shape.ts";
import { columnsNamed } from "../../src/output/cells.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyCourse, anyOf, unusualCourse } from "./random-courses.ts";
import { anyText, anyValue } from "./random-strings.ts";

/** A path into a shape, and the shape at its end. */
interface Way {
  readonly path: Path;
  readonly shape: Shape;
}

function waysInto({ path, shape }: Way): readonly Way[] {
  const here = { path, shape };
  if (shape.kind === "object") {
    const inner = shape.keys.map((key) => ({ path: [...path, key.name], shape: key.shape }));
    return [here, ...inner.flatMap(waysInto)];
  }
  if (shape.kind !== "list" && shape.kind !== "paragraphs") return [here];
  const { of } = shape;
  return [here, ...[0, 1, 2].flatMap((index) => waysInto({ path: [...path, index], shape: of }))];
}

const TREES = await courseFieldTrees(["prices[0]"]);

/** Every path that leads to a value of a course. */
const WAYS = WRITABLE_FIELDS.flatMap(({ name, shape }) => waysInto({ path: [name], shape }));

const written = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WAYS).map(({ path }) => formatPath(path)) },
  fc
    .array(
      fc.constantFrom("name", "prices", "[0]", "[1]", ".currency", ".", "[", "]", "__proto__", "x"),
    )
    .map((parts) => parts.join("")),
  anyText,
);

const setting = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(...WAYS)
      .chain(({ path, shape }) =>
        anyOf(shape).map((value) => `${formatPath(path)}=${JSON.stringify(value)}`),
      ),
  },
  fc
    .tuple(
      written,
      fc.oneof(
        anyText,
        anyValue.map((value) => JSON.stringify(value)),
      ),
    )
    .map(([path, value]) => `${path}=${value}`),
  anyText,
);

/** The result of the flags; undefined if the flags are rejected. */
function refusable<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    assert.equal(error.kind, "usage", error.message);
    return undefined;
  }
}

function parsed(
  set: readonly string[],
  unset: readonly string[],
): readonly Assignment[] | undefined {
  const parse = (name: string, texts: readonly string[]) =>
    texts.map((text) => ASSIGNMENT_FLAGS.find((flag) => flag.name === name)?.parse?.(text, name));
  return refusable(() =>
    collectAssignments({ set: parse("set", set), unset: parse("unset", unset) }),
  );
}

/** Fields with the same meaning: setting one removes the other. */
const PROVIDER_FIELDS = [PROVIDER_KEY, "provider_id"];

function isProvider({ path }: Assignment): boolean {
  return PROVIDER_FIELDS.includes(String(path[0]));
}

/** Sets a value and removes it again. */
function checkBackAndForth(course: Record<string, unknown>, assignment: Assignment): void {
  const set = refusable(() => assign(course, [assignment], "absent"));
  if (set === undefined) return;
  const { path, value } = assignment;
  assert.deepEqual(valueAt(set, path), value);
  const holder = valueAt(course, path.slice(0, -1));
  const before = valueAt(course, path);
  if (isProvider(assignment) || typeof holder !== "object" || holder === null) return;
  const after = assign(set, [{ ...assignment, value: before }], "absent");
  assert.deepEqual(after, course);
}

const step = fc.oneof(fc.stringMatching(/^[A-Za-z_][\w-]{0,9}$/), fc.nat({ max: 999_999 }));

/** The longest key that a path shows completely, in characters. */
const LONGEST_KEY = 80;

/** The properties of flags that set fields. */
export const ASSIGNMENT_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "set",
    says: "a value that is set is at its path, and removing it restores the course",
    arbitrary: fc.tuple(setting, fc.oneof(anyCourse, unusualCourse)),
    check: ([text, course]) => {
      const before = structuredClone(course);
      const [assignment] = parsed([text], []) ?? [];
      if (assignment !== undefined) checkBackAndForth(course, assignment);
      assert.deepEqual(course, before, "the course itself was changed");
    },
  }),
  property({
    name: "set-many",
    says: "any number of --set and --unset is applied, or is a usage error",
    arbitrary: fc.tuple(
      fc.array(setting, { maxLength: 3 }),
      fc.array(written, { maxLength: 3 }),
      unusualCourse,
      fc.constantFrom("null" as const, "absent" as const),
    ),
    check: ([set, unset, course, left]) => {
      const before = structuredClone(course);
      const assignments = parsed(set, unset);
      if (assignments !== undefined) refusable(() => assign(course, assignments, left));
      assert.deepEqual(course, before, "the course itself was changed");
    },
  }),
  property({
    name: "paths",
    says: "a path that is formatted parses as the same path",
    arbitrary: fc
      .tuple(fc.stringMatching(/^[A-Za-z_][\w-]{0,9}$/), fc.array(step))
      .map(([first, rest]): Path => [first, ...rest]),
    check: (path) => {
      // A message shows only the beginning of a very long key.
      if (path.length === 0 || path.some((key) => String(key).length > LONGEST_KEY)) return;
      assert.deepEqual(parsePath(formatPath(path)), path);
    },
  }),
  property({
    name: "fields",
    says: "--fields selects values of any course, or is a usage error",
    arbitrary: fc.tuple(written, unusualCourse),
    check: ([field, course]) => {
      const refused = refusable(() => {
        checkFields([field], FIELD_NAMES, TREES);
        return false;
      });
      const [column] = columnsNamed([field]);
      const value = column?.read(course);
      if (refused === undefined) return;
      const path = parsePath(field);
      assert(path !== undefined, "a field that is no path was taken");
      assert.deepEqual(value, valueAt(course, path));
    },
  }),
];
