/** Random rows with any JSON value in any field. */
import fc from "fast-check";
import { FIELDS } from "../../src/course/fields.ts";
import { anyCharacter } from "../any-character.ts";
import { id, numberedCourse } from "../commands/helpers.ts";
import { HOSTILE_TEXT, PROVIDER } from "./service.ts";

/** A row of a response. */
export type Row = Record<string, unknown>;

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    HOSTILE_TEXT,
    "",
    " ",
    "\n",
    "a\nb",
    "a\0b",
    "\ud800",
    "e\u0301",
    "#",
    "~",
    "null",
    "1.0",
  ),
  fc.constantFrom("../../x", "/etc/x", "CON", "x".repeat(300), "https://x.example/\u202e", "---"),
);

/** Keys that are dangerous in JavaScript objects. */
const key = fc.oneof(
  text,
  fc.constantFrom("__proto__", "constructor", "toString", "valueOf", "toJSON", "length", "then"),
);

const { any } = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 5e-324, 2 ** 60),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("any")), { maxLength: 3 }).map((entries) => withAll({}, entries)),
  ),
}));

/** Sets own properties, even `__proto__`. */
function withAll(row: Row, entries: readonly (readonly [string, unknown])[]): Row {
  const changed = { ...row };
  for (const [name, value] of entries) {
    const shape = { enumerable: true, configurable: true, writable: true };
    Object.defineProperty(changed, name, { ...shape, value });
  }
  return changed;
}

const changes = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, key), any), {
    maxLength: 5,
  });

const COURSE_FIELDS = FIELDS.map(({ name }) => name).filter((name) => name !== "id");
const PROVIDER_FIELDS = Object.keys(PROVIDER);

const courseId = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  text,
  fc.constantFrom(id(1).toUpperCase(), id(2), "6F0F8A34-4f3b-4C58-9d7e-0d0c3c1f5b21"),
);

/** Pages of courses; the first course usually has the first id. */
export const courses: fc.Arbitrary<Row[]> = fc
  .array(fc.tuple(courseId, changes(COURSE_FIELDS)), { maxLength: 4 })
  .map((rows) =>
    rows.map(([unusualId, entries], index) => ({
      ...withAll(numberedCourse(index + 1), entries),
      id: unusualId ?? id(index + 1),
    })),
  );

/** Lists of providers. */
export const providers: fc.Arbitrary<Row[]> = fc
  .array(changes(PROVIDER_FIELDS), { minLength: 1, maxLength: 3 })
  .map((rows) => rows.map((entries) => withAll(PROVIDER, entries)));
