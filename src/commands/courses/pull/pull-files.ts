/** Brings course files up to date: writes new ones, compares and edits those that exist. */
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { yieldToEventLoop } from "../../../base/async.ts";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import { joinList } from "../../../base/text.ts";
import { isUuid } from "../../../base/uuid.ts";
import { formatPath, isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import type { Change } from "../../../course/difference.ts";
import { findProvider, type Provider } from "../../../course/provider.ts";
import type { Course } from "../../../course/request-body.ts";
import { fileChanges, withChanges } from "../../../files/course-changes.ts";
import { Defaults } from "../../../files/defaults.ts";
import { CHANGED } from "../../../files/edit.ts";
import { editFile } from "../../../files/edit-file.ts";
import {
  chooseFileNames,
  listCourseFileNames,
  requireFreePath,
} from "../../../files/file-names.ts";
import type { FileFormat } from "../../../files/formats.ts";
import type { LoadedFile } from "../../../files/load.ts";
import { courseText } from "../../../files/write.ts";
import {
  type ExistingFiles,
  type FileCourse,
  matchCourses,
  writtenValue,
} from "../existing-files.ts";

export interface PullOptions {
  readonly folder: string;
  readonly format: FileFormat;
  readonly force: boolean;
  readonly noIds: boolean;
  readonly dryRun: boolean;
}

/** A course of the catalog with its file. */
export interface PullItem {
  readonly course: Course;
  /** The name of its file in messages. */
  readonly name: string;
  /** Where it is described, and what differs there. */
  readonly match?: FileCourse;
  readonly changes: readonly Change[];
  /** The name of its new file in the folder. */
  readonly newFile?: string;
  /** A file that mentions the course and cannot be read. */
  readonly damaged?: string;
}

/** Finds the file of each course, or chooses a new one; in the order of the files. */
export function planFiles(
  courses: readonly Course[],
  existing: ExistingFiles,
  { folder, format, path }: Pick<PullOptions, "folder" | "format"> & { readonly path: string },
): PullItem[] {
  const matches = matchCourses(courses, existing.courses);
  const damaged = new Map(courses.map(({ id, url }) => [id, mentions(existing, [id, url])]));
  const unmatched = courses.filter(({ id }) => !matches.has(id) && damaged.get(id) === undefined);
  const names = chooseFileNames(unmatched, format, listCourseFileNames(path));
  const items = courses.flatMap((course): PullItem[] => {
    const found = matches.get(course.id);
    if (found !== undefined) {
      return found.map((match) => {
        const changes = fileChanges(match.described, course);
        return { course, name: match.file.name, match, changes };
      });
    }
    const file = damaged.get(course.id);
    if (file !== undefined) return [{ course, name: file, damaged: file, changes: [] }];
    const newFile = names.get(course.id);
    if (newFile === undefined) return [];
    return [{ course, name: join(folder, newFile), newFile, changes: [] }];
  });
  const indexOf = ({ match }: PullItem): number => match?.index ?? 0;
  return items.sort(
    (one, other) => compareNames(one.name, other.name) || indexOf(one) - indexOf(other),
  );
}

function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The damaged file that contains one of these strings. */
function mentions({ damaged }: ExistingFiles, texts: readonly unknown[]): string | undefined {
  for (const [name, content] of damaged) {
    if (texts.some((text) => typeof text === "string" && text !== "" && content.includes(text)))
      return name;
  }
  return undefined;
}

/** What became of a course, for the summary. */
export type Outcome = "written" | "updated" | "unchanged" | "kept" | "failed" | "skipped";

export type PullResult = Partial<Result> & { readonly outcome: Outcome };

/** Writes and edits the files of items, each file once. */
export class FileWriter {
  readonly #options: PullOptions & { readonly path: string };
  readonly #providers: readonly Provider[];
  readonly #context: Pick<Context, "folder" | "signal">;
  readonly #items: ReadonlyMap<LoadedFile, readonly PullItem[]>;
  readonly #edits = new Map<LoadedFile, Promise<CatalogError | undefined>>();
  readonly #defaults: Defaults;

  /** @param items of all courses, because courses of one file are edited together */
  constructor(
    items: readonly PullItem[],
    options: PullOptions & { readonly path: string },
    providers: readonly Provider[],
    context: Pick<Context, "folder" | "signal">,
  ) {
    this.#options = options;
    this.#providers = providers;
    this.#context = context;
    this.#defaults = new Defaults(context.folder);
    const byFile = new Map<LoadedFile, PullItem[]>();
    for (const item of items) {
      if (item.match === undefined || item.changes.length === 0) continue;
      byFile.set(item.match.file, [...(byFile.get(item.match.file) ?? []), item]);
    }
    this.#items = byFile;
  }

  /** Writes or edits the file of an item. Never throws. */
  async write(item: PullItem): Promise<PullResult> {
    // Writing is synchronous; signals and the progress line need a turn.
    await yieldToEventLoop();
    if (this.#context.signal.aborted) return { outcome: "skipped", status: "skipped" };
    const { match, changes, damaged, name } = item;
    if (damaged !== undefined) {
      const message = `${name} mentions this course, but cannot be read`;
      return failed(new CatalogError("output", message, { file: name }), "update");
    }
    if (match === undefined) return await this.#create(item);
    if (changes.length === 0) return { outcome: "unchanged", action: "unchanged" };
    if (!this.#options.force) return { ...(await keep(item)), outcome: "kept" };
    const error = await this.#edit(match.file);
    if (error !== undefined) return failed(error, "update");
    const planned = this.#options.dryRun ? ({ status: "planned" } as const) : {};
    return { outcome: "updated", action: "update", ...planned };
  }

  async #create({ course, name, newFile = "" }: PullItem): Promise<PullResult> {
    const { path, format, noIds, dryRun } = this.#options;
    try {
      requireFreePath(name, path, newFile);
      if (dryRun) return { outcome: "written", status: "planned" };
      const provider = providerName(course, this.#providers);
      const file = join(path, newFile);
      const defaults = await this.#defaults.valuesFor(file);
      const text = courseText(course, format, { provider, withoutId: noIds, defaults });
      await writeFileAtomically(file, text, { name });
      return { outcome: "written" };
    } catch (thrown) {
      return failed(asCatalogError(thrown), "create");
    }
  }

  #edit(file: LoadedFile): Promise<CatalogError | undefined> {
    const editing = this.#edits.get(file) ?? this.#editOnce(file);
    this.#edits.set(file, editing);
    return editing;
  }

  async #editOnce(file: LoadedFile): Promise<CatalogError | undefined> {
    const path = resolve(this.#context.folder, file.name);
    try {
      await editFile(
        { name: file.name, path },
        (courses) => {
          const read = file.courses.map(writtenValue);
          if (!isDeepStrictEqual(courses, read)) return CHANGED;
          const desired = [...courses];
          for (const { match, course, changes } of this.#items.get(file) ?? []) {
            const written = desired[match?.index ?? 0];
            const provider = providerName(course, this.#providers);
            if (match === undefined || !isObject(written)) continue;
            const defaults = new Set(match.source.defaults?.keys());
            const facts = { remote: course, provider, defaults };
            desired[match.index] = withChanges(written, changes, facts);
          }
          return desired;
        },
        {
          what: "the courses of the catalog",
          advice: "Edit the file yourself: --diff shows the values.",
          adviceIfChanged: "Pull again to compare the file as it is now.",
          dryRun: this.#options.dryRun,
        },
      );
      return undefined;
    } catch (thrown) {
      const error = asCatalogError(thrown);
      return error.kind === "file" ? new CatalogError("output", error.message, error.facts) : error;
    }
  }
}

function failed(error: CatalogError, action: Result["action"]): PullResult {
  return { outcome: "failed", action, status: "failed", error };
}

/** The result of a course whose file differs and is left alone. */
async function keep({ match, name, changes }: PullItem): Promise<Partial<Result>> {
  const fields = [...new Set(changes.map(({ path }) => formatPath(path.slice(0, 1))))];
  const message = `${name} differs from the course in the catalog: ${joinList(fields, "and")}`;
  let facts = {};
  if (match !== undefined && match.file.courses.length > 1) {
    const { line, column } = match.file.lines.range(await match.source.locate([], "value"));
    facts = { line, column };
  }
  const error = new CatalogError("output", message, { file: name, ...facts });
  return { action: "update", status: "failed", error };
}

/** The slug of a course's provider, if it identifies one of the user's providers. */
function providerName({ provider_id: id }: Course, providers: readonly Provider[]) {
  if (typeof id !== "string") return undefined;
  const provider = providers.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (provider === undefined || isUuid(provider.slug)) return undefined;
  const isUnique = findProvider(provider.slug, providers).found === provider;
  return isUnique && /\S/.test(provider.slug) ? provider.slug : undefined;
}
