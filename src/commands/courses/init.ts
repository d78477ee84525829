/** `catalog courses init`: writes a commented starter course file (cli.md sections 1 and 11). */
import { extname, resolve } from "node:path";
import { requireAbsent, writeFileAtomically } from "../../base/atomic-write.ts";
import { asCatalogError, usageError } from "../../base/errors.ts";

import { escapeText } from "../../base/text.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { STANDARD_INPUT } from "../../command-support/ids.ts";
import { progressOf } from "../../command-support/work.ts";
import type { Provider } from "../../course/provider.ts";
import { starterJson, starterYaml } from "../../course/starter.ts";

interface Request {
  /** Where to write; standard output where it is left out. */
  readonly file?: string;
  readonly json: boolean;
}

type Needs = Pick<
  Context,
  "io" | "folder" | "options" | "messages" | "environment" | "settings" | "client"
>;

/** GET providers, when a key is set up. */
export const init = command({
  description:
    "Writes a course file to start from: every required field filled in, every optional one as a " +
    "comment. With a key it names your provider. A file that is there is never overwritten.",
  arguments: [
    {
      name: "file",
      completes: "course-file",
      description: "file to write, ending in .yaml, .yml or .json (default: standard output)",
    },
  ],
  examples: [
    { says: "Start a course", line: "catalog courses init intro.yaml" },
    { says: "Look at the starter", line: "catalog courses init" },
  ],
  exits: [1],
  parse: parseRequest,
  run: writeStarter,
});

function parseRequest({ arguments: [file] }: ParsedArguments): Request {
  if (file === undefined || file === STANDARD_INPUT) return { json: false };
  const extension = extname(file).toLowerCase();
  if (extension === ".json") return { file, json: true };
  if (extension === ".yaml" || extension === ".yml") return { file, json: false };
  throw usageError(
    `${file} would not be found as a course file`,
    "Course files end in .yaml, .yml or .json.",
  );
}

async function writeStarter({ file, json }: Request, context: Needs): Promise<void> {
  const { io, folder, messages, options } = context;
  const { format, fields } = options;
  if (format !== undefined && !["json", "yaml"].includes(format)) {
    throw usageError(`init knows no --output ${format}`, "A course file is YAML or JSON.");
  }
  if (fields !== undefined) throw usageError("init has no --fields");
  if (file !== undefined && format !== undefined) {
    throw usageError("the file's name says whether it is YAML or JSON: leave --output out");
  }
  if (file !== undefined) await requireAbsent(file, resolve(folder, file));
  const providers = await readProviders(context);
  const text = json || format === "json" ? starterJson(providers) : starterYaml(providers);
  if (file === undefined) {
    // What the service says of a provider stands in it.
    await io.out.write(io.out.isTerminal ? escapeText(text) : text);
    return;
  }
  await writeFileAtomically(resolve(folder, file), text, { name: file, mode: "new" });
  await messages.info(`Wrote ${file}. Check it with "catalog courses check ${file}".`);
}

/** The user's providers, the published ones first; none without a key, or without an answer. */
async function readProviders(context: Needs): Promise<Provider[]> {
  const { apiKey, baseUrl } = await context.settings();
  if (apiKey === undefined || baseUrl === undefined) return [];
  const progress = await progressOf("asking for your providers", context, false);
  try {
    const providers = await (await context.client()).providers();
    return providers.sort((one, other) => Number(other.published) - Number(one.published));
  } catch (thrown) {
    const error = asCatalogError(thrown);
    if (error.kind === "usage" || error.kind === "interrupted") throw error;
    progress.stop();
    const { hint } = error.facts;
    const why = hint === undefined ? error.message : `${error.message} (${hint})`;
    await context.messages.warn(`the file names an example provider: ${why}`);
    return [];
  } finally {
    progress.stop();
  }
}
