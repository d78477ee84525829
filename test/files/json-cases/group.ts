/** The type of a group of cases of the JSON suite. */

/** The value of a text, `refuse` if it is not JSON, or `either` if a reader may accept or refuse it. */
export type Outcome = readonly [value: unknown] | "refuse" | "either";

/** Texts that test one rule of the standard, with the expected result of each. */
export interface JsonGroup {
  /** The rule as a sentence. */
  readonly title: string;
  /** The section of RFC 8259. */
  readonly section: string;
  readonly cases: Readonly<Record<string, Outcome>>;
}
