/** Writes imported courses: new files, edits of existing ones, and courses added to a list. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../base/async.ts";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { CatalogError } from "../../../base/errors.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import { decode } from "../../../files/bytes.ts";
import { requireFreePath } from "../../../files/file-names.ts";
import type { FileFormat } from "../../../files/formats.ts";
import { MAX_FILE_SIZE } from "../../../files/limits.ts";
import type { LoadedFile } from "../../../files/load.ts";
import { courseText } from "../../../files/write.ts";
import { editExisting } from "../existing-files.ts";
import type { ImportFormat } from "./options.ts";
import type { ImportItem } from "./plan-imports.ts";
import { appendCourses, fileText } from "./texts.ts";

/** Where courses are written. */
interface Destination {
  /** As messages name it. */
  readonly name: string;
  /** Absolute: a folder, or the only file. */
  readonly path: string;
  readonly format: ImportFormat;
  readonly dryRun: boolean;
}

/**
 * Returns a function that writes the file of a course.
 *
 * @param items all of them, because the courses of one file are written together, once
 */
export function createImportWriter(
  items: readonly ImportItem[],
  destination: Destination,
  context: Pick<Context, "folder">,
): (item: ImportItem) => Promise<Partial<Result>> {
  const { path, format, dryRun } = destination;
  const running = new Map<LoadedFile | string, Promise<void>>();
  const once = (file: LoadedFile | string, write: () => Promise<void>): Promise<void> => {
    const writing = running.get(file) ?? write();
    running.set(file, writing);
    return writing;
  };
  const edit = (file: LoadedFile): Promise<void> =>
    once(file, () => editCourses(file, items, context));
  return async ({ match, wanted, newFile, course, name }) => {
    if (match !== undefined && wanted === undefined) return { action: "unchanged" };
    if (dryRun) return { status: "planned" };
    // Writing is synchronous; signals and the progress line need a turn.
    await yieldToEventLoop();
    if (match !== undefined) await edit(match.file);
    else if (newFile !== undefined) {
      requireFreePath(name, path, newFile);
      const text = courseText(course, format as FileFormat);
      await writeFileAtomically(join(path, newFile), text, { name });
    } else {
      await once(path, async () => {
        const edited = items.find((item) => item.wanted !== undefined)?.match;
        if (edited !== undefined) await edit(edited.file);
        await addToFile(items, destination);
      });
    }
    return {};
  };
}

async function editCourses(
  file: LoadedFile,
  items: readonly ImportItem[],
  context: Pick<Context, "folder">,
): Promise<void> {
  const edited = items.flatMap(({ match, wanted }) =>
    match?.file === file && wanted !== undefined ? [[match.source.index, wanted] as const] : [],
  );
  await editExisting(file, new Map(edited), context, {
    what: "the imported courses",
    advice: "Edit the file yourself, or remove it and import again.",
    adviceIfChanged: "Import again to compare the file as it is now.",
  });
}

/** Adds all new courses to the only file. */
async function addToFile(items: readonly ImportItem[], destination: Destination): Promise<void> {
  const { name, path, format } = destination;
  const courses = items.flatMap(({ match, course }) => (match ? [] : [course]));
  const text = readText(path);
  const written =
    text === undefined || text.trim() === ""
      ? fileText(courses, format)
      : await appendCourses(text, courses, format);
  if (written === undefined) {
    const reason =
      format === "csv"
        ? "it has no column for a value, or a value does not fit into its cell"
        : "it contains no list that can be extended";
    throw new CatalogError("output", `cannot add courses to ${name}: ${reason}`, {
      file: name,
      advice: "Write them to another file or folder with --out.",
    });
  }
  requireReadable(written, destination);
  await writeFileAtomically(path, written, { name });
}

/** @throws CatalogError of kind `output` if the text is larger than files that commands read */
function requireReadable(text: string, { name }: Destination): void {
  if (Buffer.byteLength(text) <= MAX_FILE_SIZE) return;
  const limit = `${MAX_FILE_SIZE / 1024 / 1024} MiB, the limit for a file`;
  throw new CatalogError("output", `${name} would be larger than ${limit}`, {
    file: name,
    advice: "Write to a folder with --out.",
  });
}

/** The text of a file with its byte order mark; undefined if there is no file. */
function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    const { text, problem } = decode(bytes);
    return problem === undefined ? text : undefined;
  } catch {
    return undefined;
  }
}
