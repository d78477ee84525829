/** Course files as commands use them: found, read, checked, with their mistakes told. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { findFiles } from "../files/find.ts";
import { readCourseFile, readCourseStream, type SourceFile } from "../files/read.ts";
import type { Context } from "./context.ts";
import { STANDARD_INPUT } from "./ids.ts";

type Needs = Pick<Context, "io" | "folder" | "messages" | "options">;

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

/** Tells diagnostics on standard error, as JSON lines where JSON is asked for. */
export async function tellDiagnostics(
  diagnostics: readonly Diagnostic[],
  context: Needs,
): Promise<void> {
  for (const { message, rule, suggestion, file, line, column } of diagnostics) {
    const meant = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`;
    await context.messages.fail(
      new CatalogError("file", `${message}${meant}`, { file, line, column, rule }),
    );
  }
}
