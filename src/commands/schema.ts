/** `catalog schema`: prints the JSON Schema of a course file, for editors. */
import { usageError } from "../base/errors.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { rendererFor, requireDocumentFormat } from "../command-support/show.ts";
import { courseFileSchema } from "../course/json-schema.ts";
import { JSON_FORMAT } from "../output/formats.ts";

/** Sends no request. */
export const schema = command({
  description:
    "JSON Schema 2020-12. Editors use it for completion, documentation and validation as you type.",
  examples: [
    { description: "Save it next to the courses", line: "catalog schema > course.schema.json" },
    {
      description: "Refer to it in the first line of a YAML file, for editors",
      line: "# yaml-language-server: $schema=course.schema.json",
    },
  ],
  exits: [],
  parse: () => undefined,
  run: printSchema,
});

async function printSchema(_: undefined, context: Context): Promise<void> {
  const { format = JSON_FORMAT, fields } = context.options;
  requireDocumentFormat("schema", format, "Use --output json or --output yaml.");
  if (fields !== undefined) throw usageError("--fields is not available for schema");
  const renderer = await rendererFor(
    { kind: "single", columns: [], allColumns: [], single: true, isLocal: true },
    { ...context, options: { ...context.options, format } },
  );
  await renderer.rows([courseFileSchema()]);
  await renderer.end();
}
