/** What a property is: something that must hold of every value there is, as data. */
import type fc from "fast-check";
import type { Runner } from "./runner.ts";

/** A property of the program. `Value` is what is made up for each case. */
export interface Property<Value> {
  /** A word or two, by which `--only` names it. */
  readonly name: string;
  /** What must hold. */
  readonly says: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** Throws, or rejects, where it does not hold. */
  readonly check: (value: Value, runner: Runner) => Promise<void> | void;
}

/** A property whose values are its own affair. */
export type AnyProperty = Property<unknown>;

/** Declares a property; the type of its values is inferred from the arbitrary. */
export function property<Value>(definition: Property<Value>): AnyProperty {
  // `check` only ever gets what the arbitrary of the same object made.
  return definition as AnyProperty;
}
