/** `catalog courses pull`: writes the remote courses as course files. */
import { realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { yieldToEventLoop } from "../../base/async.ts";
import { writeFileAtomically } from "../../base/atomic-write.ts";
import {
  asCatalogError,
  CatalogError,
  systemCode,
  systemReason,
  usageError,
} from "../../base/errors.ts";
import { makeFolders } from "../../base/folders.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import { alternatives, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { getChoice, isSet } from "../../command-support/flag-values.ts";
import { checkResultOptions, RESULT_COLUMNS, type Result } from "../../command-support/results.ts";
import { progressOf } from "../../command-support/work.ts";
import type { Course } from "../../course/request-body.ts";
import { compareWithDisk } from "../../files/compare-with-disk.ts";
import { chooseFileNames } from "../../files/file-names.ts";
import { FILE_FORMATS, type FileFormat } from "../../files/parsed.ts";
import { courseText } from "../../files/write.ts";
import { readRemoteCourses } from "../../sync/remote.ts";
import { runBatch } from "./batch.ts";
import { FILTER_FLAGS, type Filters, parseFilters, resolveFilters } from "./filters.ts";

interface Options {
  readonly folder: string;
  readonly format: FileFormat;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly filters: Filters;
}

const FORMAT_FLAG = {
  name: "format",
  value: alternatives(FILE_FORMATS),
  choices: FILE_FORMATS,
  description: "YAML (default) or JSON",
} as const satisfies Flag;

/** Sends GETs of all pages of courses, and of the providers if one is named other than by UUID. */
export const pull = command({
  description:
    "Writes one file per course, named after its slug, with all writable fields. Identical files are " +
    "left alone; files that differ are kept unless you pass --force.",
  arguments: [
    {
      name: "dir",
      completes: "folder",
      description: "folder to write to (default: the current one); created if missing",
    },
  ],
  flags: [
    ...FILTER_FLAGS,
    FORMAT_FLAG,
    { name: "force", description: "overwrite files that differ" },
    { name: "dry-run", description: "read and compare, write nothing" },
  ],
  columns: RESULT_COLUMNS,
  examples: [
    { description: "Write every course to a file", line: "catalog courses pull courses/" },
    {
      description: "One provider's courses, overwriting local changes",
      line: "catalog courses pull --provider academy.example --force courses/",
    },
    { description: "Show what would be written", line: "catalog courses pull --dry-run courses/" },
  ],
  exits: SERVICE_EXITS,
  parse: parseOptions,
  run: pullCourses,
});

function parseOptions(typed: ParsedArguments): Options {
  const [folder = "."] = typed.arguments;
  // An empty variable must not fill the current folder, nor a habit create a folder called "-".
  if (folder.trim() === "" || folder === "-") {
    throw usageError(`${JSON.stringify(folder)} is not the name of a folder`);
  }
  return {
    folder,
    format: getChoice(typed, FORMAT_FLAG) ?? "yaml",
    force: isSet(typed, "force"),
    dryRun: isSet(typed, "dry-run"),
    filters: parseFilters(typed),
  };
}

async function pullCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const path = resolve(context.folder, options.folder);
  await requireFolder(options.folder, path);
  const courses = await readCourses(options.filters, context);
  const folder = options.dryRun
    ? await realpath(path).catch(() => path)
    : await createFolder(options.folder, path);
  await writeFiles(courses, folder, options, context);
}

async function requireFolder(name: string, path: string): Promise<void> {
  const entry = await stat(path).catch(systemCode);
  if (entry === "ENOTDIR" || (typeof entry === "object" && !entry.isDirectory())) {
    throw usageError(`${name} is not a folder`, "Pass a folder; it is created if missing.");
  }
}

/** Creates the folder if needed. @returns its real path @throws CatalogError of kind `output` */
async function createFolder(name: string, path: string): Promise<string> {
  try {
    makeFolders(path);
    return await realpath(path);
  } catch (cause) {
    throw new CatalogError("output", `cannot write to ${name}: ${systemReason(cause)}`, { cause });
  }
}

async function readCourses(filters: Filters, context: Context): Promise<Course[]> {
  const client = await context.client();
  const filter = await resolveFilters(filters, context);
  const progress = await progressOf("Reading courses", context, false);
  try {
    return await readRemoteCourses(client, filter, (count) => {
      progress.update(`Reading courses: ${formatNumber(count)}`);
    });
  } finally {
    progress.stop();
  }
}

/** A course with the name of its file in the folder, and in messages. */
type CourseFile = { readonly course: Course; readonly file: string; readonly name: string };

type Counts = Record<"written" | "unchanged" | "kept" | "failed" | "skipped", number>;

async function writeFiles(
  courses: readonly Course[],
  folder: string,
  options: Options,
  context: Context,
): Promise<void> {
  const counts: Counts = { written: 0, unchanged: 0, kept: 0, failed: 0, skipped: 0 };
  // Files in progress are finished after Ctrl-C, so that none is left incomplete.
  const release = context.deferShutdown();
  try {
    await runBatch(
      {
        items: nameFiles(courses, options),
        doing: "Writing",
        describe: ({ course, name }) => ({ id: course.id, course, file: name, action: "create" }),
        run: async (file) => {
          // Writing is synchronous; signals and the progress line need a turn.
          await yieldToEventLoop();
          const { outcome, ...result } = await writeOne(file, folder, options, context);
          counts[outcome]++;
          return result;
        },
      },
      context,
    );
    const summary = courses.length === 0 ? "No courses." : summarize(counts, options);
    await context.messages.info(summary, { counts });
  } finally {
    release();
  }
}

/** Names the files, and sorts them by name: the service does not guarantee an order. */
function nameFiles(courses: readonly Course[], { folder, format }: Options): CourseFile[] {
  const names = chooseFileNames(courses, format);
  const files = courses.flatMap((course): CourseFile[] => {
    const file = names.get(course.id);
    return file === undefined ? [] : [{ course, file, name: join(folder, file) }];
  });
  return files.sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function writeOne(
  { course, file, name }: CourseFile,
  folder: string,
  { format, force, dryRun }: Options,
  { signal }: Context,
): Promise<Partial<Result> & { readonly outcome: keyof Counts }> {
  if (signal.aborted) return { outcome: "skipped", status: "skipped" };
  let action: Result["action"] = "create";
  try {
    const text = courseText(course, format);
    const state = compareWithDisk(name, folder, file, text);
    if (state === "same") return { outcome: "unchanged", action: "unchanged" };
    if (state === "different") action = "update";
    if (state === "different" && !force) {
      const message = `${name} differs from the course in the catalog and was left unchanged`;
      const error = new CatalogError("output", message, { file: name });
      return { outcome: "kept", action, status: "failed", error };
    }
    if (dryRun) return { outcome: "written", action, status: "planned" };
    await writeFileAtomically(join(folder, file), text, { name });
    return { outcome: "written", action };
  } catch (thrown) {
    return { outcome: "failed", action, status: "failed", error: asCatalogError(thrown) };
  }
}

function summarize(counts: Counts, { dryRun }: Options): string {
  const { written, unchanged, kept, failed, skipped } = counts;
  const others = [
    [unchanged, "unchanged"],
    [kept, "kept"],
    [failed, "failed"],
    [skipped, "not tried"],
  ] as const;
  const parts = [
    `${dryRun ? "Would write" : "Wrote"} ${pluralize(written, "file")}`,
    ...others.filter(([n]) => n > 0).map(([n, word]) => `${formatNumber(n)} ${word}`),
  ];
  return `${parts.join(", ")}.${kept > 0 ? " Use --force to overwrite files that differ." : ""}`;
}
