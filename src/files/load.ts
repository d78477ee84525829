/** Loads course files: finds, reads, parses and validates them, file after file. */

import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { yieldToEventLoop } from "../base/async.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { copyString, formatNumber } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../course/field-names.ts";
import { checkOwnership } from "../course/ownership.ts";
import type { Problem, RuleId, Severity } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";
import { Defaults } from "./defaults.ts";
import {
  type Diagnostic,
  placeOf,
  placeProblem,
  type Related,
  sortByPlace,
  textDiagnostics,
  unreadDiagnostic,
} from "./diagnostic.ts";
import { DEFAULTS_FILE, type FoundFile, findFiles, type UnreadEntry } from "./find.ts";
import { findInexactNumbers } from "./inexact.ts";
import { MAX_FINDINGS } from "./parsed.ts";
import { LineIndex } from "./position.ts";
import { readCourseFile, readCourseStream, type SourceCourse, type SourceFile } from "./read.ts";

/** What to load, and how to validate it. */
export interface LoadOptions {
  /** The folder that relative paths start from. */
  readonly folder: string;
  /** What the path `-` reads. */
  readonly input: { readonly stream: Readable };
  /** Files that a folder does not include, such as reports of an earlier run. */
  readonly except?: readonly string[];
  /** As in `checkCourse`; `syntax` validates only the text. `create` if left out. */
  readonly mode?: "create" | "patch" | "syntax";
  /** The user's providers, where they are known: courses must belong to one of them. */
  readonly providers?: readonly Provider[];
  /** How entries that look like course files and are not read are reported; by default as warnings. */
  readonly unread?: Severity;
  /** Changes each course before it is validated, as flags do. */
  readonly amend?: (course: unknown) => unknown;
}

/** A file that was loaded, or could not be. */
export interface LoadedFile extends SourceFile {
  /** Sorted by position; a file that cannot be read has one at its beginning. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why the file could not be read, or that it is empty. */
  readonly failure?: CatalogError;
}

/** The path that means standard input. */
const STANDARD_INPUT = "-";
/** Signals and progress are served after this many files. */
const FILES_PER_TURN = 16;

/**
 * Yields every course file of the paths, in their order; `-` is standard input. Only the ids,
 * keys and urls of earlier files are remembered, so that ten thousand files need no more memory than the
 * largest.
 */
export async function* loadCourses(
  paths: readonly string[],
  options: LoadOptions,
): AsyncGenerator<LoadedFile, void> {
  const state = { duplicates: new Duplicates(), defaults: new Defaults(options.folder) };
  const sources = await findSources(paths, options);
  for (const [index, source] of sources.entries()) {
    if (index % FILES_PER_TURN === 0) await yieldToEventLoop();
    const file = await readSource(source, options);
    if (file instanceof CatalogError) yield unreadFile(file);
    else if ("reason" in file) yield unreadEntry(file, options);
    else {
      const reread = isFile(source) ? rereadFile(source) : returnFile(file);
      const filled = isFile(source) ? await withDefaults(file, source, state, options) : file;
      yield await validate(amended(filled, options), reread, state, options);
    }
  }
}

/** Only complete courses are filled: a partial update has the fields that it gives. */
async function withDefaults(
  file: SourceFile,
  { path }: FoundFile,
  { defaults }: LoadState,
  { mode = "create" }: LoadOptions,
): Promise<SourceFile> {
  return mode === "create" ? await defaults.apply(file, path) : await defaults.attach(file, path);
}

type Source = FoundFile | UnreadEntry | typeof STANDARD_INPUT | CatalogError;

async function findSources(
  paths: readonly string[],
  { folder, except = [] }: LoadOptions,
): Promise<Source[]> {
  const seen = new Set<string>();
  const leftOut = new Set(except.map((path) => resolve(folder, path)));
  const sources: Source[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) {
      sources.push(path);
      continue;
    }
    try {
      const { failures, files, unread } = await findFiles(path, folder, seen, leftOut);
      // A shell's pattern may match it.
      const isDefaults = (file: FoundFile): boolean => basename(file.path) === DEFAULTS_FILE;
      for (const source of [...failures, ...unread]) sources.push(source);
      for (const source of files) if (!isDefaults(source)) sources.push(source);
    } catch (error) {
      sources.push(asCatalogError(error));
    }
  }
  if (sources.length === 0 && paths.length > 0) sources.push(onlyDefaults());
  return sources;
}

function onlyDefaults(): CatalogError {
  return new CatalogError("usage", `${DEFAULTS_FILE} is not a course file`, {
    file: DEFAULTS_FILE,
    rule: "no-course",
    advice: "It is checked together with the course files of its folder: pass the folder.",
  });
}

function isFile(source: Source): source is FoundFile {
  return source !== STANDARD_INPUT && !(source instanceof CatalogError) && !("reason" in source);
}

async function readSource(
  source: Source,
  { input }: LoadOptions,
): Promise<SourceFile | UnreadEntry | CatalogError> {
  if (source instanceof CatalogError) return source;
  if (source !== STANDARD_INPUT && "reason" in source) return source;
  try {
    return source === STANDARD_INPUT
      ? await readCourseStream(input.stream)
      : await readCourseFile(source);
  } catch (error) {
    return asCatalogError(error);
  }
}

/** Reads a file again; undefined if it has disappeared. */
type Reread = () => Promise<SourceFile | undefined>;

// Two top-level functions, so that the first closure does not keep the file's content in memory.
function rereadFile(file: FoundFile): Reread {
  return async () => await readCourseFile(file).catch(() => undefined);
}

function returnFile(file: SourceFile): Reread {
  return async () => file;
}

function unreadFile(failure: CatalogError): LoadedFile {
  return { ...emptyFile(unreadDiagnostic(failure)), failure };
}

/** An entry that is left alone: only `severity` tells whether the run may go on without it. */
function unreadEntry({ name, reason }: UnreadEntry, { unread = "warning" }: LoadOptions) {
  const message = `not read, because it ${reason}`;
  const failure = new CatalogError("file", message, { file: name, rule: "not-read" });
  return emptyFile({ ...unreadDiagnostic(failure), severity: unread });
}

function emptyFile(diagnostic: Diagnostic): LoadedFile {
  return {
    name: diagnostic.file,
    courses: [],
    problems: [],
    lines: new LineIndex(""),
    lateProblem: async () => undefined,
    diagnostics: [diagnostic],
  };
}

function amended(file: SourceFile, { amend }: LoadOptions): SourceFile {
  if (amend === undefined) return file;
  return {
    ...file,
    courses: file.courses.map((course) => ({ ...course, value: amend(course.value) })),
  };
}

const TOO_MANY: Problem = {
  rule: "too-many",
  severity: "error",
  at: "value",
  path: [],
  message: `more than ${formatNumber(MAX_FINDINGS)} findings in this file; the rest of it was not checked`,
};

/** What is remembered of the files before. */
interface LoadState {
  readonly duplicates: Duplicates;
  readonly defaults: Defaults;
}

async function validate(
  file: SourceFile,
  reread: Reread,
  { duplicates, defaults }: LoadState,
  options: LoadOptions,
): Promise<LoadedFile> {
  const inDefaults = defaults.takeDiagnostics();
  const diagnostics = textDiagnostics(file);
  if (options.mode === "syntax") return { ...file, diagnostics };
  const repeats: Repeat[] = [];
  /** What was found about the columns of a table. */
  const columns = new Set<string>();
  for (const [index, course] of file.courses.entries()) {
    const left = Math.max(0, MAX_FINDINGS - diagnostics.length - repeats.length);
    const found = problemsOf(course.value, left + 1, options).filter((each) =>
      defaults.isNew(course, each),
    );
    const problems = file.isTable ? found.filter((each) => isFirst(each, columns)) : found;
    if (left > 0) problems.push(...(await findInexactNumbers(course)));
    for (const problem of problems.slice(0, left)) {
      diagnostics.push(await placeProblem(course, { problem }));
    }
    for (const repeat of duplicates.find(course, { reread, index })) repeats.push(repeat);
    if (problems.length > left) {
      diagnostics.push(await placeProblem(course, { problem: TOO_MANY }));
      break;
    }
  }
  for (const diagnostic of await reportRepeats(repeats)) diagnostics.push(diagnostic);
  if (diagnostics.length > 0 && file.problems.length === 0) {
    const late = await file.lateProblem();
    if (late !== undefined) {
      const inText = textDiagnostics({ ...file, problems: [late] });
      return { ...file, diagnostics: [...inDefaults, ...inText] };
    }
  }
  const isSorted = diagnostics.length < 2;
  const sorted = isSorted ? diagnostics : sortByPlace(diagnostics, [file.name]);
  return { ...file, diagnostics: [...inDefaults, ...sorted] };
}

/** Whether a problem is not one of a column that an earlier row has had, too. */
function isFirst({ at, path, rule }: Problem, columns: Set<string>): boolean {
  if (at !== "key" || path.length > 1) return true;
  const key = `${rule} ${path[0]}`;
  if (columns.has(key)) return false;
  columns.add(key);
  return true;
}

function problemsOf(course: unknown, most: number, { mode, providers }: LoadOptions): Problem[] {
  const problems = checkCourse(course, { mode: mode === "patch" ? "patch" : "create", most });
  if (providers === undefined || !isObject(course)) return problems;
  return [...problems, ...checkOwnership(course, providers)];
}

/** The problems of courses with the user's providers; those of a default value once. */
export async function checkOwners(
  courses: readonly SourceCourse[],
  providers: readonly Provider[],
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const defaults = new Defaults("");
  for (const course of courses) {
    const problems = isObject(course.value) ? checkOwnership(course.value, providers) : [];
    for (const problem of problems.filter((each) => defaults.isNew(course, each))) {
      diagnostics.push(await placeProblem(course, { problem }));
    }
  }
  return diagnostics;
}

/** Fields whose value no two courses share, with the rule that says so. */
const UNIQUE_FIELDS = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const satisfies Record<string, RuleId>;

type UniqueField = keyof typeof UNIQUE_FIELDS;

const UNIQUE_NAMES = Object.keys(UNIQUE_FIELDS) as UniqueField[];

/** What must be unique of a field, if it is given. */
function identityOf(course: unknown, field: UniqueField): string | undefined {
  const value = isObject(course) ? course[field] : undefined;
  if (!isObject(course) || typeof value !== "string" || value === "") return undefined;
  if (field === "url") return value;
  if (field === "id") return value.toLowerCase();
  // A key is unique among the courses of a provider.
  const provider = String(course.provider_id ?? course[PROVIDER_KEY]).toLowerCase();
  return JSON.stringify([provider, value]);
}

/** The course that was the first to use an id, key or url. */
interface Origin {
  readonly reread: Reread;
  readonly index: number;
}

/** A course whose id, key or url an earlier course has used. */
interface Repeat {
  readonly course: SourceCourse;
  readonly field: UniqueField;
  readonly first: Origin;
}

/** Remembers the ids, keys and urls of courses, and finds those that are used again. */
class Duplicates {
  readonly #first: Readonly<Record<UniqueField, Map<string, Origin>>> = {
    id: new Map(),
    [EXTERNAL_KEY]: new Map(),
    url: new Map(),
  };

  *find(course: SourceCourse, origin: Origin): Generator<Repeat> {
    for (const field of UNIQUE_NAMES) {
      const key = identityOf(course.value, field);
      if (key === undefined) continue;
      const first = this.#first[field].get(key);
      if (first === undefined) this.#first[field].set(copyString(key), origin);
      else yield { course, field, first };
    }
  }
}

/** The diagnostics of courses that repeat others, whose files are read again, each once. */
async function reportRepeats(repeats: readonly Repeat[]): Promise<Diagnostic[]> {
  const files = new Map<Reread, SourceFile | undefined>();
  const diagnostics: Diagnostic[] = [];
  for (const { course, field, first } of repeats) {
    if (!files.has(first.reread)) files.set(first.reread, await first.reread());
    const original = files.get(first.reread)?.courses[first.index];
    const related: Related[] = [];
    let where = "another course";
    if (original !== undefined) {
      const span = await original.locate([field], "value");
      const place = placeOf(original.file, span, `the first course with this ${field}`);
      related.push(place);
      where = `the course at ${place.file}:${place.line}:${place.column}`;
    }
    const problem: Problem = {
      rule: UNIQUE_FIELDS[field],
      severity: "error",
      at: "value",
      path: [field],
      message: `same ${field} as ${where}`,
    };
    diagnostics.push(await placeProblem(course, { problem, related }));
  }
  return diagnostics;
}
