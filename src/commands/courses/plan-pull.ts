/** Plans a pull: which files are written, edited or removed, and which differ and are kept. */
import { join, resolve } from "node:path";
import { requireWritable } from "../../base/atomic-write.ts";
import { CatalogError } from "../../base/errors.ts";
import { joinList, pluralize, truncateJson } from "../../base/text.ts";
import { addTo, changedFields, isObject, isUuid, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../cli/context.ts";
import { fileContent } from "../../cli/show.ts";
import { type ComparedCourse, editStep, type FileStep } from "../../cli/write-files.ts";
import { type BaseCourses, compareVersions, findAtBase, isAsAtBase } from "../../core/base.ts";
import type { ExistingCourse, ExistingFiles } from "../../core/existing-files.ts";
import type { CourseIndex } from "../../core/identify.ts";
import { describePlaced } from "../../core/located.ts";
import type { Side } from "../../core/step.ts";
import { type Change, completed } from "../../course/difference.ts";
import { courseLabel } from "../../course/problem.ts";
import { belongsTo, findProvider, type Provider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { PROVIDER_KEY } from "../../course/special-fields.ts";
import { type SourceCourse, writtenValue } from "../../files/course-file.ts";
import type { Defaults } from "../../files/defaults.ts";
import type { Replacement } from "../../files/edit.ts";
import { chooseFileNames } from "../../files/file-names.ts";
import type { FileFormat } from "../../files/parse.ts";
import {
  courseText,
  fileChanges,
  fileColumns,
  fileCourse,
  withChanges,
} from "../../files/write.ts";

/** The formats of one file for all courses. */
export const ONE_FILE_FORMATS = ["csv", "ndjson", "xlsx"] as const;

/** The catalog and the files of a pull, and what the user wants. */
export interface Pull {
  readonly index: CourseIndex<Course>;
  readonly existing: ExistingFiles;
  readonly providers: readonly Provider[];
  readonly context: Context;
  readonly defaults: Defaults;
  readonly folder: string;
  /** The absolute path of the folder. */
  readonly path: string;
  readonly format: FileFormat | (typeof ONE_FILE_FORMATS)[number];
  readonly force: boolean;
  readonly noIds: boolean;
  /** The courses of the files as they were, if the user named them. */
  readonly base: BaseCourses | undefined;
}

/**
 * The steps for files, one for each file and each course without a file, in the order of their names. A course that no
 * file has is written; one that differs is left alone and listed, unless `--force` or `--base` takes its changes; one
 * that only a file has stays there.
 */
export async function planPull(pull: Pull): Promise<FileStep[]> {
  const { index, existing, format, context, base } = pull;
  const matches = matchCourses(index, existing.courses);
  const matched = new Set(matches.map(({ course }) => course));
  const others = [...index.courses].filter((course) => !matched.has(course));
  const isRemoved = (course: Course): boolean =>
    !pull.force && findAtBase(base, course.id, course) !== undefined;
  const added = others.filter((course) => !isRemoved(course));
  const lost = listLost(matches, others.filter(isRemoved), pull);
  if (format !== "yaml" && format !== "json") {
    return [...(await planOneFile(format, matches, added, pull)), ...lost];
  }
  const names = chooseFileNames(added, format, existing.names);
  const steps = added.map((course): FileStep => {
    const place = placeIn(pull, names.get(course.id) ?? "");
    const text = async () => courseText(await newCourse(course, place.path, pull), format);
    return { ...place, text, courses: [describeNew(course, place.name)] };
  });
  const byFile = new Map<string, Match[]>();
  for (const match of matches) addTo(byFile, match.existing.file.name, match);
  for (const [name, own] of byFile) {
    const path = resolve(context.folder, name);
    const { courses, replacements } = await compareCourses(own, pull);
    steps.push(editStep({ name, path, courses }, replacements));
  }
  return [...steps, ...lost].sort(({ name: one }, { name: other }) =>
    one < other ? -1 : Number(one > other),
  );
}

/** The courses that one side removed since the base, and the other one changed: the user must decide. */
function listLost(
  matches: readonly Match[],
  removed: readonly Course[],
  { existing, base, folder, path, context }: Pull,
): FileStep[] {
  const matched = new Set(matches.map(({ existing: one }) => one));
  const deleted = existing.courses.filter(
    (one) => !matched.has(one) && findAtBase(base, one.described.id, one.described),
  );
  const inFiles = deleted.flatMap(({ file: { name }, source, described }): FileStep[] => {
    if (isAsAtBase(described, base)) return [];
    const message = `${labelOf(described)} was deleted in the catalog, but changed in the file`;
    const courses = [leaveCourse(describePlaced(described, source), "update", message)];
    return [{ name, path: resolve(context.folder, name), courses }];
  });
  const inCatalog = removed.flatMap((course): FileStep[] => {
    const before = findAtBase(base, course.id, course) ?? {};
    const { event } = compareVersions(Object.keys(before), before, undefined, course) ?? {};
    if (event === undefined) return [];
    const message = `${courseLabel(course)} is no longer in any file, but changed in the catalog`;
    const courses = [leaveCourse(describePlaced(course, { file: folder }), "update", message)];
    return [{ name: folder, path, courses }];
  });
  return [...inFiles, ...inCatalog];
}

/** A course that is left alone, because the user must decide. */
function leaveCourse(
  placed: ReturnType<typeof describePlaced>,
  action: "create" | "update",
  message: string,
): ComparedCourse {
  const error = new CatalogError("output", message, placed.from);
  return { ...placed, action, status: "failed", changes: [], error };
}

/** Counts the courses whose files were removed since the base, and the files whose courses are gone. */
export function describeGone(
  { index, base, force }: Pull,
  planned: readonly FileStep[],
  gone: number,
): string[] {
  const written = new Set(planned.flatMap(({ courses }) => courses.map(({ id }) => id)));
  const removed = [...index.courses].filter(
    ({ id, ...course }) => !force && !written.has(id) && findAtBase(base, id, course),
  ).length;
  const left = `Removed from the files since the base, so not written: ${pluralize(removed, "course")}.`;
  const files = pluralize(gone, "file");
  const others = `Not in the catalog: the courses of ${files}. To remove such files, pass --prune.`;
  return [...(removed > 0 ? [left] : []), ...(gone > 0 ? [others] : [])];
}

function placeIn({ folder, path }: Pull, file: string) {
  return { name: join(folder, file), path: join(path, file) };
}

/** The step for one file with all courses; none without courses. A workbook, which is written anew, needs `--force`. */
async function planOneFile(
  format: (typeof ONE_FILE_FORMATS)[number],
  matches: readonly Match[],
  added: readonly Course[],
  pull: Pull,
): Promise<FileStep[]> {
  const { index, existing, force, context } = pull;
  const place = placeIn(pull, `courses.${format}`);
  const { name, path } = place;
  if (existing.damaged.length > 0) {
    const message = `${name} already exists, but its courses cannot be read`;
    const advice = "Correct the file, or move it elsewhere.";
    throw new CatalogError("output", message, { file: name, advice });
  }
  const rows: PlainObject[] = [];
  for (const course of added) rows.push(await newCourse(course, path, pull));
  const created = added.map((course) => describeNew(course, name));
  if (requireWritable({ ...place, root: pull.path }) === undefined) {
    const text = () => fileContent(format, rows, fileColumns(rows), context);
    return rows.length === 0 ? [] : [{ ...place, text, courses: created }];
  }
  const isWorkbook = format === "xlsx";
  const compared = await compareCourses(matches, isWorkbook ? { ...pull, base: undefined } : pull);
  const { courses, replacements } = compared;
  const all = [...courses, ...created];
  if (!isWorkbook) return [editStep({ ...place, courses: all }, replacements, rows)];
  if (!force || (replacements.length === 0 && rows.length === 0)) {
    const missing = added.map((course): ComparedCourse => {
      const message = `${courseLabel(course)} is missing from ${name}`;
      return leaveCourse(describePlaced(course, { file: name }), "create", message);
    });
    return [{ ...place, courses: [...courses, ...missing] }];
  }
  const byIndex = new Map(replacements.map(({ index, wanted }) => [index, wanted]));
  const written = { defaults: Object.keys(await pull.defaults.valuesFor(path)) };
  const kept = existing.courses.map(({ source }) =>
    fileCourse(byIndex.get(source.index) ?? writtenObject(source), written),
  );
  const table = [...kept, ...rows];
  // What was never in the catalog is not remembered, so that a push creates it; what was deleted there stays deleted.
  const { remembered = [] } = existing.courses[0]?.file ?? {};
  const memory = remembered.filter((one) => index.identify(one).is !== "found");
  for (const course of index.courses) memory.push(await newCourse(course, path, pull));
  const text = () => fileContent(format, table, fileColumns(table), context, memory);
  return [{ ...place, text, isReplaced: true, courses: all }];
}

function describeNew(course: Course, file: string): ComparedCourse {
  return { ...describePlaced(course, { file }), action: "create" };
}

/** A course as a new file describes it. */
async function newCourse(course: Course, path: string, { providers, noIds, defaults }: Pull) {
  const values = await defaults.valuesFor(path);
  return fileCourse(completed(course, values), {
    provider: providerName(course, providers),
    withoutId: noIds,
    defaults: Object.keys(values),
  });
}

/** A course in the catalog, and a course of a file that describes it. */
interface Match {
  readonly course: Course;
  readonly existing: ExistingCourse;
}

/**
 * Finds the courses that the courses of files describe. Several files may describe one course; a course of a file that
 * fits several courses gets one that no other file describes.
 */
function matchCourses(
  index: CourseIndex<Course>,
  existing: readonly ExistingCourse[],
): readonly Match[] {
  const meanings = existing.map(({ described }) => index.identify(described));
  const certain = meanings.map((meaning) => {
    if (meaning.is === "found") return meaning.course;
    // The id or key decides, so that a file never gets the values of another course.
    return meaning.is === "taken" ? (meaning.own ?? meaning.other) : undefined;
  });
  const used = new Set(certain);
  return existing.flatMap((each, at): Match[] => {
    const meaning = meanings[at];
    const candidates = meaning?.is === "several" ? meaning.courses : [];
    const course = certain[at] ?? candidates.find((one) => !used.has(one));
    if (course === undefined) return [];
    used.add(course);
    return [{ course, existing: each }];
  });
}

/**
 * Compares the courses of a file with the catalog. What only the file has changed since the base stays; what both have
 * changed is left alone. Without a base, all changes may be of both.
 */
async function compareCourses(matches: readonly Match[], { force, base, providers }: Pull) {
  const courses: ComparedCourse[] = [];
  const replacements: Replacement[] = [];
  for (const { course, existing } of matches) {
    const { source, described } = existing;
    const all = fileChanges(described, course);
    const before = findAtBase(base, course.id, described, course);
    const compared = compareVersions(changedFields(all), before, described, course);
    const of = (side: Side): Change[] =>
      all.filter(({ path: [name] }) => (compared?.changedIn[String(name)] ?? "both") === side);
    const taken = force ? all : of("catalog");
    const left = force ? [] : of("both");
    const changes = [...taken, ...left];
    const action = changes.length === 0 ? "unchanged" : "update";
    const result = { ...describePlaced(course, source), changes, action } as const;
    if (left.length === 0) courses.push(result);
    else courses.push({ ...result, status: "failed", error: await differs(existing, left) });
    if (taken.length === 0) continue;
    const old = writtenObject(source);
    const provider = Object.hasOwn(old, PROVIDER_KEY) ? providerName(course, providers) : undefined;
    const whole = completed(course, described);
    const fresh = fileCourse(whole, { provider, defaults: source.defaults?.keys() });
    const wanted = withChanges(old, taken, fresh);
    replacements.push({ index: source.index, old, wanted });
  }
  return { courses, replacements };
}

function writtenObject(source: SourceCourse): PlainObject {
  const written = writtenValue(source);
  return isObject(written) ? written : {};
}

/** The error that reports a course whose file differs and is left alone. */
async function differs({ source, described }: ExistingCourse, changes: readonly Change[]) {
  const { file, line, column } = await source.place([]);
  const fields = joinList(changedFields(changes), "and");
  const message = `${labelOf(described)} differs from the course in the catalog: ${fields}`;
  return new CatalogError("output", message, { file, line, column });
}

function labelOf({ name }: PlainObject): string {
  return typeof name === "string" ? truncateJson(name) : "the course";
}

/** The slug of the course's provider; undefined if the slug does not identify one of the user's providers. */
function providerName({ provider_id: id }: Course, providers: readonly Provider[]) {
  const provider = providers.find((one) => one.id.toLowerCase() === String(id).toLowerCase());
  if (provider === undefined || isUuid(provider.slug) || !/\S/.test(provider.slug))
    return undefined;
  return findProvider(provider.slug, providers).found === provider ? provider.slug : undefined;
}

/**
 * The removals of files that describe exactly one course, which is in the base or, without a base, has an id, and is not
 * in the catalog. A course of another account may still exist there.
 */
export function planRemovals(
  { index, existing, base, providers, context }: Pull,
  planned: readonly FileStep[],
): FileStep[] {
  const matched = new Set(planned.map(({ name }) => name));
  const own = new Set(providers.map((provider) => provider.id.toLowerCase()));
  const candidates = existing.courses.filter(({ described }) => belongsTo(described, own));
  return candidates.flatMap(({ file, source, described }): FileStep[] => {
    const { name } = file;
    const id = String(described.id).toLowerCase();
    const isKnown = base === undefined ? isUuid(id) : findAtBase(base, id, described) !== undefined;
    if (matched.has(name) || file.courses.length !== 1 || !isKnown || index.find(id)) return [];
    const result = { ...describePlaced(described, source), action: "delete" } as const;
    return [{ name, path: resolve(context.folder, name), courses: [result] }];
  });
}
