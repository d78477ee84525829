/** Finds the sources of the courses of paths, and reads them: files, standard input, and what cannot be read. */
import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { DEFAULTS_FILE, type FoundFile, findFiles, type UnreadEntry } from "./find.ts";
import { readCourseFile, readCourseStream, type SourceFile } from "./read.ts";

/** Where the courses of paths are. */
export interface SourceOptions {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** Files that a folder does not include, such as reports of an earlier run. */
  readonly except?: readonly string[];
}

/** A file, standard input, an entry that is left out, or why there is no file. */
export type Source = FoundFile | UnreadEntry | typeof STANDARD_INPUT | CatalogError;

export async function findSources(
  paths: readonly string[],
  { folder, except = [] }: SourceOptions,
): Promise<Source[]> {
  const seen = new Set<string>();
  const leftOut = new Set(except.map((path) => resolve(folder, path)));
  const sources: Source[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      sources.push(path);
      continue;
    }
    try {
      const { failures, files, unread } = await findFiles(path, folder, seen, leftOut);
      // A shell's pattern may match it.
      const isDefaults = (file: FoundFile): boolean => basename(file.path) === DEFAULTS_FILE;
      for (const source of [...failures, ...unread]) sources.push(source);
      for (const source of files) if (!isDefaults(source)) sources.push(source);
    } catch (error) {
      sources.push(asCatalogError(error));
    }
  }
  if (sources.length === 0 && paths.length > 0) sources.push(onlyDefaults());
  return sources;
}

function onlyDefaults(): CatalogError {
  return new CatalogError("usage", `${DEFAULTS_FILE} is not a course file`, {
    file: DEFAULTS_FILE,
    rule: "no-course",
    advice: "It is checked together with the course files of its folder: pass the folder.",
  });
}

/** Whether a source is a file that can be read again. */
export function isFile(source: Source): source is FoundFile {
  return source !== STANDARD_INPUT && !(source instanceof CatalogError) && !("reason" in source);
}

/** Reads a source. @returns the entry or the error instead, if it cannot be read */
export async function readSource(
  source: Source,
  { input }: SourceOptions,
): Promise<SourceFile | UnreadEntry | CatalogError> {
  if (source instanceof CatalogError) return source;
  if (source !== STANDARD_INPUT && "reason" in source) return source;
  try {
    return source === STANDARD_INPUT
      ? await readCourseStream(input.stream)
      : await readCourseFile(source);
  } catch (error) {
    return asCatalogError(error);
  }
}

/** Reads a file again; undefined if it has disappeared. */
export type Reread = () => Promise<SourceFile | undefined>;

/** Reads the file of a source again. */
// At the top level, as the next one, so that this closure does not keep the file's content in memory.
export function rereadFile(file: FoundFile): Reread {
  return async () => await readCourseFile(file).catch(() => undefined);
}

/** Returns what cannot be read twice. */
export function returnFile(file: SourceFile): Reread {
  return async () => file;
}
