/** What a group of cases of the YAML suite looks like. */

/** The data of each document of a text, or that the text is no YAML. */
export type Outcome = readonly unknown[] | "error";

/** Texts that one rule of the standard decides, with what it makes of each. */
export interface YamlGroup {
  /** What the rule says. */
  readonly title: string;
  /** Where in YAML 1.2.2 it stands. */
  readonly section: string;
  readonly cases: Readonly<Record<string, Outcome>>;
}
