/** `catalog schema`: the JSON Schema of a course file, for editors (cli.md section 1). */
import { usageError } from "../base/errors.ts";
import { courseFileSchema } from "../course/json-schema.ts";
import { command } from "../kit/command.ts";
import type { Context } from "../kit/context.ts";

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

type Needs = Pick<Context, "io" | "options">;

async function printSchema(_: undefined, { io, options }: Needs): Promise<void> {
  const { format, fields } = options;
  if (format !== undefined && format !== "json") {
    throw usageError(`schema knows no --output ${format}: a JSON Schema is JSON`);
  }
  if (fields !== undefined) throw usageError("schema has no --fields");
  await io.out.write(`${JSON.stringify(courseFileSchema(), null, 2)}\n`);
}
