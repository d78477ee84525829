/** Course files as commands use them: found, read, checked, with their mistakes told. */
import { resolve } from "node:path";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { yieldToEventLoop } from "../base/turn.ts";
import { type FoundFile, findFiles } from "../files/find.ts";
import { knownFile, readCourseFile, readCourseStream, type SourceFile } from "../files/read.ts";
import type { FileSummary } from "../files/summary.ts";
import type { ParsedArguments } from "./arguments.ts";
import { CheckCrew } from "./check-crew.ts";
import type { Context } from "./context.ts";
import { STANDARD_INPUT } from "./ids.ts";

/** A file that was read, and the way to read it once more. */
export interface ReadFile {
  readonly file: SourceFile;
  readonly again: () => SourceFile | undefined;
}

/** Signals and progress get their turn after this many files. */
const FILES_A_TURN = 16;

/** What a path stands for: a file, standard input, or the error that says why it is neither. */
export type FoundCourses = FoundFile | typeof STANDARD_INPUT | CatalogError;

/**
 * Finds every course file of the paths, in their order.
 *
 * @param except files that are no course files though a folder holds them, such as reports
 */
export async function findCourseFiles(
  paths: readonly string[],
  { folder }: Pick<Context, "folder">,
  except: readonly string[],
): Promise<readonly FoundCourses[]> {
  const seen = new Set<string>();
  const leftOut = new Set(except.map((path) => resolve(folder, path)));
  const all: FoundCourses[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      all.push(path);
      continue;
    }
    const found = await attempt(() => findFiles(path, folder, seen, leftOut));
    if (found instanceof CatalogError) all.push(found);
    else for (const entry of [...found.failures, ...found.files]) all.push(entry);
  }
  return all;
}

/** Reads what a path stands for. */
export async function readFound(
  found: FoundCourses,
  { io }: Pick<Context, "io">,
): Promise<ReadFile | CatalogError> {
  if (found instanceof CatalogError) return found;
  if (found !== STANDARD_INPUT) return readFile(found);
  return await attempt(async () => {
    const file = await readCourseStream(io.in.stream);
    return { file, again: () => file };
  });
}

function readFile(entry: FoundFile): ReadFile | CatalogError {
  try {
    return { file: readCourseFile(entry), again: () => readAgain(entry) };
  } catch (error) {
    return asCatalogError(error);
  }
}

/** The file as it is now; undefined where it has gone meanwhile. */
export function readAgain(entry: FoundFile): SourceFile | undefined {
  try {
    return readCourseFile(entry);
  } catch {
    return undefined;
  }
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | CatalogError> {
  try {
    return await work();
  } catch (error) {
    return asCatalogError(error);
  }
}

/** What the paths held, and what could not be read. */
export interface ReadFiles {
  readonly files: readonly SourceFile[];
  /** What the check of a file came to, where another thread has read it. */
  readonly summaries: ReadonlyMap<SourceFile, FileSummary>;
  readonly failures: readonly CatalogError[];
}

/**
 * Reads every course file of the paths and keeps them; `-` is standard input.
 *
 * @param except as in `findCourseFiles`
 */
export async function readCourseFiles(
  paths: readonly string[],
  context: Pick<Context, "io" | "folder" | "helpers">,
  except: readonly string[] = [],
): Promise<ReadFiles> {
  const files: SourceFile[] = [];
  const summaries = new Map<SourceFile, FileSummary>();
  const failures: CatalogError[] = [];
  const all = await findCourseFiles(paths, context, except);
  const crew = await CheckCrew.start(all.filter(isFile), { keepsValues: true }, context.helpers);
  let number = 0;
  try {
    for (const [index, found] of all.entries()) {
      const summary = isFile(found) ? await crew?.summary(number++) : undefined;
      if (isFile(found) && summary?.values !== undefined) {
        const file = knownFile(found.name, summary.values, () => readAgain(found));
        files.push(file);
        summaries.set(file, summary);
        continue;
      }
      if (index % FILES_A_TURN === 0) await yieldToEventLoop();
      const read = await readFound(found, context);
      if (read instanceof CatalogError) failures.push(read);
      else files.push(read.file);
    }
  } finally {
    crew?.end();
  }
  return { files, summaries, failures };
}

/** Whether what was found is a file, which any thread can read. */
export function isFile(found: FoundCourses): found is FoundFile {
  return found !== STANDARD_INPUT && !(found instanceof CatalogError);
}

/** The paths among the words. @throws CatalogError of kind `usage` when `-` stands there twice */
export function parsePaths(words: ParsedArguments): readonly string[] {
  if (words.arguments.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw usageError(
      "- stands for standard input, which can be read once",
      "Name it once, beside files and folders.",
    );
  }
  // As from a variable that is not set: the current folder is not what was meant.
  if (words.arguments.includes("")) {
    throw usageError(
      "a path is empty",
      "Name a file or a folder; the current one is called . (a dot).",
    );
  }
  return words.arguments;
}
