/** Finds for imported courses the courses of files that they mean, what they change in these, and names for new files. */
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseUrl } from "../base/credentials.ts";
import { attempt } from "../base/errors.ts";
import { addTo, countEach, isObject, type PlainObject } from "../base/values.ts";
import type { ExistingCourse, ExistingFiles } from "../core/existing-files.ts";
import { CourseIndex, describeUnclear, isUnclear } from "../core/identify.ts";
import { type Change, diffCourses } from "../course/difference.ts";
import { EXTERNAL_KEY, isPrivateKey, PROVIDER_KEY } from "../course/special-fields.ts";
import { writtenValue } from "../files/course-file.ts";
import { chooseFileNames } from "../files/file-names.ts";
import type { FileFormat } from "../files/parse.ts";
import { fileCourse, withChanges } from "../files/write.ts";
import type { Imported } from "./check-imported.ts";

/** An imported course, and the same course in a file, if there is one. */
export interface ImportItem extends Imported {
  readonly match?: ExistingCourse;
  /** The new content of the file; undefined if the content stays the same. */
  readonly wanted?: PlainObject | undefined;
  readonly changes?: readonly Change[];
}

/**
 * Finds for each imported course the course of a file that it means, or the course with its name if one of both has only a
 * name, as after an import with an incomplete mapping; and what would change in it.
 */
export function matchImported(
  courses: readonly Imported[],
  { courses: existing }: ExistingFiles,
): ImportItem[] {
  const files = new Map<unknown, ExistingCourse>(existing.map((each) => [each.described, each]));
  const index = new CourseIndex(existing.map(({ described }) => described));
  const nameOf = (course: unknown): string => {
    const { file, line } = files.get(course)?.source ?? {};
    return `${file}:${line}`;
  };
  const meanings = courses.map(({ course }) => index.identify(course));
  const found = new Set(meanings.map((meaning) => meaning.is === "found" && meaning.course));
  const others = existing.filter(({ described }) => !found.has(described));
  const takeByName = ({ name, url }: PlainObject): ExistingCourse | undefined => {
    const place = others.findIndex(
      ({ described: each }) => name && each.name === name && !(url && each.url),
    );
    return place === -1 ? undefined : others.splice(place, 1)[0];
  };
  return courses.map((imported, row) => {
    const { course } = imported;
    const meaning = meanings[row];
    if (meaning === undefined) return imported;
    if (isUnclear(meaning)) {
      const unclear = describeUnclear(course, meaning, { where: "in the files", nameOf });
      return { ...imported, unclear };
    }
    const match = meaning.is === "found" ? files.get(meaning.course) : takeByName(course);
    return match === undefined ? imported : { ...imported, match, ...wantedCourse(course, match) };
  });
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

/** The formats that import writes. */
export type ImportFormat = "yaml" | "json" | "csv" | "ndjson";

/** The courses by the names of their files: the file that is named, or else the files of a folder. @param out as typed */
export function placeImported(
  items: readonly ImportItem[],
  {
    out,
    isFile,
    format,
  }: { readonly out: string; readonly isFile: boolean; readonly format: ImportFormat },
  { names: taken }: ExistingFiles,
): ReadonlyMap<string, readonly ImportItem[]> {
  // Without an id, a file whose name is taken gets one that depends on what the course is, and on its row.
  const idOf = ({ id, key, url }: PlainObject, index: number) => `${id ?? key ?? url} ${index}`;
  const slugs = items.map(({ course }) => slugsOf(course));
  const uses = countEach(slugs.flatMap((own) => [...new Set(own)]));
  const fresh = items.flatMap(({ match, course }, index) => {
    const [first, ...others] = slugs[index] ?? [];
    const slug = [first, ...others].find((own = "") => uses.get(own) === 1) ?? first;
    return match === undefined ? [{ id: idOf(course, index), slug }] : [];
  });
  const names = chooseFileNames(fresh, format as FileFormat, taken);
  const byFile = new Map<string, ImportItem[]>();
  for (const [index, item] of items.entries()) {
    const own = item.match?.file.name ?? join(out, names.get(idOf(item.course, index)) ?? "");
    addTo(byFile, isFile ? out : own, item);
  }
  return byFile;
}

/** The texts that a file can be named after: the last part of the url's path, unless it is a program; the name, alone or with the key or the query. */
function slugsOf({ url, name, [EXTERNAL_KEY]: key }: PlainObject): string[] {
  const { pathname = "", search = "" } = parseUrl(String(url)) ?? {};
  const last = basename(attempt(() => decodeURIComponent(pathname)) ?? pathname);
  const isProgram = search !== "" || /\.(?:aspx?|cgi|do|jsp|php\d?)$/i.test(last);
  const ofUrl = isProgram ? "" : last.replace(/\.\w{2,5}$/, "");
  const texts = [ofUrl, ...["", key ?? "", search].map((end) => `${name ?? ""} ${end}`)];
  return texts
    .filter((text) => /\p{L}{2}/u.test(text))
    .map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
        .replace(/-$/, ""),
    );
}
