/** The topics of the help, by name; their texts are loaded when one is asked for. */

/** A topic that `catalog help <name>` explains. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
}

/** Every topic. */
export const TOPICS = [
  { name: "exit-codes", summary: "what the exit codes mean" },
  { name: "environment", summary: "the variables that count" },
  { name: "config", summary: "where settings come from, profiles, the saved key" },
  { name: "files", summary: "what a course file is, and which files of a folder count" },
] as const satisfies readonly Topic[];

/** The name of a topic. */
export type TopicName = (typeof TOPICS)[number]["name"];
