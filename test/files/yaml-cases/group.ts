/** The type of a group of cases of the YAML suite. */

/** The data of each document of a text, or `refuse` if it is not YAML. */
export type Outcome = readonly unknown[] | "error";

/** Texts that test one rule of the standard, with the expected result of each. */
export interface YamlGroup {
  /** The rule as a sentence. */
  readonly title: string;
  /** The section of YAML 1.2.2. */
  readonly section: string;
  readonly cases: Readonly<Record<string, Outcome>>;
}
