/** What a group of cases of the JSON suite looks like. */

/** The value of a text; that it is no JSON; or that a reader may take it or refuse it. */
export type Outcome = readonly [value: unknown] | "refuse" | "either";

/** Texts that one rule of the standard decides, with what it says of each. */
export interface JsonGroup {
  /** What the rule says. */
  readonly title: string;
  /** Where in RFC 8259 it stands. */
  readonly section: string;
  readonly cases: Readonly<Record<string, Outcome>>;
}
