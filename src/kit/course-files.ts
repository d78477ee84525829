/** Course files as commands use them: found, read, checked, with their mistakes told. */
import { asCatalogError, type CatalogError, usageError } from "../base/errors.ts";
import { findFiles } from "../files/find.ts";
import { readCourseFile, readCourseStream, type SourceFile } from "../files/read.ts";
import type { Context } from "./context.ts";
import { STANDARD_INPUT } from "./ids.ts";
import type { Words } from "./words.ts";

/** What the paths held, and what could not be read. */
export interface ReadFiles {
  readonly files: readonly SourceFile[];
  readonly failures: readonly CatalogError[];
}

/** Reads every course file of the paths; `-` is standard input. */
export async function readCourseFiles(
  paths: readonly string[],
  context: Pick<Context, "io" | "folder">,
): Promise<ReadFiles> {
  const files: SourceFile[] = [];
  const failures: CatalogError[] = [];
  const seen = new Set<string>();
  const attempt = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      failures.push(asCatalogError(error));
    }
  };
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      await attempt(async () => void files.push(await readCourseStream(context.io.in.stream)));
      continue;
    }
    await attempt(async () => {
      for (const file of await findFiles(path, context.folder, seen)) {
        await attempt(async () => void files.push(await readCourseFile(file)));
      }
    });
  }
  return { files, failures };
}

/** The paths among the words. @throws CatalogError of kind `usage` when `-` stands there twice */
export function parsePaths(words: Words): readonly string[] {
  if (words.arguments.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw usageError(
      "- stands for standard input, which can be read once",
      "Name it once, beside files and folders.",
    );
  }
  return words.arguments;
}
