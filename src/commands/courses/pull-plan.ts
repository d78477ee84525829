/** Plans a pull: which files are written, edited or removed, and which differ and are kept. */
import { join, resolve } from "node:path";
import { CatalogError } from "../../base/errors.ts";
import { joinList, truncateJson } from "../../base/text.ts";
import { addTo, isObject, isUuid } from "../../base/values.ts";
import type { Context } from "../../cli/context.ts";
import { findCourses } from "../../cli/course-arguments.ts";
import type { ComparedCourse, FileStep } from "../../cli/write-files.ts";
import { type BaseCourses, compareVersions, findAtBase } from "../../core/base.ts";
import type { ExistingCourse, ExistingFiles } from "../../core/existing-files.ts";
import { CourseIndex } from "../../core/identify.ts";
import { describePlaced } from "../../core/located.ts";
import type { Side } from "../../core/step.ts";
import type { Change } from "../../course/difference.ts";
import { findProvider, type Provider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { writtenValue } from "../../files/course-file.ts";
import { Defaults } from "../../files/defaults.ts";
import { type Replacement, replaceCourses } from "../../files/edit.ts";
import { chooseFileNames } from "../../files/file-names.ts";
import type { CourseFile } from "../../files/load.ts";
import type { FileFormat } from "../../files/parse.ts";
import { courseText, fileChanges, withChanges } from "../../files/write.ts";
import { changedFields } from "../../output/plan.ts";

export interface PullOptions {
  readonly folder: string;
  /** The absolute path of the folder. */
  readonly path: string;
  readonly force: boolean;
  readonly noIds: boolean;
  /** The courses of the files as they were, if the user named them. */
  readonly base?: BaseCourses | undefined;
}

/** The steps for files, one for each file and each course without a file, in the order of their names. */
export async function planPull(
  courses: readonly Course[],
  existing: ExistingFiles,
  options: PullOptions & { readonly format: FileFormat },
  providers: readonly Provider[],
  context: Context,
): Promise<FileStep[]> {
  const matches = matchCourses(courses, existing.courses);
  const byFile = new Map<CourseFile, Match[]>();
  const steps: FileStep[] = [];
  const unmatched: Course[] = [];
  for (const course of courses) {
    const found = matches.get(course.id);
    for (const existing of found ?? []) addTo(byFile, existing.file, { course, existing });
    if (found === undefined) unmatched.push(course);
  }
  for (const [file, found] of byFile) {
    steps.push(await compareFile(file, found, options, providers, context));
  }
  const names = chooseFileNames(unmatched, options.format, existing.names);
  const defaults = new Defaults(context);
  for (const course of unmatched) {
    const newFile = names.get(course.id) ?? "";
    const path = join(options.path, newFile);
    const name = join(options.folder, newFile);
    const text = async (): Promise<string> =>
      courseText(course, options.format, {
        provider: providerName(course, providers),
        withoutId: options.noIds,
        defaults: await defaults.valuesFor(path),
      });
    const result = { ...describePlaced(course, name), action: "create" } as const;
    steps.push({ action: "new", name, path, text, courses: [result] });
  }
  return steps.sort(({ name: one }, { name: other }) => (one < other ? -1 : Number(one > other)));
}

/**
 * The courses of files that describe each course in the catalog, by its id; usually one. A course of a file
 * that is found only by its url, or that fits several courses, gets a course that no other file describes.
 */
export function matchCourses(
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

/** The step for a file and its courses in the catalog. */
export async function compareFile(
  file: Pick<CourseFile, "name">,
  matches: readonly Match[],
  { force, base }: PullOptions,
  providers: readonly Provider[],
  context: Context,
): Promise<FileStep> {
  const courses: ComparedCourse[] = [];
  const replacements: Replacement[] = [];
  const ordered = matches.toSorted((a, b) => a.existing.source.index - b.existing.source.index);
  for (const { course, existing } of ordered) {
    const { source } = existing;
    const all = fileChanges(existing.described, course);
    const { taken, both } = splitChanges(all, course, existing, force ? undefined : base);
    const changes = [...taken, ...both];
    const isSame = changes.length === 0;
    const result = {
      ...describePlaced(course, source),
      changes,
      action: isSame ? ("unchanged" as const) : ("update" as const),
    };
    const isKept = !force && both.length > 0;
    const error = isKept ? await differs(existing, both) : undefined;
    courses.push(isKept ? { ...result, status: "failed", error } : result);
    if (isSame || (!force && taken.length === 0)) continue;
    const written = writtenValue(source);
    const wanted = withChanges(isObject(written) ? written : {}, force ? changes : taken, {
      remote: course,
      provider: providerName(course, providers),
      defaults: new Set(source.defaults?.keys()),
    });
    replacements.push({ source, wanted });
  }
  const place = { name: file.name, path: resolve(context.folder, file.name), courses };
  if (replacements.length === 0) return { action: "keep", ...place };
  return { action: "edit", ...place, edit: replaceCourses(replacements) };
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
export function providerName({ provider_id: id }: Course, providers: readonly Provider[]) {
  if (typeof id !== "string") return undefined;
  const provider = providers.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (provider === undefined || isUuid(provider.slug)) return undefined;
  const isUnique = findProvider(provider.slug, providers).found === provider;
  return isUnique && /\S/.test(provider.slug) ? provider.slug : undefined;
}

/**
 * The removals of files that describe exactly one course, which no longer exists. Looks up every id, because
 * a course may be missing from a filtered or changing listing.
 *
 * @throws CatalogError if a course cannot be looked up
 */
export async function planRemovals(
  { courses }: ExistingFiles,
  steps: readonly FileStep[],
  context: Context,
): Promise<FileStep[]> {
  const matched = new Set(steps.map(({ name }) => name));
  const candidates = new Map<string, ExistingCourse[]>();
  for (const each of courses) {
    const id = String(each.described.id).toLowerCase();
    const isOnly = each.file.courses.length === 1;
    if (isOnly && isUuid(id) && !matched.has(each.file.name)) addTo(candidates, id, each);
  }
  const removals: FileStep[] = [];
  const ids = [...candidates.keys()];
  const found = await findCourses(ids, context);
  for (const [index, course] of found.entries()) {
    if (!(course instanceof CatalogError)) continue;
    if (course.kind !== "missing") throw course;
    for (const { file, source, described } of candidates.get(ids[index] ?? "") ?? []) {
      const path = resolve(context.folder, file.name);
      const result = { ...describePlaced(described, source), action: "delete" } as const;
      removals.push({ action: "remove", name: file.name, path, courses: [result] });
    }
  }
  return removals;
}
