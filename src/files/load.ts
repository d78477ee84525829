/** Loads course files: finds, reads, parses and validates one after another, with ids, keys and urls across all. */
import type { Readable } from "node:stream";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { formatNumber, joinList, quoteShell } from "../base/text.ts";
import { findValues, formatPath, isObject, isUuid, type Path, valueAt } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { COURSE_SHAPE, keyAt } from "../course/fields.ts";
import {
  MAX_FINDINGS,
  type Mode,
  type Problem,
  problemAt,
  type Severity,
  wholeProblem,
} from "../course/problem.ts";
import { checkOwnership, type Provider, resolveProvider } from "../course/provider.ts";
import { keysOf, PROVIDER_KEY, UNIQUE_RULES, UniqueValues } from "../course/special-fields.ts";
import { isProse } from "../course/text-rules.ts";
import {
  type CourseFile,
  courseTest,
  type OwnFields,
  parseCourseFile,
  type SourceCourse,
  unreadFile,
} from "./course-file.ts";
import { noCourse, readSource } from "./decode.ts";
import { checkDefaults, Defaults } from "./defaults.ts";
import { type Diagnostic, placeProblem } from "./diagnostic.ts";
import { findSources, isDefaults, type Reader } from "./find.ts";
import type { TableOptions } from "./parse.ts";
import { expandKeys, placeByKeys } from "./path-keys.ts";

export interface LoadOptions extends Reader, TableOptions {
  /** As in `checkCourse`; `syntax` validates only the text. By default, `create`. */
  readonly mode?: Mode | "syntax";
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** The severity of entries that look like course files and are not read; by default, a warning. */
  readonly unread?: Severity;
  /** Receives, from time to time, how many of the files have been read. */
  readonly onProgress?: (state: { readonly done: number; readonly of: number }) => void;
  /** Changes each course before it is validated, as flags do. */
  readonly amend?: (course: unknown) => unknown;
}

/**
 * Yields every course file of the paths, in the order of the paths, and each defaults file before the first file that
 * it fills; `-` is standard input. Only the ids, keys and urls of earlier files are remembered, so that ten thousand
 * files need no more memory than the largest file.
 */
export async function* loadCourses(
  paths: readonly string[],
  options: LoadOptions,
): AsyncGenerator<CourseFile, void> {
  const { mode = "create", onProgress, input, unread, providers } = options;
  const values = new UniqueValues<string>();
  const reported = new Set<string>();
  const defaults = new Defaults(options);
  const sources = await findSources(paths, options);
  let waiting = Number.POSITIVE_INFINITY;
  let isFound = paths.length === 0 || mode === "syntax";
  for (const [index, source] of sources.entries()) {
    onProgress?.({ done: index, of: sources.length });
    // Lets signals and progress be handled, and the memory of texts be freed.
    if (waiting > LONG) await yieldToEventLoop();
    if (waiting > LONG) waiting = 0;
    try {
      if (source instanceof CatalogError) throw source;
      const bytes = await readSource(source, input.stream);
      waiting += bytes.length;
      const read = await parseCourseFile(source, bytes, options);
      // A partial file leaves out what does not change.
      const isComplete = mode !== "patch" && source.path !== "";
      const filled = isComplete ? await defaults.fill(read, source.path) : read;
      for (const each of defaults.files.splice(0)) {
        const checked = await withProblems(each, { check: checkDefaults, reported });
        yield { ...checked, courses: [] };
      }
      const missing = mode === "create" ? findMissing(filled) : [];
      const kind = missing.length > 0 ? "patch" : mode;
      const file = amend(filled, options.amend, kind);
      const isMany = Math.max(sources.length, file.courses.length) > MANY;
      const check = (course: SourceCourse): Problem[] =>
        problemsOf(course, kind === "patch" ? kind : "create", isMany);
      const checks = { check, providers, values, reported };
      const checked = mode === "syntax" ? file : await withProblems(file, checks);
      const problems = await describeMissing(missing, file);
      yield { ...checked, diagnostics: [...problems, ...checked.diagnostics] };
      // Files without problems and without courses have objects of other programs.
      isFound ||= file.courses.length > 0 || file.diagnostics.length > 0;
    } catch (error) {
      const failure = asCatalogError(error);
      if (failure.kind !== "file") throw failure;
      yield unreadFile(failure, unread);
      isFound = true;
    }
  }
  if (!isFound) yield unreadFile(noCourse(paths[0] ?? ""));
}

const REQUIRED = COURSE_SHAPE.keys
  .filter(({ name, required }) => required && name !== PROVIDER_KEY)
  .map(({ name }) => name);

/** The required fields that all courses of a file lack, each of which has an id, as an export of some fields does. */
function findMissing({ courses }: CourseFile): readonly string[] {
  const lacks = (value: unknown, name: string): boolean =>
    isObject(value) && !keysOf(name).some((key) => Object.hasOwn(value, key));
  const [first, ...others] = courses;
  // In a file of one course, each field may have been forgotten.
  if (others.length === 0) return [];
  const missing = REQUIRED.filter((name) => lacks(first?.value, name));
  const isExport = courses.every(
    ({ value }) =>
      isObject(value) &&
      isUuid(value.id) &&
      REQUIRED.every((name) => lacks(value, name) === missing.includes(name)),
  );
  return isExport ? missing : [];
}

/** The one problem of an export of some fields. */
async function describeMissing(
  missing: readonly string[],
  { name, courses: [first] }: CourseFile,
): Promise<readonly Diagnostic[]> {
  if (missing.length === 0 || first === undefined) return [];
  const message = `all courses of this file lack ${joinList(missing, "and")}, so only update accepts it: catalog courses update ${quoteShell(name)}`;
  return [await placeProblem(first, wholeProblem("required", message))];
}

/** A file with the problems of its courses and, if it was meant as courses and has none, how to begin. */
async function withProblems(file: CourseFile, checks: Checks): Promise<CourseFile> {
  const { name, courses, isNamed } = file;
  const found = await findProblems(file, checks);
  const diagnostics = [...file.diagnostics, ...found].sort(
    (one, other) => one.line - other.line || one.column - other.column,
  );
  const isCourse = courseTest(file.columns);
  const isStart = isNamed && courses.length > 0 && !courses.some(({ value }) => isCourse(value));
  const begin = `${name}: to begin with a template, run: catalog courses init`;
  return { ...file, diagnostics, notices: isStart ? [...file.notices, begin] : file.notices };
}

/** Bytes of course files that are read without a pause. */
const LONG = 64 * 1024;

/** So many courses or files that compiling the schema takes less time than it saves. */
const MANY = 200;

function problemsOf(
  { value, parts = [], own }: SourceCourse,
  mode: Mode,
  isMany: boolean,
): Problem[] {
  const isOwn = ({ path: [field] }: Problem): boolean =>
    field === undefined || keysOf(field).some((name) => own?.fields.has(String(name)));
  // A change of a part must leave the field complete.
  const isBroken = ({ path: [field], rule }: Problem): boolean =>
    mode === "patch" && rule === "incomplete" && own?.fields.get(String(field)) === true;
  const found = checkCourse(value, mode, isMany);
  // What a workbook remembers of other fields is in the catalog, and cannot be mended in the row.
  const problems = (own?.isKnown ? found.filter(isOwn) : found).map((problem): Problem => {
    return isBroken(problem) ? { ...problem, severity: "error" } : problem;
  });
  if (parts.length === 0) return problems;
  return problems.filter(
    // If a row gives only parts of a field, the catalog has the others, and those that null removes.
    ({ at, path: [field] }) =>
      !parts.some((part) => part.path[0] === field && (at === "parent" || part.value === null)),
  );
}

/**
 * Changes courses as flags do. In a partial update, cells and keys that are only parts of a field are also the course's
 * `parts`.
 */
function amend(file: CourseFile, change: LoadOptions["amend"], mode: Mode | "syntax"): CourseFile {
  const isPatch = mode === "patch";
  if (!isPatch && change === undefined) return file;
  const columns = isPatch ? file.columns?.filter(({ length }) => length > 1) : [];
  const courses = file.courses.map((source): SourceCourse => {
    const isInside = columns !== undefined && source.own?.isKnown !== true;
    const { course, inside } = isInside ? { course: source, inside: columns } : withKeys(source);
    const value = change === undefined ? course.value : change(course.value);
    if (source.own?.isKnown) return { ...course, value, own: amendOwn(source.own, course, value) };
    // A flag that replaces a field also replaces all parts of the field.
    const given = inside.filter((path) => valueAt(value, path) === valueAt(course.value, path));
    const parts = given
      .map((path) => ({ path, value: valueAt(value, path) }))
      .filter((part) => part.value !== undefined);
    // V8 gives the result of each spread another hidden class, which costs memory.
    return value === course.value && parts.length === 0 ? course : { ...course, value, parts };
  });
  return { ...file, courses };
}

/** The fields of a row, and those that flags have changed. */
function amendOwn(own: OwnFields, { value: before }: SourceCourse, value: unknown): OwnFields {
  const names = isObject(value) ? Object.keys(value) : [];
  const changed = names.filter((name) => valueAt(value, [name]) !== valueAt(before, [name]));
  return {
    ...own,
    fields: new Map([...own.fields, ...changed.map((name) => [name, false] as const)]),
  };
}

/** A course in which keys with paths are the values that they give, and their paths. */
function withKeys(source: SourceCourse): { course: SourceCourse; inside: readonly Path[] } {
  const { value, keys } = isObject(source.value)
    ? expandKeys(source.value)
    : { ...source, keys: [] };
  if (keys.length === 0) return { course: source, inside: [] };
  const course = { ...source, value, place: placeByKeys(source.place, keys) };
  return { course, inside: keys.map(({ path }) => path) };
}

export interface Checks {
  /** Finds the problems of a course by itself. */
  readonly check?: (course: SourceCourse) => Problem[];
  /** The user's providers, if they are known. Courses must belong to one of them. */
  readonly providers?: readonly Provider[] | undefined;
  /** Where each id, key and url of earlier courses was first, such as `a.yaml:12`. */
  readonly values?: UniqueValues<string>;
  /** The problems of earlier courses that need only one report. */
  readonly reported?: Set<string>;
}

/** The problems of the courses of a file, with repeated ids, keys and urls: each cause once. */
export async function findProblems(
  { courses, columns }: Pick<CourseFile, "courses" | "columns">,
  { check = () => [], providers, values = new UniqueValues(), reported = new Set() }: Checks,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const counts = { error: 0, warning: 0 };
  for (const course of courses) {
    const { value, file } = course;
    const problems = check(course).map((problem) => atColumn(problem, columns));
    if (columns !== undefined && isNoCourse(problems, columns))
      problems.splice(0, problems.length, NO_COURSE);
    if (course.mayBeCut) problems.push(...(await findCut(course)));
    let owned = value;
    if (providers !== undefined && isObject(value)) {
      const isPlaceholder = problems.some(
        ({ rule, path }) => rule === "placeholder" && path[0] === PROVIDER_KEY,
      );
      if (!isPlaceholder) problems.push(...checkOwnership(value, providers));
      // The file may name the provider by a slug or a domain.
      owned = resolveProvider(value, providers);
    }
    for (const { field, first, haveIds } of values.findRepeated(owned, `${file}:${course.line}`)) {
      const message = `same ${field} as the course at ${first}`;
      // The catalog may have two courses with one url.
      const rule = field === "url" && haveIds ? "shared-url" : UNIQUE_RULES[field];
      problems.push(wholeProblem(rule, message, { path: [field] }));
    }
    for (const problem of problems) {
      const { rule, path, severity, message } = problem;
      // The problem of a misspelled key suggests the key.
      const keys = rule === "required" && path.length > 0 ? keysOf(path.at(-1)) : [];
      if (problems.some(({ suggestion = "" }) => keys.includes(suggestion))) continue;
      const source = course.defaults?.get(String(path[0]))?.file ?? file;
      if (isShared(problem, source, columns)) {
        const before = reported.size;
        reported.add(JSON.stringify([source, rule, path, message]));
        if (reported.size === before) continue;
      }
      if (++counts[severity] <= MAX_FINDINGS) found.push(await placeProblem(course, problem));
      else if (severity === "error") return [...found, await placeProblem(course, TOO_MANY)];
    }
  }
  return found;
}

/** Whether a row has at most one of the required values for which there are columns, and no url: a total or a title. */
function isNoCourse(problems: readonly Problem[], columns: readonly Path[]): boolean {
  const missing = problems.filter(({ rule, at, path }) => {
    return rule === "required" && at !== "key" && path.length === 1;
  });
  const required = columns.filter((path) => path.length === 1 && keyAt(path)?.required);
  const hasUrl = !missing.some(({ path: [field] }) => field === "url");
  return !hasUrl && missing.length > 1 && missing.length >= required.length - 1;
}

const NO_COURSE = wholeProblem(
  "required",
  "this row has no url and almost no other values; if it is a total or a title, delete it",
);

/** The texts of a course that a comment follows in the same line. */
async function findCut({ value, place }: SourceCourse): Promise<Problem[]> {
  const isString = (part: unknown): part is string => typeof part === "string";
  const problems: Problem[] = [];
  for (const { path } of findValues(value, isString)) {
    if (isProse(path) && (await place(path)).isCut) problems.push(problemAt(path, "cut-text", CUT));
  }
  return problems;
}

const CUT = 'ends before " #", which begins a comment; if it is text, put the value in quotes';

const STOPPED = `more than ${formatNumber(MAX_FINDINGS)} errors in this file; catalog did not check the rest`;
const TOO_MANY = wholeProblem("too-many", STOPPED);

/** The problem of a missing value, which is one of the header if the table has no column for the value. */
function atColumn(problem: Problem, columns: CourseFile["columns"]): Problem {
  const { rule, path } = problem;
  const isMissing = rule === "required" || rule === "incomplete";
  if (!isMissing || columns === undefined) return problem;
  const [name = "", ...inside] = path;
  const paths = keysOf(name).map((key) => [key, ...inside]);
  // A column may also contain the object around the value.
  const hasValue = (column: Path): boolean =>
    paths.some((each) => column.every((step, index) => step === each[index]));
  if (columns.some(hasValue)) return problem;
  return {
    ...problem,
    at: "key",
    message: `the table has no column ${formatPath(paths.at(-1) ?? path)}`,
  };
}

/** Whether several courses have a problem for one cause: a default value, or the name of a column. */
function isShared({ at, path, rule }: Problem, source: string, columns: readonly Path[] = []) {
  // All courses of a listing have the fields that only the service sets.
  if (isDefaults(source) || rule === "read-only") return true;
  const isColumn = (column: Path): boolean => isDeepStrictEqual(column, path);
  const isOfHeader = path.length < 2 || rule === "required" || rule === "incomplete";
  return at === "key" && columns.length > 0 && (isOfHeader || columns.some(isColumn));
}
