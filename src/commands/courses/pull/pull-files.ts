/** Brings course files up to date: writes new ones, compares and edits those that exist. */
import { join } from "node:path";
import { yieldToEventLoop } from "../../../base/async.ts";
import { writeFileAtomically } from "../../../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import { joinList } from "../../../base/text.ts";
import { isUuid } from "../../../base/uuid.ts";
import { addTo, isObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import type { Result } from "../../../command-support/results.ts";
import type { Change } from "../../../course/difference.ts";
import { findProvider, type Provider } from "../../../course/provider.ts";
import type { Course } from "../../../course/request-body.ts";
import { fileChanges, withChanges } from "../../../files/course-changes.ts";
import { Defaults } from "../../../files/defaults.ts";
import {
  chooseFileNames,
  listCourseFileNames,
  requireFreePath,
} from "../../../files/file-names.ts";
import type { FileFormat } from "../../../files/formats.ts";
import type { LoadedFile } from "../../../files/load.ts";
import { courseText } from "../../../files/write.ts";
import { changedFields } from "../../../output/plan.ts";
import {
  type ExistingFiles,
  editExisting,
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
  const indexOf = ({ match }: PullItem): number => match?.source.index ?? 0;
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
export type Outcome = "written" | "updated" | "unchanged" | "kept";

export type PullResult = Partial<Result> & { readonly outcome: Outcome };

/** Writes or edits the file of an item. @throws CatalogError if that is not possible */
export type WriteItem = (item: PullItem) => Promise<PullResult>;

/** @param items of all courses, because courses of one file are edited together, once */
export function createFileWriter(
  items: readonly PullItem[],
  { path, format, noIds, force, dryRun }: PullOptions & { readonly path: string },
  providers: readonly Provider[],
  context: Pick<Context, "folder">,
): WriteItem {
  const planned = dryRun ? ({ status: "planned" } as const) : {};
  const defaults = new Defaults(context.folder);
  const create = async ({ course, name, newFile = "" }: PullItem): Promise<PullResult> => {
    requireFreePath(name, path, newFile);
    if (!dryRun) {
      const file = join(path, newFile);
      const facts = { provider: providerName(course, providers), withoutId: noIds };
      const values = await defaults.valuesFor(file);
      await writeFileAtomically(file, courseText(course, format, { ...facts, defaults: values }), {
        name,
      });
    }
    return { outcome: "written", ...planned };
  };
  const byFile = new Map<LoadedFile, PullItem[]>();
  for (const item of items) if (item.match !== undefined) addTo(byFile, item.match.file, item);
  const edits = new Map<LoadedFile, Promise<void>>();
  const edit = (file: LoadedFile): Promise<void> => {
    const edited = byFile.get(file) ?? [];
    const editing = edits.get(file) ?? editCourses(file, edited, providers, dryRun, context);
    edits.set(file, editing);
    return editing;
  };
  return async (item) => {
    // Writing is synchronous; signals and the progress line need a turn.
    await yieldToEventLoop();
    const { match, changes, damaged, name } = item;
    if (damaged !== undefined) {
      const message = `${name} mentions this course, but cannot be read`;
      throw new CatalogError("output", message, { file: name });
    }
    if (match === undefined) return await create(item);
    if (changes.length === 0) return { outcome: "unchanged", action: "unchanged" };
    if (!force) return await keep(item);
    await edit(match.file);
    return { outcome: "updated", ...planned };
  };
}

async function editCourses(
  file: LoadedFile,
  items: readonly PullItem[],
  providers: readonly Provider[],
  dryRun: boolean,
  context: Pick<Context, "folder">,
): Promise<void> {
  const values = new Map<number, unknown>();
  for (const { match, course, changes } of items) {
    const written = match && writtenValue(match.source);
    if (match === undefined || !isObject(written) || changes.length === 0) continue;
    const provider = providerName(course, providers);
    const defaults = new Set(match.source.defaults?.keys());
    values.set(
      match.source.index,
      withChanges(written, changes, { remote: course, provider, defaults }),
    );
  }
  try {
    await editExisting(file, values, context, {
      what: "the courses of the catalog",
      advice: "Edit the file yourself: --diff shows the values.",
      adviceIfChanged: "Pull again to compare the file as it is now.",
      dryRun,
    });
  } catch (thrown) {
    const error = asCatalogError(thrown);
    throw error.kind === "file" ? new CatalogError("output", error.message, error.facts) : error;
  }
}

/** The result of a course whose file differs and is left alone. */
async function keep({ match, name, changes }: PullItem): Promise<PullResult> {
  const fields = joinList(changedFields(changes), "and");
  const message = `${name} differs from the course in the catalog: ${fields}`;
  let facts = {};
  if (match !== undefined && match.file.courses.length > 1) {
    const { line, column } = match.file.lines.range(await match.source.locate([], "value"));
    facts = { line, column };
  }
  const error = new CatalogError("output", message, { file: name, ...facts });
  return { outcome: "kept", status: "failed", error };
}

/** The slug of a course's provider, if it identifies one of the user's providers. */
function providerName({ provider_id: id }: Course, providers: readonly Provider[]) {
  if (typeof id !== "string") return undefined;
  const provider = providers.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (provider === undefined || isUuid(provider.slug)) return undefined;
  const isUnique = findProvider(provider.slug, providers).found === provider;
  return isUnique && /\S/.test(provider.slug) ? provider.slug : undefined;
}
