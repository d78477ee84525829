/** `catalog schema`: the JSON Schema of a course file, for editors (cli.md section 1). */
import { usageError } from "../base/errors.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { courseFileSchema } from "../course/json-schema.ts";

/** No request. */
export const schema = command({
  description:
    "Prints the JSON Schema (2020-12) of a course file. An editor that knows it completes, " +
    "explains and checks while you type.",
  examples: [
    { says: "Keep it beside the courses", line: "catalog schema > course.schema.json" },
    {
      says: "Name it in the first line of a YAML file, for editors",
      line: "# yaml-language-server: $schema=course.schema.json",
    },
  ],
  exits: [],
  parse: () => undefined,
  run: printSchema,
});

type Needs = Pick<Context, "io" | "options" | "styles">;

async function printSchema(_: undefined, context: Needs): Promise<void> {
  const { format = "json", fields } = context.options;
  if (format !== "json" && format !== "yaml") {
    throw usageError(
      `schema knows no --output ${format}`,
      "A JSON Schema is one document, in JSON or YAML.",
    );
  }
  if (fields !== undefined) throw usageError("schema has no --fields");
  const schema = courseFileSchema();
  if (format === "json") {
    await context.io.out.write(`${JSON.stringify(schema, null, 2)}\n`);
    return;
  }
  const { rendererFor } = await import("../command-support/show.ts");
  const renderer = await rendererFor(
    { kind: "single", columns: [], allColumns: [], single: true },
    context,
  );
  await renderer.rows([schema]);
  await renderer.end();
}
