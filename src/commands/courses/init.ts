/** `catalog courses init`: writes a commented starter course file. */
import { extname, resolve } from "node:path";
import { requireAbsent, writeFileAtomically } from "../../base/atomic-write.ts";
import { asCatalogError, usageError } from "../../base/errors.ts";
import { requireLinksInside } from "../../base/folders.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import type { PlainObject } from "../../base/values.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { collectAssignments, FIELD_FLAGS } from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { findSchema } from "../../command-support/existing-files.ts";
import { readProviders } from "../../command-support/work.ts";
import type { Provider } from "../../course/provider.ts";
import { placeholderFields, starterJson, starterYaml } from "../../course/starter.ts";
import { FILE_FORMATS } from "../../files/parse.ts";
import { mayConnectUnasked } from "../../settings/connection.ts";

interface Options {
  /** The file to write; standard output if it is left out. */
  readonly file?: string;
  readonly json: boolean;
  /** The values of fields that flags give. */
  readonly values: PlainObject;
}

/** Sends a GET of the providers if a key is set. */
export const init = command({
  description:
    "Writes a starter course file: every required field with a placeholder or a default, every optional one as a comment. check reports the placeholders that remain. " +
    "If an API key is set, your provider is filled in. Existing files are never overwritten.",
  arguments: [
    {
      name: "file",
      completes: "course-file",
      description: "file to write, ending in .yaml, .yml or .json (default: standard output)",
    },
  ],
  flags: FIELD_FLAGS,
  examples: [
    { description: "Start a new course", line: "catalog courses init intro.yaml" },
    {
      description: "Fill in what you know",
      line: 'catalog courses init intro.yaml --name "Knitting" --audio en',
    },
    { description: "Print the starter file", line: "catalog courses init" },
  ],
  exits: [1],
  parse: parseOptions,
  run: writeStarter,
});

function parseOptions(words: ParsedArguments): Options {
  const [file] = words.arguments;
  const values = Object.fromEntries(
    collectAssignments(words.values).map(({ path, value }) => [String(path[0]), value]),
  );
  if (file === undefined || file === STANDARD_INPUT) return { json: false, values };
  const extension = extname(file).toLowerCase();
  if (extension === ".json") return { file, json: true, values };
  if (extension === ".yaml" || extension === ".yml") return { file, json: false, values };
  throw usageError(
    `${JSON.stringify(file)} is not the name of a course file`,
    "Choose a name that ends in .yaml, .yml or .json.",
  );
}

async function writeStarter({ file, json, values }: Options, context: Context): Promise<void> {
  const { io, folder, messages, options } = context;
  const { format, fields } = options;
  const fileFormat = FILE_FORMATS.find((candidate) => candidate === format);
  if (format !== fileFormat) {
    throw usageError(`--output ${format} is not available for init`, "Use yaml or json.");
  }
  if (fields !== undefined) throw usageError("--fields is not available for init");
  if (file !== undefined && format !== undefined) {
    throw usageError(
      "--output cannot be combined with a file name",
      "The file's extension decides whether it is YAML or JSON.",
    );
  }
  if (file !== undefined) {
    requireLinksInside(file, resolve(folder, file), folder);
    await requireAbsent(file, resolve(folder, file));
  }
  const providers = await findProviders(context);
  const schema = await findSchema(resolve(folder, file ?? "course.yaml"), context);
  const isJson = json || fileFormat === "json";
  const text = isJson ? starterJson(providers, values) : starterYaml(providers, values, schema);
  if (file === undefined) {
    await io.out.write(text, "data");
    return;
  }
  await writeFileAtomically(resolve(folder, file), text, {
    name: file,
    mode: "new",
    processes: context.processes,
  });
  const isFilled = placeholderFields(providers, values).length === 0;
  const next = isFilled
    ? `Check it: catalog courses check ${file}`
    : `Replace its placeholders, then run "catalog courses check ${file}".`;
  await messages.info(`Wrote ${file}. ${next}`);
}

/** Reads the user's providers, published ones first; none without a key or if reading fails. */
async function findProviders(context: Context): Promise<Provider[]> {
  const settings = await context.settings();
  const { apiKey, baseUrl, addressFile } = settings;
  if (apiKey === undefined || baseUrl === undefined) return [];
  if (!mayConnectUnasked(settings)) {
    await context.messages.info(
      `The file contains an example provider, because init does not connect to the base URL from ${addressFile}.`,
    );
    return [];
  }
  try {
    const providers = await readProviders(context);
    return providers.toSorted((one, other) => Number(other.published) - Number(one.published));
  } catch (thrown) {
    const error = asCatalogError(thrown);
    if (error.kind === "usage" || error.kind === "interrupted") throw error;
    const { hint } = error.facts;
    const reason = hint === undefined ? error.message : `${error.message} (${hint})`;
    await context.messages.warn(`the file contains an example provider: ${reason}`);
    return [];
  }
}
