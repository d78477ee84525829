/** The parts of the help that are the same everywhere. */
import type { Example } from "../kit/command.ts";

/** The heading of a command's own flags. */
export const OWN_GROUP = "Flags:";
/** The heading of the flags that every command takes. */
export const GLOBAL_GROUP = "Global flags:";

/** What `catalog --help` shows. */
export const ROOT_EXAMPLES: readonly Example[] = [
  { says: "Try everything without an account", line: "catalog sandbox -- catalog courses ls" },
  { says: "Check course files", line: "catalog courses check courses/" },
  { says: "Create a course and keep its id", line: "id=$(catalog courses create intro.yaml)" },
];

/** The examples as the end of a help text. */
export function exampleText(examples: readonly Example[]): string {
  const lines = examples.flatMap(({ says, line }) => [`  # ${says}`, `  ${line}`, ""]);
  return ["", "Examples:", ...lines].join("\n").trimEnd();
}
