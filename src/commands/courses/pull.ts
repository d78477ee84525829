/** `catalog courses pull`: writes the service's courses as course files (cli.md sections 8 and 11). */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../../base/atomic-write.ts";
import { asCatalogError, CatalogError, systemCode, usageError } from "../../base/errors.ts";
import { makeFolders } from "../../base/folders.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import { yieldToEventLoop } from "../../base/turn.ts";
import { alternatives, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import {
  checkResultOptions,
  RESULT_COLUMNS,
  type Result,
  type Results,
} from "../../command-support/results.ts";
import { choiceFlag, isSet } from "../../command-support/values.ts";
import { progressOf } from "../../command-support/work.ts";
import type { Course } from "../../course/wire.ts";
import { fileNames } from "../../files/name.ts";
import { standingAt } from "../../files/target.ts";
import { courseText, FILE_FORMATS, type FileFormat } from "../../files/write.ts";
import { readAll } from "../../sync/remote.ts";
import { type EachNeeds, each } from "./each.ts";
import { FILTER_FLAGS, type Filters, parseFilters, resolveFilters } from "./filters.ts";

interface Request {
  readonly folder: string;
  readonly format: FileFormat;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly filters: Filters;
}

type Needs = EachNeeds & Pick<Context, "client" | "folder" | "deferShutdown">;

const FORMAT_FLAG = {
  name: "format",
  value: alternatives(FILE_FORMATS),
  choices: FILE_FORMATS,
  description: "YAML (default) or JSON",
} as const satisfies Flag;

/** GET courses, all pages; GET providers where one is named by another word than its UUID. */
export const pull = command({
  description:
    "Writes one file a course, named by its slug, with every field that can be set. Files that are " +
    "the same already are not touched; one that differs is kept, unless --force is given.",
  arguments: [
    {
      name: "dir",
      completes: "folder",
      description: "folder to write to (default: this one); made if it is not there",
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
    { says: "Every course as a file", line: "catalog courses pull courses/" },
    {
      says: "One provider's, whatever the files say now",
      line: "catalog courses pull --provider academy.example --force courses/",
    },
    { says: "What would be written", line: "catalog courses pull --dry-run courses/" },
  ],
  exits: SERVICE_EXITS,
  parse: parseRequest,
  run: pullCourses,
});

function parseRequest(words: ParsedArguments): Request {
  const [folder = "."] = words.arguments;
  // A variable that is empty must not fill the current folder, nor a habit a folder called -.
  if (folder.trim() === "" || folder === "-") {
    throw usageError(`pull writes files, and ${JSON.stringify(folder)} names no folder`);
  }
  return {
    folder,
    format: choiceFlag(words, FORMAT_FLAG) ?? "yaml",
    force: isSet(words, "force"),
    dryRun: isSet(words, "dry-run"),
    filters: parseFilters(words),
  };
}

async function pullCourses(request: Request, context: Needs): Promise<void> {
  checkResultOptions(context);
  const path = resolve(context.folder, request.folder);
  await requireFolder(request.folder, path);
  const courses = await readCourses(request.filters, context);
  const folder = request.dryRun
    ? await realpath(path).catch(() => path)
    : await makeFolder(request.folder, path);
  await writeFiles(courses, folder, request, context);
}

/** Tells early of what no folder can be made of. @throws CatalogError of kind `usage` */
async function requireFolder(name: string, path: string): Promise<void> {
  const entry = await stat(path).catch((cause: unknown) => systemCode(cause));
  if (entry === "ENOTDIR" || (typeof entry === "object" && !entry.isDirectory())) {
    throw usageError(`${name} is no folder`, "Name a folder; it is made if it is not there.");
  }
}

/** Makes the folder if need be. @returns its path, free of links @throws CatalogError of kind `output` */
async function makeFolder(name: string, path: string): Promise<string> {
  try {
    makeFolders(path);
    await access(path, constants.W_OK);
    return await realpath(path);
  } catch (cause) {
    const reason = systemCode(cause) ?? String(cause);
    throw new CatalogError("output", `could not write to ${name}: ${reason}`, { cause });
  }
}

async function readCourses(filters: Filters, context: Needs): Promise<Course[]> {
  const client = await context.client();
  const filter = await resolveFilters(filters, context);
  const progress = await progressOf("Reading courses", context, false);
  try {
    return await readAll(client, filter, (read) => {
      progress.update(`Reading courses: ${formatNumber(read)}`);
    });
  } finally {
    progress.stop();
  }
}

/** A course with the name of its file. */
interface Item {
  readonly course: Course;
  /** In the folder. */
  readonly file: string;
  /** As messages call it. */
  readonly name: string;
}

/** How many files were left as they are: the same already, or kept because they differ. */
interface Left {
  unchanged: number;
  kept: number;
}

/** Files that are looked at before signals and the progress line have their turn. */
const FILES_A_TURN = 16;

async function writeFiles(
  courses: readonly Course[],
  folder: string,
  request: Request,
  context: Needs,
): Promise<void> {
  const left: Left = { unchanged: 0, kept: 0 };
  let begun = 0;
  // A file that has been begun is finished, so that nothing half-written stays behind.
  const release = context.deferShutdown();
  try {
    const results = await each(
      {
        items: itemsOf(courses, request),
        doing: "Writing",
        describe: ({ course, name }) => ({ id: course.id, file: name, action: "create" }),
        work: async (item) => {
          if (++begun % FILES_A_TURN === 0) await yieldToEventLoop();
          if (context.signal.aborted) return { status: "skipped" };
          return await writeOne(item, folder, request, left);
        },
      },
      context,
    );
    const text = courses.length === 0 ? "No courses." : summaryOf(results, left, request);
    await context.messages.info(text);
  } finally {
    release();
  }
}

/** In the order of the names, whatever order the service lists courses in. */
function itemsOf(courses: readonly Course[], { folder, format }: Request): Item[] {
  const names = fileNames(courses, format);
  const items = courses.flatMap((course): Item[] => {
    const file = names.get(course.id);
    return file === undefined ? [] : [{ course, file, name: join(folder, file) }];
  });
  return items.sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function writeOne(
  { course, file, name }: Item,
  folder: string,
  { format, force, dryRun }: Request,
  left: Left,
): Promise<Partial<Result>> {
  const text = courseText(course, format);
  const standing = standingAt(name, folder, file, text);
  if (standing === "same") {
    left.unchanged++;
    return { action: "unchanged" };
  }
  const action = standing === "absent" ? "create" : "update";
  if (standing === "different" && !force) {
    left.kept++;
    return { action, status: "failed", error: kept(name) };
  }
  if (dryRun) return { action, status: "planned" };
  try {
    await writeFileAtomically(join(folder, file), text, { name });
    return { action };
  } catch (thrown) {
    return { action, status: "failed", error: asCatalogError(thrown) };
  }
}

function kept(name: string): CatalogError {
  const message = `${name} differs from the course in the catalog, and was kept`;
  return new CatalogError("output", message, { file: name });
}

function summaryOf(results: Results, { unchanged, kept }: Left, { dryRun }: Request): string {
  const written = dryRun ? results.count("planned") : results.count("done") - unchanged;
  const others: readonly (readonly [number, string])[] = [
    [unchanged, "unchanged"],
    [kept, "kept"],
    [results.count("failed") - kept, "failed"],
    [results.count("skipped"), "not tried"],
  ];
  const parts = [
    `${dryRun ? "Would write" : "Wrote"} ${pluralize(written, "file")}`,
    ...others
      .filter(([amount]) => amount > 0)
      .map(([amount, word]) => `${formatNumber(amount)} ${word}`),
  ];
  return `${parts.join(", ")}.${kept > 0 ? " --force overwrites what differs." : ""}`;
}
