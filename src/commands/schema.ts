/** `catalog schema`: prints the JSON Schema of a course file, for editors, or of an output. */
import { usageError } from "../base/errors.ts";
import { suggestFrom } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { requireDocumentFormat, showDocument } from "../command-support/show.ts";
import { courseFileSchema } from "../course/json-schema.ts";
import { SHAPE_NAMES, type ShapeName, shapeSchema } from "../output/shapes.ts";

/** Sends no request. */
export const schema = command({
  description:
    "Prints the JSON Schema (2020-12) of a course file. Editors use it for completion, " +
    "documentation and validation as you type. With a name, it prints the schema of what commands " +
    "print with --json; docs/json.md has an example of each.",
  arguments: [
    {
      name: "name",
      choices: SHAPE_NAMES,
      description: `the schema of an output: ${joinList(SHAPE_NAMES)}`,
    },
  ],
  examples: [
    { description: "Save it next to the courses", line: "catalog schema > course.schema.json" },
    {
      description: "Refer to it in the first line of a YAML file, for editors",
      line: "# yaml-language-server: $schema=course.schema.json",
    },
    { description: "The schema of what push --json prints", line: "catalog schema results" },
  ],
  exits: [],
  parse: parseName,
  run: printSchema,
});

/** The name of an output; undefined for a course file. */
function parseName({ arguments: [name] }: ParsedArguments): ShapeName | undefined {
  if (name === undefined) return undefined;
  const known = SHAPE_NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  const list = `The schemas are ${joinList(SHAPE_NAMES, "and")}; without a name, that of a course file is printed.`;
  throw usageError(`unknown schema ${JSON.stringify(name)}`, suggestFrom(name, SHAPE_NAMES, list));
}

async function printSchema(name: ShapeName | undefined, context: Context): Promise<void> {
  requireDocumentFormat("schema", context.options);
  await showDocument(name === undefined ? courseFileSchema() : shapeSchema(name), context);
}
