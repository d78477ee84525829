/** `catalog schema`: prints the JSON Schema of a course file or of a defaults file. */
import { joinList, requireChoice } from "../base/text.ts";
import { command } from "../cli/command.ts";
import { courseFileSchema, type FileSchema } from "../course/json-schema.ts";

/** The schemas besides the schema of a complete course file, which has no name. */
const NAMES = ["partial", "defaults"] as const satisfies readonly FileSchema[];

/** Sends no request. */
export const schema = command({
  description:
    "With it, an editor completes, explains and checks the fields of a course file as you type. " +
    '"catalog schema partial" prints the schema of files for update and of files next to a catalog.defaults.yaml, ' +
    'and "catalog schema defaults" that of catalog.defaults.yaml itself. All are JSON Schema 2020-12.',
  arguments: [
    {
      name: "name",
      choices: NAMES,
      description: `${joinList(NAMES)} (default: the schema of a course file)`,
    },
  ],
  examples: {
    "Print the schema of a course file": "catalog schema",
    "Save the schema for your editor": "catalog schema > course.schema.json",
    "Name the schema in the first line of a YAML file, so that editors find it":
      "# yaml-language-server: $schema=course.schema.json",
    "Save the schema of files next to a catalog.defaults.yaml":
      "catalog schema partial > partial.schema.json",
  },
  parse: ({ words: [name] }) => {
    if (name === undefined) return undefined;
    return requireChoice(name, NAMES, "the schema", "For a course file, omit the name.");
  },
  run: async (name, { io }) =>
    await io.out.write(`${JSON.stringify(courseFileSchema(name), null, 2)}\n`, "data"),
});
