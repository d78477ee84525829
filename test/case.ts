/** How the tables of cases are written. */
import { course } from "./rig.ts";

/** A course, and the rule that it breaks. */
export interface Case {
  readonly says: string;
  readonly course: Readonly<Record<string, unknown>>;
  /** The rule that it breaks, with the path; none for a right one. */
  readonly breaks?: { readonly rule: string; readonly path: readonly (string | number)[] };
}

/** A course that breaks no rule. */
export function right(says: string, changes: Readonly<Record<string, unknown>>): Case {
  return { says, course: course(changes) };
}

/** A course that breaks one rule in one place. */
export function wrong(
  says: string,
  changes: Readonly<Record<string, unknown>>,
  rule: string,
  ...path: (string | number)[]
): Case {
  return { says, course: course(changes), breaks: { rule, path } };
}

/** A course without a field that it must have. */
export function missing(field: string): Case {
  return {
    says: `${field} missing`,
    course: without(course(), field),
    breaks: { rule: "required", path: [field] },
  };
}

/** An object without one of its keys. */
export function without(
  mapping: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== key));
}
