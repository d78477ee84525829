/**
 * Checks one course against every rule that needs no service: the schema decides whether there is an issue, `wrong-values.ts`
 * says what is wrong there; then follow the rules about several keys, and those about texts.
 */
import * as z from "zod/mini";
import { formatNumber } from "../base/text.ts";
import { findValues, isList, isObject, memoize, type Path } from "../base/values.ts";
import { COURSE_SHAPE, shapeAt } from "./fields.ts";
import { MAX_FINDINGS, type Mode, type Problem, wholeProblem } from "./problem.ts";
import { checkKeys, checkTogether } from "./rules.ts";
import { COURSE } from "./schema.ts";
import { type ObjectShape, partShape, type Shape } from "./shape.ts";
import { isPrivateKey } from "./special-fields.ts";
import { isSuspectText, textProblems } from "./text-rules.ts";
import { describeValue, isAllNull, problemsOf, unlikelyNumber } from "./wrong-values.ts";

/** The shapes of complete courses, and of those that leave out what does not change. */
const SHAPES: Readonly<Record<Mode, ObjectShape>> = {
  create: COURSE_SHAPE,
  patch: { ...COURSE_SHAPE, schema: z.partial(COURSE) },
};

/** Compiling takes as long as the check of a hundred courses; then, each of them takes a fifth. */
const COMPILED: Readonly<Record<Mode, () => typeof COURSE_SHAPE.schema>> = {
  create: memoize(() => z.compile(SHAPES.create.schema)),
  patch: memoize(() => z.compile(SHAPES.patch.schema)),
};

/**
 * The problems of one course, up to the limits of errors and of warnings: unknown fields, then the fields in the
 * documented order, then the rules that span fields, then the texts. For example, `{ pace: "fast" }` has the problem `pace
 * must be self_paced or instructor_paced, not "fast"`, and one problem for each missing field.
 *
 * @param isOneOfMany whether so many courses are checked that it is faster to compile the schema first
 */
export function checkCourse(
  course: unknown,
  mode: Mode = "create",
  isOneOfMany = false,
): Problem[] {
  if (!isObject(course)) {
    const message = `this is ${typeof course === "string" ? "text" : describeValue(course)}, not a course`;
    const notes = ["Write a course field by field. For example: name: Knitting for Beginners"];
    return [wholeProblem("not-a-course", message, { notes })];
  }
  const findings = new Findings();
  const own = Object.entries(course).filter(([name]) => !isPrivateKey(name));
  const given = own.length < Object.keys(course).length ? Object.fromEntries(own) : course;
  const isValid = z.validate(isOneOfMany ? COMPILED[mode]() : SHAPES[mode].schema, given);
  if (!isValid) findings.addIssues(given, SHAPES[mode], []);
  findings.addRules(given, SHAPES[mode], [], mode);
  for (const text of findValues(course, isSuspectText)) {
    for (const problem of textProblems(text)) findings.add(problem, END);
  }
  return findings.inOrder();
}

/** The problems of a single value, such as the value of `--set`. @param path a path that courses have */
export function checkValue(value: unknown, path: Path): Problem[] {
  const findings = new Findings();
  const shape = shapeAt(path);
  if (shape === undefined) return [];
  if (!z.validate(shape.schema, value)) findings.addIssues(value, shape, path);
  findings.addRules(value, shape, path, "create");
  return findings.inOrder();
}

/** The problems that a changed course has and `before` did not have. */
export function causedProblems(before: unknown, after: unknown, mode: Mode): readonly Problem[] {
  const keyOf = ({ rule, path }: Problem): string => JSON.stringify([rule, path]);
  const known = new Set(checkCourse(before, mode).map(keyOf));
  return checkCourse(after, mode).filter((problem) => !known.has(keyOf(problem)));
}

/** The end of an object in the documented order, where what spans its keys comes. */
const END = [Number.POSITIVE_INFINITY];

/** Collects the problems of a value. */
class Findings {
  readonly #found: { readonly order: readonly number[]; readonly problem: Problem }[] = [];
  readonly #counts = { error: 0, warning: 0 };

  /** @param order by default, that of the path of the problem */
  add(problem: Problem, order = orderOf(problem.path)): void {
    if (this.#counts[problem.severity]++ > MAX_FINDINGS) return;
    this.#found.push({ order, problem });
  }

  /** Adds what the schema finds in a value. */
  addIssues(value: unknown, { schema }: Shape, path: Path): void {
    const { error } = z.safeParse(schema, firstItems(value));
    let last: string | undefined;
    for (const issue of error?.issues ?? []) {
      const place = issue.path.join(".");
      // Of several issues of one value, the others follow from the first.
      const isFirst = place !== last || issue.code === "unrecognized_keys";
      for (const problem of isFirst ? problemsOf(issue, value, path) : []) this.add(problem);
      last = place;
    }
    if (error === undefined) this.add(wholeProblem("too-many", TOO_MANY, { path }));
  }

  /** Adds what the schema does not state. Most values have no such problem, so that nothing is built for them but paths. */
  addRules(value: unknown, shape: Shape, path: Path, mode: Mode): void {
    if (shape.kind === "number") {
      const unlikely = unlikelyNumber(value, shape, path);
      if (unlikely !== undefined) this.add(unlikely);
    } else if (shape.kind === "list" && shape.of.kind === "object" && isList(value)) {
      for (let index = 0; index < value.length; index++) {
        this.addRules(value[index], shape.of, [...path, index], mode);
      }
    } else if (shape.kind === "object" && isObject(value)) {
      for (const { name, shape: inside } of shape.ruled) {
        const part = value[name];
        const hasParts = typeof part === "object" && part !== null && !isAllNull(part, inside);
        if (hasParts || typeof part === "number")
          this.addRules(part, inside, [...path, name], mode);
      }
      for (const problem of checkKeys(value, shape, path, mode)) this.add(problem);
      for (const problem of checkTogether(value, shape.id, path)) {
        this.add(problem, [...orderOf(path), ...END]);
      }
    }
  }

  inOrder(): Problem[] {
    if (this.#found.length === 0) return [];
    const sorted = this.#found.sort((one, other) => compareOrder(one.order, other.order));
    const problems = sorted.map(({ problem }) => problem);
    const cut = problems.filter(isCutAmount).map(({ path }) => path.slice(0, -1));
    return problems.filter((problem) => !cut.some((path) => isConsequence(problem, path)));
  }
}

/** Whether a problem is the rest of an amount: `price: 49,90` in brackets is a price of 49 and a key 90. */
function isCutAmount({ rule, path }: Problem): boolean {
  return rule === "unknown-field" && path.length > 1 && /^\d/.test(String(path.at(-1)));
}

/** Whether a problem follows from the rest of an amount in the object at a path: all but the other unknown fields. */
function isConsequence({ rule, path }: Problem, object: Path): boolean {
  const isInside = object.every((step, index) => step === path[index]);
  return isInside && (rule !== "unknown-field" || path.length > object.length + 1);
}

/** The position in the documented order of each step of a path. */
function orderOf(path: Path): readonly number[] {
  let shape: Shape | undefined = COURSE_SHAPE;
  return path.map((step) => {
    const keys: ObjectShape["keys"] = shape?.kind === "object" ? shape.keys : [];
    shape = partShape(shape, step);
    // Unknown keys come first.
    return typeof step === "number" ? step : keys.findIndex(({ name }) => name === step);
  });
}

function compareOrder(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((step, at) => step !== other[at]);
  return (one[index] ?? -1) - (other[index] ?? -1);
}

/** Items of the lists of one course that are looked at for problems: the issues of millions would fill the memory. */
const ITEMS = 2 * MAX_FINDINGS;

const TOO_MANY = `the lists of this course have an error after their first ${formatNumber(ITEMS)} items; catalog did not check the rest`;

/** The value with the first items of its lists. */
function firstItems(value: unknown, left = { items: ITEMS }): unknown {
  if (isList(value)) {
    const first = value.slice(0, left.items);
    left.items -= first.length;
    return first.map((item) => firstItems(item, left));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, firstItems(part, left)]);
  return Object.fromEntries(entries);
}
