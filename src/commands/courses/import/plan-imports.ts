/** Finds the file of each imported course: one that describes it already, or a new one. */
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { attempt } from "../../../base/errors.ts";
import { parseUrl } from "../../../base/http.ts";
import { addTo, isObject, type PlainObject } from "../../../base/values.ts";
import { diffCourses } from "../../../course/difference.ts";
import { EXTERNAL_KEY, isPrivateKey, PROVIDER_KEY } from "../../../course/field-names.ts";
import { UNIQUE_FIELDS } from "../../../course/unique-fields.ts";
import { withChanges } from "../../../files/course-changes.ts";
import { chooseFileNames, listCourseFileNames } from "../../../files/file-names.ts";
import type { FileFormat } from "../../../files/formats.ts";
import { type ExistingFiles, type FileCourse, writtenValue } from "../existing-files.ts";
import type { Imported } from "./imported.ts";

/** An imported course with its file. */
export interface ImportItem extends Imported {
  /** The name of its file in messages. */
  readonly name: string;
  /** Where it is described already. */
  readonly match?: FileCourse;
  /** What the file is to contain; undefined if it contains it. */
  readonly wanted?: PlainObject;
  /** The name of its new file in the folder. */
  readonly newFile?: string;
}

/** The files of courses in a folder. @param path of the folder, absolute */
export function planFolder(
  courses: readonly Imported[],
  existing: ExistingFiles,
  { folder, path, format }: { folder: string; path: string; format: FileFormat },
): ImportItem[] {
  const items = matchImported(courses, existing);
  const nameables = items.flatMap(({ match, course }, index) =>
    match === undefined ? [{ id: `${nameOf(course)} ${index}`, slug: slugOf(course), index }] : [],
  );
  const names = chooseFileNames(nameables, format, listCourseFileNames(path));
  const files = new Map(nameables.map(({ id, index }) => [index, names.get(id) ?? ""]));
  return items.map((item, index) => {
    const newFile = files.get(index);
    return newFile === undefined ? item : { ...item, name: join(folder, newFile), newFile };
  });
}

/**
 * The courses, with those that files describe already matched by id, then key, then url. A file course
 * that has none of them, as after an import with an incomplete mapping, is matched by its name.
 */
export function matchImported(
  courses: readonly Imported[],
  existing: ExistingFiles,
  name = "",
): ImportItem[] {
  const matches = new Map<Imported, FileCourse>();
  const used = new Set<FileCourse>();
  for (const field of UNIQUE_FIELDS) {
    const known = new Map<string, FileCourse[]>();
    for (const candidate of existing.courses) {
      const value = identityOf(candidate.described, field);
      if (value !== undefined) addTo(known, value, candidate);
    }
    for (const imported of courses) {
      if (matches.has(imported)) continue;
      const candidates = known.get(identityOf(imported.course, field) ?? "") ?? [];
      const match =
        field === EXTERNAL_KEY
          ? candidates.find(({ described }) => !haveOtherProviders(imported.course, described))
          : candidates[0];
      if (match === undefined || used.has(match)) continue;
      matches.set(imported, match);
      used.add(match);
    }
  }
  const named = new Map<unknown, FileCourse[]>();
  for (const candidate of existing.courses) {
    const { described } = candidate;
    const isUnidentified = UNIQUE_FIELDS.every((field) => !identityOf(described, field));
    if (isUnidentified && typeof described.name === "string")
      addTo(named, described.name, candidate);
  }
  for (const imported of courses) {
    if (matches.has(imported)) continue;
    const candidates = named.get(imported.course.name) ?? [];
    const match =
      candidates.find((each) => !used.has(each) && !wantedCourse(imported.course, each)) ??
      (candidates.length === 1 ? candidates[0] : undefined);
    if (match === undefined || used.has(match)) continue;
    matches.set(imported, match);
    used.add(match);
  }
  return courses.map((imported): ImportItem => {
    const match = matches.get(imported);
    if (match === undefined) return { ...imported, name };
    const wanted = wantedCourse(imported.course, match);
    const item = { ...imported, name: match.file.name, match };
    return wanted === undefined ? item : { ...item, wanted };
  });
}

function identityOf(course: PlainObject, field: string): string | undefined {
  const value = course[field];
  if (typeof value !== "string" || value === "") return undefined;
  return field === "id" ? value.toLowerCase() : value;
}

/** Whether both name a provider in the same way, and not the same one: a key belongs to one provider. */
function haveOtherProviders(one: PlainObject, other: PlainObject): boolean {
  return ["provider_id", PROVIDER_KEY].some((name) => {
    const [left, right] = [one[name], other[name]];
    const areGiven = typeof left === "string" && typeof right === "string";
    return areGiven && left.toLowerCase() !== right.toLowerCase();
  });
}

/** The content of a file with the imported fields; undefined if they are the same. */
function wantedCourse(imported: PlainObject, { source, described }: FileCourse) {
  const value = writtenValue(source);
  const written = isObject(value) ? value : {};
  const changes = diffCourses(imported, described);
  const changed = withChanges(written, changes, {
    remote: imported,
    provider: undefined,
    defaults: new Set(source.defaults?.keys()),
  });
  const own = Object.entries(imported).filter(
    ([name, value]) =>
      (name === PROVIDER_KEY || name === EXTERNAL_KEY || isPrivateKey(name)) &&
      !isDeepStrictEqual(value, described[name]),
  );
  const wanted: Record<string, unknown> = { ...changed, ...Object.fromEntries(own) };
  // Whether both mean the same provider is unknown here, and a course has only one of the keys.
  if (imported[PROVIDER_KEY] !== undefined && imported.provider_id === undefined) {
    delete wanted.provider_id;
  }
  return isDeepStrictEqual(wanted, written) ? undefined : wanted;
}

function nameOf({ id, key, url }: PlainObject): string {
  return String(id ?? key ?? url ?? "");
}

/** What a file is named after: the last part of the url's path, else the course's name. */
function slugOf({ url, name }: PlainObject): string {
  const path = typeof url === "string" ? (parseUrl(url)?.pathname ?? "") : "";
  const last = decodeSafely(basename(path)).replace(/\.\w{2,5}$/, "");
  const text = /\p{L}{2}/u.test(last) ? last : String(name ?? "");
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 80;

function decodeSafely(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text;
}
