/** Plans a pull: which files are written, edited or removed, and which differ and are kept. */
import { join, resolve } from "node:path";
import { requireRegular } from "../../base/atomic-write.ts";
import { CatalogError } from "../../base/errors.ts";
import { joinList, truncateJson } from "../../base/text.ts";
import { addTo, isObject, isUuid, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../cli/context.ts";
import type { ComparedCourse, FileStep } from "../../cli/write-files.ts";
import { type BaseCourses, compareVersions, findAtBase } from "../../core/base.ts";
import type { ExistingCourse, ExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import { describePlaced } from "../../core/located.ts";
import type { Side } from "../../core/step.ts";
import type { Change } from "../../course/difference.ts";
import { courseLabel } from "../../course/located.ts";
import { findProvider, type Provider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { type SourceCourse, writtenValue } from "../../files/course-file.ts";
import type { Defaults } from "../../files/defaults.ts";
import { editCourses, type Replacement } from "../../files/edit.ts";
import { chooseFileNames } from "../../files/file-names.ts";
import type { FileFormat } from "../../files/parse.ts";
import {
  courseText,
  fileChanges,
  fileColumns,
  fileCourse,
  withChanges,
} from "../../files/write.ts";
import { createRowFile } from "../../output/formats.ts";
import { changedFields } from "../../output/plan.ts";

/** The formats of one file for all courses. */
export const ONE_FILE_FORMATS = ["csv", "ndjson", "xlsx"] as const;

export type OneFileFormat = (typeof ONE_FILE_FORMATS)[number];

export function isOneFile(format: string): format is OneFileFormat {
  return ONE_FILE_FORMATS.some((each) => each === format);
}

/** The name of the file with all courses. */
export function oneFileName(format: OneFileFormat): string {
  return `courses.${format}`;
}

/** The catalog and the files of a pull, and what the user wants. */
export interface Pull {
  readonly courses: readonly Course[];
  readonly existing: ExistingFiles;
  readonly providers: readonly Provider[];
  readonly context: Context;
  readonly defaults: Defaults;
  readonly folder: string;
  /** The absolute path of the folder. */
  readonly path: string;
  readonly format: FileFormat | OneFileFormat;
  readonly force: boolean;
  readonly noIds: boolean;
  /** The courses of the files as they were, if the user named them. */
  readonly base: BaseCourses | undefined;
}

/** The steps for files, one for each file and each course without a file, in the order of their names. */
export async function planPull(pull: Pull): Promise<FileStep[]> {
  const { courses, existing, format } = pull;
  const found = matchCourses(courses, existing.courses);
  const matches = courses.flatMap((course) =>
    (found.get(course.id) ?? []).map((each): Match => ({ course, existing: each })),
  );
  const unmatched = courses.filter(({ id }) => !found.has(id));
  if (isOneFile(format)) return await planOneFile(format, matches, unmatched, pull);
  const byFile = new Map<string, Match[]>();
  for (const match of matches) addTo(byFile, match.existing.file.name, match);
  const steps = planNewFiles(format, unmatched, pull);
  for (const [name, own] of byFile) {
    const path = resolve(pull.context.folder, name);
    steps.push(editStep(name, path, await compareCourses(own, pull), [], []));
  }
  return steps.sort(({ name: one }, { name: other }) => (one < other ? -1 : Number(one > other)));
}

function planNewFiles(format: FileFormat, courses: readonly Course[], pull: Pull): FileStep[] {
  const names = chooseFileNames(courses, format, pull.existing.names);
  return courses.map((course): FileStep => {
    const file = names.get(course.id) ?? "";
    const [name, path] = [join(pull.folder, file), join(pull.path, file)];
    const text = async () => courseText(course, format, await styleOf(course, path, pull));
    return { action: "new", name, path, text, courses: [describeNew(course, name)] };
  });
}

/**
 * The step for one file with all courses; none without courses. Courses that only the file has stay there. A workbook,
 * which is written anew, is kept if it differs from the catalog, unless `force` is set.
 */
async function planOneFile(
  format: OneFileFormat,
  matches: readonly Match[],
  added: readonly Course[],
  pull: Pull,
): Promise<FileStep[]> {
  const { existing, force, context } = pull;
  const file = oneFileName(format);
  const [name, path] = [join(pull.folder, file), join(pull.path, file)];
  if (existing.damaged.length > 0) {
    const message = `${name} already exists, but its courses cannot be read`;
    const advice = "Correct the file, or move it elsewhere.";
    throw new CatalogError("output", message, { file: name, advice });
  }
  const rows: PlainObject[] = [];
  for (const course of added) rows.push(fileCourse(course, await styleOf(course, path, pull)));
  const created = added.map((course) => describeNew(course, name));
  const isWorkbook = format === "xlsx";
  if (requireRegular(name, path) === undefined) {
    const text = () => fileContent(format, rows, context);
    return rows.length === 0 ? [] : [{ action: "new", name, path, text, courses: created }];
  }
  const compared = await compareCourses(matches, isWorkbook ? { ...pull, base: undefined } : pull);
  if (!isWorkbook) return [editStep(name, path, compared, rows, created)];
  const isSame = compared.replacements.length === 0 && rows.length === 0;
  const missing = added.map((course): ComparedCourse => {
    const message = `${courseLabel(course)} is missing from ${name}`;
    const error = new CatalogError("output", message, { file: name });
    return { ...describeNew(course, name), status: "failed", changes: [], error };
  });
  const courses = [...compared.courses, ...(force ? created : missing)];
  if (isSame || !force) return [{ action: "keep", name, path, courses }];
  const wanted = new Map(compared.replacements.map((each) => [each.index, each.wanted]));
  const kept = existing.courses.map(
    ({ source }) => wanted.get(source.index) ?? writtenObject(source),
  );
  const text = () => fileContent(format, [...kept, ...rows], context);
  return [{ action: "replace", name, path, text, courses }];
}

function describeNew(course: Course, file: string): ComparedCourse {
  return { ...describePlaced(course, file), action: "create" };
}

/** How a new file describes a course. */
async function styleOf(course: Course, path: string, { providers, noIds, defaults }: Pull) {
  return {
    provider: providerName(course, providers),
    withoutId: noIds,
    defaults: await defaults.valuesFor(path),
  };
}

async function fileContent(
  format: OneFileFormat,
  courses: readonly PlainObject[],
  { styles }: Context,
): Promise<Uint8Array> {
  const columns = fileColumns(courses);
  const content = await createRowFile(format, { columns, cleared: "null", styles });
  await content.rows(courses);
  return await content.end();
}

/**
 * The courses of files that describe each course in the catalog, by its id; usually one. A course of a file
 * that is found only by its url, or that fits several courses, gets a course that no other file describes.
 */
function matchCourses(
  courses: readonly Course[],
  existing: readonly ExistingCourse[],
): ReadonlyMap<string, readonly ExistingCourse[]> {
  const index = new CourseIndex(courses);
  const found = new Map<string, ExistingCourse[]>();
  const uncertain: [ExistingCourse, readonly Course[]][] = [];
  for (const each of existing) {
    const match = index.identify(each.described);
    if ("candidates" in match) uncertain.push([each, match.candidates]);
    // The id or key decides, so that a file never gets the values of another course.
    else if ("other" in match) addTo(found, (match.own ?? match.other).id, each);
    else if (match.found === undefined) continue;
    else addTo(found, match.found.id, each);
  }
  for (const [each, candidates] of uncertain) {
    const free = candidates.find(({ id }) => !found.has(id));
    if (free !== undefined) found.set(free.id, [each]);
  }
  return found;
}

/** A course in the catalog, and a course of a file that describes it. */
interface Match {
  readonly course: Course;
  readonly existing: ExistingCourse;
}

/** What is known about the courses of a file, and what changes in it. */
interface Comparison {
  readonly courses: readonly ComparedCourse[];
  readonly replacements: readonly Replacement[];
}

/** Compares the courses of a file with the catalog. */
async function compareCourses(
  matches: readonly Match[],
  { force, base, providers }: Pull,
): Promise<Comparison> {
  const courses: ComparedCourse[] = [];
  const replacements: Replacement[] = [];
  const ordered = matches.toSorted((a, b) => a.existing.source.index - b.existing.source.index);
  for (const { course, existing } of ordered) {
    const { source } = existing;
    const all = fileChanges(existing.described, course);
    const { taken, both } = splitChanges(all, course, existing, force ? undefined : base);
    const changes = [...taken, ...both];
    const isKept = !force && both.length > 0;
    courses.push({
      ...describePlaced(course, source),
      changes,
      action: changes.length === 0 ? "unchanged" : "update",
      ...(isKept ? { status: "failed", error: await differs(existing, both) } : {}),
    });
    const applied = force ? changes : taken;
    if (applied.length === 0) continue;
    const old = writtenObject(source);
    const wanted = withChanges(old, applied, {
      remote: course,
      provider: providerName(course, providers),
      defaults: new Set(source.defaults?.keys()),
    });
    replacements.push({ index: source.index, old, wanted });
  }
  return { courses, replacements };
}

function writtenObject(source: SourceCourse): PlainObject {
  const written = writtenValue(source);
  return isObject(written) ? written : {};
}

/** The step for a file that changes in place. @param added new courses, as the file has them */
function editStep(
  name: string,
  path: string,
  { courses, replacements }: Comparison,
  added: readonly PlainObject[],
  created: readonly ComparedCourse[],
): FileStep {
  const place = { name, path, courses: [...courses, ...created] };
  if (replacements.length === 0 && added.length === 0) return { action: "keep", ...place };
  return {
    action: "edit",
    ...place,
    edit: (text, format) => editCourses(text, format, replacements, added),
  };
}

/**
 * The changes that only the catalog has made since the base, and those that it has made as well as the file. What only
 * the file has changed is in neither. Without a base, all changes may be of both.
 */
function splitChanges(
  changes: readonly Change[],
  course: Course,
  { described }: ExistingCourse,
  base: BaseCourses | undefined,
): { readonly taken: readonly Change[]; readonly both: readonly Change[] } {
  const before = base && findAtBase(course.id, [described, course], base);
  if (before === undefined) return { taken: [], both: changes };
  const names = [...new Set(changes.map(({ path: [name] }) => String(name)))];
  const sides = compareVersions(names, before, described, course);
  const of = (side: Side): Change[] =>
    changes.filter(({ path: [name] }) => sides[String(name)] === side);
  return { taken: of("catalog"), both: of("both") };
}

/** The error that reports a course whose file differs and is left alone. */
async function differs(
  { file, source }: ExistingCourse,
  changes: readonly Change[],
): Promise<CatalogError> {
  const { name } = file;
  const fields = joinList(changedFields(changes), "and");
  const describe = (what: string): string =>
    `${what} differs from the course in the catalog: ${fields}`;
  if (file.courses.length === 1) return new CatalogError("output", describe(name), { file: name });
  const { line, column } = await source.place([]);
  const course = isObject(source.value) ? source.value.name : undefined;
  const label = typeof course === "string" ? truncateJson(course) : "the course";
  return new CatalogError("output", describe(label), { file: name, line, column });
}

/** The slug of the course's provider; undefined if the slug does not identify one of the user's providers. */
function providerName({ provider_id: id }: Course, providers: readonly Provider[]) {
  if (typeof id !== "string") return undefined;
  const provider = providers.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (provider === undefined || isUuid(provider.slug)) return undefined;
  const isUnique = findProvider(provider.slug, providers).found === provider;
  return isUnique && /\S/.test(provider.slug) ? provider.slug : undefined;
}

/** The removals of files that describe exactly one course, by its id, which the catalog does not have. */
export function planRemovals(
  { courses, existing, context }: Pull,
  planned: readonly FileStep[],
): FileStep[] {
  const matched = new Set(planned.map(({ name }) => name));
  const listed = new Set(courses.map(({ id }) => id.toLowerCase()));
  return existing.courses.flatMap(({ file, source, described }): FileStep[] => {
    const id = String(described.id).toLowerCase();
    if (matched.has(file.name) || file.courses.length !== 1) return [];
    if (!isUuid(id) || listed.has(id)) return [];
    const path = resolve(context.folder, file.name);
    const result = { ...describePlaced(described, source), action: "delete" } as const;
    return [{ action: "remove", name: file.name, path, courses: [result] }];
  });
}
