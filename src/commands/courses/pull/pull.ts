/** `catalog courses pull`: writes the remote courses as course files. */
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { systemCode, usageError } from "../../../base/errors.ts";
import { createFolder } from "../../../base/folders.ts";
import { requireLinksInside } from "../../../base/links.ts";
import {
  alternatives,
  type Flag,
  type FlagValues,
  type ParsedArguments,
} from "../../../command-support/arguments.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { listCourses } from "../../../command-support/read-courses.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../../command-support/results.ts";
import { readProviders } from "../../../command-support/work.ts";
import { FILE_FORMATS } from "../../../files/formats.ts";
import { readExistingFiles } from "../existing-files.ts";
import { FILTER_FLAGS, resolveFilters } from "../filters.ts";
import { createFileWriter, planFiles } from "./pull-files.ts";
import { confirmRemoval, findLeftovers } from "./pull-prune.ts";
import { writePulledFiles } from "./write-pulled-files.ts";

const FLAGS = [
  ...FILTER_FLAGS,
  {
    name: "format",
    value: alternatives(FILE_FORMATS),
    choices: FILE_FORMATS,
    description: "YAML (default) or JSON",
  },
  { name: "force", description: "edit files that differ, in place" },
  { name: "diff", description: "show the values that differ" },
  { name: "prune", description: "remove the files of courses that no longer exist" },
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  { name: "no-ids", description: "leave the id out of new files" },
  { name: "dry-run", description: "read and compare, write nothing" },
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly folder: string;
  readonly format: (typeof FILE_FORMATS)[number];
}

/** Sends GETs of the providers and of all pages of courses; with `--prune`, of the missing ones. */
export const pull = command({
  description:
    "Writes a file for each course that no file in the folder describes. Files are recognized by id, key " +
    "or url, whatever their names. Files that differ are listed and left alone; --force edits them " +
    "in place and keeps comments and layout.",
  arguments: [
    {
      name: "dir",
      completes: "folder",
      description: "folder to write to (default: the current one); created if missing",
    },
  ],
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    { description: "Write every course to a file", line: "catalog courses pull courses/" },
    {
      description: "One provider's courses, replacing local changes",
      line: "catalog courses pull --provider academy.example --force courses/",
    },
    {
      description: "Show what differs, and change nothing",
      line: "catalog courses pull --diff --dry-run courses/",
    },
  ],
  exits: SERVICE_EXITS,
  parse: parseOptions,
  run: pullCourses,
});

function parseOptions({
  arguments: [folder = "."],
  values,
}: ParsedArguments<typeof FLAGS>): Options {
  // An empty variable must not fill the current folder, nor a habit create a folder called "-".
  if (folder.trim() === "" || folder === "-") {
    throw usageError(`${JSON.stringify(folder)} is not the name of a folder`);
  }
  return { ...values, folder, format: values.format ?? "yaml" };
}

async function pullCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const path = resolve(context.folder, options.folder);
  requireLinksInside(options.folder, path, context.folder);
  await requireFolder(options.folder, path);
  const filter = await resolveFilters(options, context);
  const providers = await readProviders(context);
  const courses = await listCourses(filter, context, (message) => context.messages.warn(message));
  const existing = await readExistingFiles(options.folder, providers, context);
  const real = await realpath(path).catch(() => path);
  const items = planFiles(courses, existing, { ...options, path: real });
  const leftovers = options.prune ? await findLeftovers(existing, items, context) : [];
  await confirmRemoval(leftovers, options, context);
  const folder = options.dryRun ? real : createFolder(options.folder, path);
  const write = createFileWriter(items, { ...options, path: folder }, providers, context);
  await writePulledFiles([...items, ...leftovers], write, options, context);
}

async function requireFolder(name: string, path: string): Promise<void> {
  const entry = await stat(path).catch(systemCode);
  if (entry === "ENOTDIR" || (typeof entry === "object" && !entry.isDirectory())) {
    throw usageError(`${name} is not a folder`, "Pass a folder; it is created if missing.");
  }
}
