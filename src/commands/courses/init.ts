/** `catalog courses init`: writes a template of a course file, which `course/starter.ts` makes. */

import { destinationIn, requireWritable } from "../../base/atomic-write.ts";
import { usageError } from "../../base/errors.ts";
import { formatByName } from "../../base/files.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { quoteShell } from "../../base/text.ts";
import { DRY_RUN_FLAG, type Typed } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { writeOutput } from "../../cli/work.ts";
import { starterYaml } from "../../course/starter.ts";

const FLAGS = [DRY_RUN_FLAG] as const;

/** Sends no request. */
export const init = command({
  description:
    "The file is a template: each required field has a placeholder or a default, and each optional field is a " +
    "comment. Placeholders are errors for check and push, so you cannot publish them. init never overwrites a file.",
  arguments: [
    {
      name: "file",
      description: "file to write, ending in .yaml or .yml (default: standard output)",
    },
  ],
  flags: FLAGS,
  examples: {
    "Start a new course": "catalog courses init intro.yaml",
    "Print the template": "catalog courses init",
  },
  parse: parseOptions,
  run: writeTemplate,
});

/** Reads the name of the file to write, which is undefined for standard output. */
function parseOptions({ words: [file], dryRun }: Typed<typeof FLAGS>) {
  if (file === undefined || file === STANDARD_INPUT) return { file: undefined, dryRun };
  if (formatByName(file) === "yaml") return { file, dryRun };
  throw usageError(
    `the name of the template must end in .yaml or .yml, not ${JSON.stringify(file)}`,
    "For example: catalog courses init intro.yaml",
  );
}

async function writeTemplate({ file, dryRun }: ReturnType<typeof parseOptions>, context: Context) {
  const { io, messages } = context;
  const text = starterYaml();
  if (file === undefined) return await io.out.write(text, "data");
  if (requireWritable(destinationIn(context.folder, file)) !== undefined) {
    throw usageError(`${file} already exists`, "Choose another name, or remove the file.");
  }
  if (dryRun) return await messages.info(`Would write ${file}.`);
  await writeOutput(file, text, context);
  const next = `Fill in the placeholders, then run: catalog courses check ${quoteShell(file)}`;
  await messages.info(`Wrote ${file}. ${next}`);
}
