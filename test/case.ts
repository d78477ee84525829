/** The type of the case tables, and functions that create cases. */
import { course } from "./rig.ts";

/** A course and the rule that it violates. */
export interface Case {
  readonly title: string;
  readonly course: Readonly<Record<string, unknown>>;
  /** The violated rule and the path; undefined for a valid course. */
  readonly breaks?: { readonly rule: string; readonly path: readonly (string | number)[] };
}

/** A course that violates no rule. */
export function validCase(title: string, changes: Readonly<Record<string, unknown>>): Case {
  return { title, course: course(changes) };
}

/** A course that violates one rule at one path. */
export function invalidCase(
  title: string,
  changes: Readonly<Record<string, unknown>>,
  rule: string,
  ...path: (string | number)[]
): Case {
  return { title, course: course(changes), breaks: { rule, path } };
}

/** A course without a required field. */
export function missingCase(field: string): Case {
  return {
    title: `${field} missing`,
    course: without(course(), field),
    breaks: { rule: "required", path: [field] },
  };
}

/** An object without one of its keys. */
export function without(
  object: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
