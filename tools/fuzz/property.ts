/** Defines properties: conditions that every value must meet. */
import type fc from "fast-check";
import type { Runner } from "./runner.ts";

/** A property. `Value` is the type of its random cases. */
export interface Property<Value> {
  /** A short name, for `--only`. */
  readonly name: string;
  /** The condition, as a sentence. */
  readonly says: string;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** Throws or rejects if a value does not meet the condition. */
  readonly check: (value: Value, runner: Runner) => Promise<void> | void;
}

/** A property with values of any type. */
export type AnyProperty = Property<unknown>;

/** Declares a property; the type of its values is inferred from the arbitrary. */
export function property<Value>(definition: Property<Value>): AnyProperty {
  // `check` gets only values of the arbitrary in the same object.
  return definition as AnyProperty;
}
