/** Writes imported courses: new files, edits of existing ones, and courses added to a list. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../base/async.ts";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import { decode } from "../../../files/bytes.ts";
import { requireFreePath } from "../../../files/file-names.ts";
import type { FileFormat } from "../../../files/formats.ts";
import { MAX_FILE_SIZE, MAX_YAML_SIZE } from "../../../files/limits.ts";
import type { LoadedFile } from "../../../files/load.ts";
import { courseText } from "../../../files/write.ts";
import { editExisting } from "../existing-files.ts";
import type { ImportFormat } from "./options.ts";
import type { ImportItem } from "./plan-imports.ts";
import { appendCourses, fileText } from "./texts.ts";

/** Where courses are written. */
export interface Destination {
  /** As messages name it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly format: ImportFormat;
  /** Whether it is one file with all courses, not a folder. */
  readonly isFile: boolean;
  readonly dryRun: boolean;
}

type Outcome = Pick<Result, "action"> & Partial<Result>;

/** Writes each file once. */
export class ImportWriter {
  readonly #items: readonly ImportItem[];
  readonly #destination: Destination;
  readonly #context: Pick<Context, "folder" | "signal">;
  /** What was done to each file; undefined if it worked. */
  readonly #files = new Map<LoadedFile | string, Promise<CatalogError | undefined>>();

  /** @param items all of them, because the courses of one file are written together */
  constructor(
    items: readonly ImportItem[],
    destination: Destination,
    context: Pick<Context, "folder" | "signal">,
  ) {
    this.#items = items;
    this.#destination = destination;
    this.#context = context;
  }

  /** Writes the file of a course. Never throws. */
  async write({ match, wanted, newFile, course, name }: ImportItem): Promise<Outcome> {
    const { dryRun, path, format } = this.#destination;
    const action = match === undefined ? "create" : "update";
    if (match !== undefined && wanted === undefined) return { action: "unchanged" };
    if (this.#context.signal.aborted) return { action, status: "skipped" };
    if (dryRun) return { action, status: "planned" };
    const error = await this.#once(match?.file ?? newFile ?? name, async () => {
      if (match !== undefined) await this.#edit(match.file);
      else if (newFile === undefined) await this.#addToFile();
      else {
        requireFreePath(name, path, newFile);
        await writeFileAtomically(join(path, newFile), courseText(course, format as FileFormat), {
          name,
        });
      }
    });
    return error === undefined ? { action } : { action, status: "failed", error };
  }

  #once(key: LoadedFile | string, run: () => Promise<void>): Promise<CatalogError | undefined> {
    const running =
      this.#files.get(key) ??
      yieldToEventLoop()
        .then(run)
        .then(
          () => undefined,
          (thrown: unknown) => asCatalogError(thrown),
        );
    this.#files.set(key, running);
    return running;
  }

  async #edit(file: LoadedFile): Promise<void> {
    const edited = this.#items.flatMap(({ match, wanted }) =>
      match?.file === file && wanted !== undefined ? [[match.index, wanted] as const] : [],
    );
    await editExisting(file, new Map(edited), this.#context, {
      what: "the imported courses",
      advice: "Edit the file yourself, or remove it and import again.",
      adviceIfChanged: "Import again to compare the file as it is now.",
    });
  }

  /** Adds all new courses to the only file, after its existing courses have been edited. */
  async #addToFile(): Promise<void> {
    const { name, path, format } = this.#destination;
    const edited = this.#items.find(({ match, wanted }) => match !== undefined && wanted);
    if (edited?.match !== undefined) {
      const { file } = edited.match;
      const error = await this.#once(file, async () => await this.#edit(file));
      if (error !== undefined) throw error;
    }
    const courses = this.#items.flatMap(({ match, course }) => (match ? [] : [course]));
    const text = readText(path);
    const written =
      text === undefined || text.trim() === ""
        ? fileText(courses, format)
        : await appendCourses(text, courses, format);
    if (written === undefined) {
      const reason = format === "csv" ? "it has no column for a field" : "of the way it is written";
      throw new CatalogError("output", `cannot add courses to ${name}: ${reason}`, {
        file: name,
        advice: "Write them to another file or folder with --out.",
      });
    }
    requireReadable(written, this.#destination);
    await writeFileAtomically(path, written, { name });
  }
}

/** @throws CatalogError of kind `output` if the text is larger than files that commands read */
function requireReadable(text: string, { name, format }: Destination): void {
  const isYaml = format === "yaml";
  const most = isYaml ? MAX_YAML_SIZE : MAX_FILE_SIZE;
  if ((isYaml ? text.length : Buffer.byteLength(text)) <= most) return;
  const limit = `${most / 1024 / 1024} MiB, the limit for a ${isYaml ? "YAML " : ""}file`;
  throw new CatalogError("output", `${name} would be larger than ${limit}`, {
    file: name,
    advice: `Write to a folder${isYaml ? " or to a JSON file" : ""} with --out.`,
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
