/** `catalog courses pull`: writes the courses in the catalog to files. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createFolder } from "../../base/atomic-write.ts";
import { systemCode, UNRELIABLE_LISTING, usageError } from "../../base/errors.ts";
import { formatByName } from "../../base/files.ts";
import { pluralize } from "../../base/text.ts";
import { DRY_RUN_FLAG, type Flag, MAX_DELETES_FLAG, type Typed } from "../../cli/arguments.ts";
import { readCatalog } from "../../cli/catalog.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { RESULTS } from "../../cli/results.ts";
import { readProviders } from "../../cli/work.ts";
import { confirmFiles, reportFiles, writeFiles } from "../../cli/write-files.ts";
import { readExistingFiles } from "../../core/existing-files.ts";
import { refuseDeletions } from "../../core/plan.ts";
import { Defaults } from "../../files/defaults.ts";
import { FILE_FORMATS } from "../../files/parse.ts";
import { BASE_FLAG, readBase } from "./base.ts";
import { describeGone, ONE_FILE_FORMATS, type Pull, planPull, planRemovals } from "./plan-pull.ts";

const FORMATS = [...FILE_FORMATS, ...ONE_FILE_FORMATS] as const;

const FLAGS = [
  {
    name: "format",
    choices: FORMATS,
    description:
      "write a YAML (default) or JSON file per course, or one file, courses.csv, .ndjson or .xlsx",
  },
  {
    name: "force",
    description: "update files that differ and keep their comments; a workbook is written anew",
  },
  {
    ...BASE_FLAG,
    description:
      "take what changed only in the catalog since these files, and keep what changed in yours",
  },
  { name: "prune", description: "also remove the files of courses that no longer exist" },
  MAX_DELETES_FLAG,
  { name: "yes", short: "y", description: "do not ask before removing or updating files" },
  { name: "no-ids", description: "write new files without ids" },
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Sends GETs of the providers and of all pages of courses. */
export const pull = command({
  description:
    "Writes a file for each course that no file in the folder describes yet. pull recognizes courses by id, " +
    "key or url, so you can name files as you like. It lists files that differ from the catalog and leaves " +
    "them alone; with --force, it updates them and keeps your comments and layout.",
  arguments: [
    {
      name: "folder",
      description: "folder to write to (default: the current folder); created if missing",
    },
  ],
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Write every course to a file": "catalog courses pull courses/",
    "Update files that differ from the catalog": "catalog courses pull --force courses/",
    "Take what others changed in the catalog, and keep your changes":
      "catalog courses pull courses/ --base ../main/courses",
    "Show which files differ; write nothing": "catalog courses pull --dry-run courses/",
  },
  parse: parseOptions,
  run: pullCourses,
});

function parseOptions({ words: [folder = "."], ...flags }: Typed<typeof FLAGS>) {
  const { format = "yaml", prune } = flags;
  const hasFiles = format === "yaml" || format === "json";
  if (prune && !hasFiles) {
    const message = `--prune removes files, so it cannot be combined with --format ${format}`;
    throw usageError(message, "Omit --prune.");
  }
  return { ...flags, folder, format, hasFiles };
}

async function pullCourses(options: Options, context: Context): Promise<void> {
  const { folder, dryRun } = options;
  const path = resolve(context.folder, folder);
  await requireFolder(folder, path);
  const providers = await readProviders(context);
  const index = await readCatalog(context);
  if (!index.isReliable && options.prune) {
    const advice = "No file was removed or written. Try again later, or omit --prune.";
    throw usageError(UNRELIABLE_LISTING, advice);
  }
  if (!index.isReliable) await context.messages.warn(UNRELIABLE_LISTING);
  const base =
    options.base === undefined ? undefined : await readBase(options.base, providers, context);
  const read = options.hasFiles ? folder : join(folder, `courses.${options.format}`);
  const existing = await readExistingFiles(read, providers, context);
  for (const text of existing.damaged) await context.messages.warn(text);
  const defaults = new Defaults(context);
  const found = { index, existing, providers, defaults };
  const pull: Pull = { ...options, ...found, path, base, context };
  const planned = await planPull(pull);
  const gone = options.hasFiles ? planRemovals(pull, planned) : [];
  const removals = options.prune ? gone : [];
  if (removals.length > 0 && [...index.courses].length === 0) {
    const files = pluralize(removals.length, "file");
    throw usageError(
      `the catalog lists no courses, so --prune would remove ${files}; nothing was removed`,
      "Check the base URL and the API key. If they are right, remove the files yourself.",
    );
  }
  const steps = [...planned, ...removals];
  const of = new Set(existing.courses.map(({ file }) => file)).size;
  const what = `the ${pluralize(of, "course file")} in ${folder}`;
  const limit = (await context.settings()).get("maxDeletes").value;
  const refusal = refuseDeletions(removals.length, of, what, limit);
  if (refusal !== undefined) throw refusal;
  await confirmFiles(steps, options, context);
  if (!dryRun) createFolder(folder, path);
  const outcomes = await writeFiles(steps, "Writing", dryRun, context, path);
  const { counts, kept, sentence } = await reportFiles(outcomes, dryRun, context);
  const left = describeGone(pull, planned, gone.length - removals.length);
  for (const text of left) await context.messages.notice(text);
  const advice = kept > 0 ? " To update files that differ, pass --force." : "";
  await context.messages.info(steps.length === 0 ? "No courses." : sentence + advice, { counts });
}

/** Refuses a file, and what is never meant: a folder `courses.xlsx` or `-`, or none because a variable is not set. */
async function requireFolder(name: string, path: string): Promise<void> {
  const entry = await stat(path).catch(systemCode);
  const isFile = entry === "ENOTDIR" || (typeof entry === "object" && !entry.isDirectory());
  const isLikeFile = entry === "ENOENT" && formatByName(name) !== undefined;
  if (name !== "-" && name.trim() !== "" && !isFile && !isLikeFile) return;
  throw usageError(
    `${JSON.stringify(name)} is not a folder; pull writes to a folder`,
    "For example: catalog courses pull courses/ --format xlsx",
  );
}
