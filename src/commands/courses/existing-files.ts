/** Finds out which courses of the catalog the files of a folder describe, and edits these files. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { attempt } from "../../base/errors.ts";
import { isUuid } from "../../base/uuid.ts";
import { isObject, type PlainObject } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import { resolveProvider } from "../../course/ownership.ts";
import type { Provider } from "../../course/provider.ts";
import { type Course, derivedId } from "../../course/request-body.ts";
import { decode, readBytes } from "../../files/bytes.ts";
import { CHANGED, type ChangeCourses } from "../../files/edit.ts";
import { type EditOptions, editFile } from "../../files/edit-file.ts";
import { type LoadedFile, loadCourses } from "../../files/load.ts";
import type { SourceCourse } from "../../files/read.ts";

export interface FileCourse {
  readonly source: SourceCourse;
  readonly file: LoadedFile;
  /** With defaults, and `provider` replaced by `provider_id`. */
  readonly described: PlainObject;
}

/** A course exactly as its file contains it, without default values. */
export function writtenValue({ value, defaults }: SourceCourse): unknown {
  if (!isObject(value) || defaults === undefined || defaults.size === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !defaults.has(name)));
}

/**
 * Replaces courses of a file that was read before. @param values by the index of the course in the file
 * @throws CatalogError of kind `file` if the file has changed since
 */
export async function editExisting(
  { name, courses }: LoadedFile,
  values: ReadonlyMap<number, unknown>,
  { folder }: Pick<Context, "folder">,
  options: EditOptions,
): Promise<void> {
  const change: ChangeCourses = (written) => {
    const isSame = isDeepStrictEqual(written, courses.map(writtenValue));
    return isSame ? written.map((value, index) => values.get(index) ?? value) : CHANGED;
  };
  await editFile({ name, path: resolve(folder, name) }, change, options);
}

/** What the files of a folder contain. */
export interface ExistingFiles {
  readonly courses: readonly FileCourse[];
  /** Files that cannot be read or parsed, by name, with what can be read of their text. */
  readonly damaged: ReadonlyMap<string, string>;
}

/** Reads every course file below a folder; none if the folder does not exist. */
export async function readExistingFiles(
  folder: string,
  providers: readonly Provider[],
  context: Pick<Context, "folder" | "io" | "messages">,
): Promise<ExistingFiles> {
  const courses: FileCourse[] = [];
  const damaged = new Map<string, string>();
  const exists = await stat(resolve(context.folder, folder)).catch(() => undefined);
  if (exists === undefined) return { courses, damaged };
  const options = { folder: context.folder, input: context.io.in };
  for await (const file of loadCourses([folder], options)) {
    // A folder or a file without courses is no problem here.
    if (file.failure?.kind === "usage") continue;
    const problem = file.problems.length > 0 ? file.diagnostics[0] : undefined;
    if (file.failure !== undefined || problem !== undefined) {
      damaged.set(file.name, readText(file.name, context.folder));
      const where = problem === undefined ? "" : `:${problem.line}:${problem.column}`;
      const reason = file.failure?.message ?? problem?.message;
      await context.messages.warn(`${file.name}${where} was not compared: ${reason}`);
      continue;
    }
    for (const source of file.courses) {
      if (!isObject(source.value)) continue;
      const described = resolveProvider(source.value, providers);
      courses.push({ source, file, described });
    }
  }
  return { courses, damaged };
}

function readText(name: string, folder: string): string {
  return attempt(() => decode(readBytes({ name, path: resolve(folder, name) })).text) ?? "";
}

/** The ways in which a file identifies a course, in the order in which they count. */
const IDENTITIES: readonly ((course: PlainObject) => string | undefined)[] = [
  ({ id }) => (typeof id === "string" ? `id:${id.toLowerCase()}` : undefined),
  (course) => (hasKey(course) ? deriveIdentity(course) : undefined),
  ({ url }) => (typeof url === "string" ? `url:${url}` : undefined),
  // The id that a push gave to the course, whose url may have changed since.
  (course) => (hasKey(course) ? undefined : deriveIdentity(course)),
];

function hasKey({ [EXTERNAL_KEY]: key }: PlainObject): boolean {
  return typeof key === "string" && key !== "";
}

/** The id that a push gives to a course without one. */
function deriveIdentity(course: PlainObject): string | undefined {
  const { id, provider_id: provider, url } = course;
  const isDerivable = (id ?? null) === null && isUuid(provider) && typeof url === "string";
  return isDerivable ? `id:${derivedId(course)}` : undefined;
}

/** The file courses that describe each course of the catalog, by the course's id; usually one. */
export function matchCourses(
  courses: readonly Course[],
  existing: readonly FileCourse[],
): ReadonlyMap<string, readonly FileCourse[]> {
  const found = new Map<string, FileCourse[]>();
  const used = new Set<FileCourse>();
  for (const identify of IDENTITIES) {
    const known = new Map<string, FileCourse>();
    for (const candidate of existing) {
      const identity = used.has(candidate) ? undefined : identify(candidate.described);
      if (identity !== undefined && !known.has(identity)) known.set(identity, candidate);
    }
    for (const { id, url } of courses) {
      if (found.has(id)) continue;
      const byUrl = typeof url === "string" ? known.get(`url:${url}`) : undefined;
      const match = known.get(`id:${id.toLowerCase()}`) ?? byUrl;
      if (match === undefined || used.has(match)) continue;
      found.set(id, [match]);
      used.add(match);
    }
  }
  const ids = new Map<string, string>();
  for (const { id, url } of courses) {
    ids.set(`id:${id.toLowerCase()}`, id);
    if (typeof url === "string" && !ids.has(`url:${url}`)) ids.set(`url:${url}`, id);
  }
  // What is left may be further copies of the same courses.
  for (const copy of existing) {
    if (used.has(copy)) continue;
    const identities = IDENTITIES.map((identify) => identify(copy.described));
    // An id or key that no course has means another course, even if the url is the same.
    const id = ids.get(identities.find((identity) => identity !== undefined) ?? "");
    if (id !== undefined) found.get(id)?.push(copy);
  }
  return found;
}
