/** `catalog schema`: prints the JSON Schema of a course file or defaults file, for editors, or of an output. */
import { usageError } from "../base/errors.ts";
import { suggestFrom } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { requireDocumentFormat, showDocument } from "../command-support/show.ts";
import { courseFileSchema, type FileSchema } from "../course/json-schema.ts";
import { SHAPE_NAMES, shapeSchema } from "../output/shapes.ts";

/** The files besides complete course files. */
const FILES = ["partial", "defaults"] as const satisfies readonly FileSchema[];
const NAMES = [...FILES, ...SHAPE_NAMES];

type SchemaName = (typeof NAMES)[number];

/** Sends no request. */
export const schema = command({
  description:
    "Prints the JSON Schema (2020-12) of a course file. Editors use it for completion, " +
    "documentation and validation as you type. In the schema partial nothing is required: it fits partial " +
    "updates, and files that take values from catalog.defaults.yaml; that file has the schema defaults. The other " +
    "names are those of what commands print with --json; docs/json.md has an example of each.",
  arguments: [
    {
      name: "name",
      choices: NAMES,
      description: `the schema of other files: ${joinList(FILES)}; of an output: ${joinList(SHAPE_NAMES)}`,
    },
  ],
  examples: [
    { description: "Save it next to the courses", line: "catalog schema > course.schema.json" },
    {
      description: "Refer to it in the first line of a YAML file, for editors",
      line: "# yaml-language-server: $schema=course.schema.json",
    },
    {
      description: "The schema of files next to a catalog.defaults.yaml",
      line: "catalog schema partial > partial.schema.json",
    },
    { description: "The schema of what push --json prints", line: "catalog schema results" },
  ],
  exits: [],
  parse: parseName,
  run: printSchema,
});

/** The name of a schema; undefined for a course file. */
function parseName({ arguments: [name] }: ParsedArguments): SchemaName | undefined {
  if (name === undefined) return undefined;
  const known = NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  const list = `The schemas are ${joinList(NAMES, "and")}; without a name, that of a course file is printed.`;
  throw usageError(`unknown schema ${JSON.stringify(name)}`, suggestFrom(name, NAMES, list));
}

async function printSchema(name: SchemaName | undefined, context: Context): Promise<void> {
  requireDocumentFormat("schema", context.options);
  const shape = SHAPE_NAMES.find((each) => each === name);
  const file = FILES.find((each) => each === name);
  await showDocument(shape === undefined ? courseFileSchema(file) : shapeSchema(shape), context);
}
