/** Plans an import: for each course the file that already describes the course or a new file, or one file for all. */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { attempt, CatalogError } from "../../../base/errors.ts";
import { parseUrl } from "../../../base/http.ts";
import { addTo, asText, isObject, type PlainObject } from "../../../base/values.ts";
import { type ComparedCourse, editStep, type FileStep } from "../../../cli/write-files.ts";
import type { ExistingCourse, ExistingFiles } from "../../../core/existing-files.ts";
import { CourseIndex } from "../../../core/identify.ts";
import { describePlaced } from "../../../core/located.ts";
import { type Change, diffCourses } from "../../../course/difference.ts";
import {
  EXTERNAL_KEY,
  isPrivateKey,
  PROVIDER_KEY,
  UNIQUE_FIELDS,
} from "../../../course/field-names.ts";
import { writtenValue } from "../../../files/course-file.ts";
import { type EditText, editCourses, type Replacement } from "../../../files/edit.ts";
import { chooseFileNames } from "../../../files/file-names.ts";
import { MAX_FILE_SIZE } from "../../../files/limits.ts";
import type { FileFormat } from "../../../files/parse.ts";
import { courseText, fileCourse, withChanges } from "../../../files/write.ts";
import type { Imported, PlacedRow } from "../../../import/check-imported.ts";
import { fileText, type ImportFormat } from "../../../import/texts.ts";

/** An imported course, and the same course in a file, if there is one. */
export interface ImportItem extends Imported {
  readonly match?: ExistingCourse;
  /** The new content of the file; undefined if the content stays the same. */
  readonly wanted?: PlainObject | undefined;
  readonly changes?: readonly Change[];
}

/** Finds the file course for each imported course, and what would change in it. */
export function matchImported(
  courses: readonly Imported[],
  { courses: existing }: ExistingFiles,
): ImportItem[] {
  const matches = findMatches(courses, existing);
  return courses.map((imported) => {
    const match = matches.get(imported);
    if (match === undefined) return imported;
    return { ...imported, match, ...wantedCourse(imported.course, match) };
  });
}

/**
 * Finds the file course for each imported course: by id, key or url, or else a course without an id by key or url,
 * or else by name if one of both has only a name, as after an import with an incomplete mapping.
 */
function findMatches(
  courses: readonly Imported[],
  existing: readonly ExistingCourse[],
): ReadonlyMap<Imported, ExistingCourse> {
  const matches = new Map<Imported, ExistingCourse>();
  const used = new Set<ExistingCourse>();
  const byDescribed = new Map(existing.map((each) => [each.described, each]));
  const index = new CourseIndex(byDescribed.keys());
  const byKey = new Map<unknown, ExistingCourse[]>();
  const byName = new Map<unknown, ExistingCourse[]>();
  for (const each of existing) {
    addTo(byKey, each.described[EXTERNAL_KEY], each);
    addTo(byName, each.described.name, each);
  }
  const identified = (course: PlainObject): readonly (ExistingCourse | undefined)[] => {
    const match = index.identify(course);
    const found =
      "candidates" in match ? match.candidates : ["found" in match ? match.found : match.other];
    return found.map((each) => each && byDescribed.get(each));
  };
  const namesakes = (course: PlainObject): readonly ExistingCourse[] => {
    const same = typeof course.name === "string" ? (byName.get(course.name) ?? []) : [];
    const hasOwn = hasIdentity(course);
    return same.filter((each) => !used.has(each) && !(hasOwn && hasIdentity(each.described)));
  };
  const ways: readonly ((course: PlainObject) => readonly (ExistingCourse | undefined)[])[] = [
    // Without the providers, the id that follows from a key is unknown where `provider` names one.
    ({ id, [EXTERNAL_KEY]: key, ...others }) =>
      id || !key
        ? []
        : (byKey.get(key) ?? []).filter(({ described }) => !haveOtherProviders(described, others)),
    (course) => ("found" in index.identify(course) ? identified(course) : []),
    ({ id, ...others }) => identified(others).filter((each) => !id || !each?.described.id),
    (course) => namesakes(course).filter((each) => wantedCourse(course, each).wanted === undefined),
    (course) => (namesakes(course).length === 1 ? namesakes(course) : []),
  ];
  // Courses with an id or key come first, because others may have the same url; then those with the most fields.
  const ordered = courses.toSorted(
    ({ course: one }, { course: other }) =>
      rankOf(one) - rankOf(other) || Object.keys(other).length - Object.keys(one).length,
  );
  for (const find of ways) {
    for (const imported of ordered) {
      const match = matches.has(imported)
        ? undefined
        : find(imported.course).find((each) => each !== undefined && !used.has(each));
      if (match === undefined) continue;
      matches.set(imported, match);
      used.add(match);
    }
  }
  return matches;
}

/** Whether both name a provider in the same field, but different providers. A key identifies a course of one provider. */
function haveOtherProviders(one: PlainObject, other: PlainObject): boolean {
  return ["provider_id", PROVIDER_KEY].some((name) => {
    const [left, right] = [asText(one[name] ?? ""), asText(other[name] ?? "")];
    return left !== "" && right !== "" && left.toLowerCase() !== right.toLowerCase();
  });
}

function hasIdentity(course: PlainObject): boolean {
  return rankOf(course) < UNIQUE_FIELDS.length;
}

/** The rank of the first identifying field that a course has: 0 for id, then key, url, none. */
function rankOf(course: PlainObject): number {
  const rank = UNIQUE_FIELDS.findIndex((field) => Boolean(course[field]));
  return rank === -1 ? UNIQUE_FIELDS.length : rank;
}

/** The new content of a file with the imported fields, and the changes; empty if nothing changes. */
function wantedCourse(
  imported: PlainObject,
  { source, described }: ExistingCourse,
): Pick<ImportItem, "wanted" | "changes"> {
  const value = writtenValue(source);
  const written = isObject(value) ? value : {};
  const changes = diffCourses(imported, described);
  const fresh = fileCourse(imported, { defaults: source.defaults?.keys() });
  const changed = withChanges(written, changes, fresh);
  const own = Object.entries(imported).filter(
    ([name, value]) =>
      (name === PROVIDER_KEY || name === EXTERNAL_KEY || isPrivateKey(name)) &&
      !isDeepStrictEqual(value, described[name]),
  );
  const wanted: Record<string, unknown> = { ...changed, ...Object.fromEntries(own) };
  // A course must not have both fields for the provider, and whether they agree is not known here.
  if (imported[PROVIDER_KEY] !== undefined && imported.provider_id === undefined) {
    delete wanted.provider_id;
  }
  if (isDeepStrictEqual(wanted, written)) return {};
  const others = own.map(([name, value]): Change => {
    return { path: [name], old: described[name] ?? null, new: value };
  });
  return { wanted, changes: [...changes, ...others] };
}

interface Destination<Format> {
  readonly name: string;
  readonly path: string;
  readonly format: Format;
}

/** Plans the steps for a folder, one for each file. */
export function planFolder(
  items: readonly ImportItem[],
  { name, path, format }: Destination<FileFormat>,
  { names: taken }: ExistingFiles,
  currentFolder: string,
): FileStep[] {
  const nameables = items.flatMap(({ match, course }, index) =>
    match === undefined ? [{ id: `${nameOf(course)} ${index}`, slug: slugOf(course), index }] : [],
  );
  const names = chooseFileNames(nameables, format, taken);
  const newFiles = new Map(nameables.map(({ id, index }) => [index, names.get(id) ?? ""]));
  const byFile = new Map<string, ImportItem[]>();
  for (const [index, item] of items.entries()) {
    addTo(byFile, item.match?.file.name ?? join(name, newFiles.get(index) ?? ""), item);
  }
  return [...byFile].map(([file, own]): FileStep => {
    const [{ match, course } = { match: undefined, course: {} }] = own;
    if (match !== undefined) return planEdit(own, file, resolve(currentFolder, file));
    const place = { name: file, path: join(path, basename(file)) };
    const result = { ...describeItem({ course }, file), line: 1 };
    return {
      action: "new",
      ...place,
      text: () => courseText(fileCourse(course), format),
      courses: [result],
    };
  });
}

/** Plans the edit of a file that describes all of the courses. */
function planEdit(items: readonly ImportItem[], name: string, path: string): FileStep {
  const courses = items.map((item) => describeItem(item, name));
  return editStep({ name, path, courses }, listReplacements(items));
}

function listReplacements(items: readonly ImportItem[]): Replacement[] {
  return items.flatMap(({ match, wanted }) =>
    match === undefined || wanted === undefined
      ? []
      : [{ index: match.source.index, old: writtenValue(match.source), wanted }],
  );
}

/** The part of a course's result that is known before the file is written. */
function describeItem(item: Omit<ImportItem, keyof PlacedRow>, file: string): ComparedCourse {
  const { course, match, wanted, changes = [] } = item;
  if (match === undefined) return { ...describePlaced(course, file), action: "create" };
  const action = wanted === undefined ? "unchanged" : "update";
  return { ...describePlaced(course, match.source), action, changes };
}

/** Plans the step that changes and adds courses of one file; none for an import that was not completed. */
export function planFile(
  items: readonly ImportItem[],
  { name, path, format }: Destination<ImportFormat>,
): FileStep[] {
  if (items.length === 0) return [];
  const replacements = listReplacements(items);
  const added = items.flatMap(({ match, course }) => (match === undefined ? [course] : []));
  const courses = items.map((item) => describeItem(item, name));
  const place = { name, path, courses };
  if (!existsSync(path)) {
    const text = (): string => requireReadable(fileText(added, format), name);
    return [{ action: "new", ...place, text }];
  }
  if (replacements.length === 0 && added.length === 0) return [{ action: "keep", ...place }];
  const rows = added.map((course) => fileCourse(course));
  const edit: EditText = async (text, sourceFormat) => {
    const isEmpty = text.trim() === "";
    const edited = isEmpty
      ? fileText(added, format)
      : await editCourses(text, sourceFormat, replacements, rows);
    return requireReadable(edited, name);
  };
  return [{ action: "edit", ...place, edit }];
}

/** Refuses a text that is larger than the files that commands read. @throws CatalogError of kind `output` */
function requireReadable(text: string, name: string): string {
  if (Buffer.byteLength(text) <= MAX_FILE_SIZE) return text;
  const limit = `${MAX_FILE_SIZE / 1024 / 1024} MiB, the limit for a file`;
  throw new CatalogError("output", `${name} would be larger than ${limit}`, {
    file: name,
    advice: "Pass a folder to --out, so that each course gets a separate file.",
  });
}

function nameOf({ id, key, url }: PlainObject): string {
  return String(id ?? key ?? url ?? "");
}

/** The text that a file is named after: the last part of the url's path, or else the course's name. */
function slugOf({ url, name }: PlainObject): string {
  const path = typeof url === "string" ? (parseUrl(url)?.pathname ?? "") : "";
  const encoded = basename(path);
  const decoded = attempt(() => decodeURIComponent(encoded)) ?? encoded;
  const last = decoded.replace(/\.\w{2,5}$/, "");
  const text = /\p{L}{2}/u.test(last) ? last : String(name ?? "");
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 80;
