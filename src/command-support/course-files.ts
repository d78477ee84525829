/** Course files as commands use them: loaded, with their problems reported. */
import { resolve } from "node:path";
import { type CatalogError, usageError } from "../base/errors.ts";
import { STANDARD_INPUT, STDIN_NAME } from "../base/io.ts";
import { listSome, pluralize, quoteShell } from "../base/text.ts";
import { addTo, formatPath } from "../base/values.ts";
import type { Problem, RuleId } from "../course/problem.ts";
import type { SourceCourse } from "../files/course-file.ts";
import { readAnyBytes, readStreamBytes } from "../files/decode.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { parseEncoding } from "../files/encodings.ts";
import type { Reader } from "../files/ignore.ts";
import { type LoadedFile, type LoadOptions, loadCourses } from "../files/load.ts";
import { parsePathList } from "../files/path-list.ts";
import { type Argument, type Flag, nonEmpty, type ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import { ReportedError } from "./exit-codes.ts";
import { limitFindings } from "./rule-choice.ts";
import { showWork } from "./work.ts";

/** Everything that paths contain, and everything that is wrong with it. */
export interface LoadedCourses {
  readonly files: readonly LoadedFile[];
  readonly courses: readonly SourceCourse[];
  /** Those of the files that could be read. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failures: readonly CatalogError[];
}

/** Loads every course of the paths into memory; `-` is standard input. Reports nothing. */
export async function loadAllCourses(
  paths: readonly string[],
  context: Context,
  options: Omit<LoadOptions, keyof Reader | "input"> = {},
): Promise<LoadedCourses> {
  const { io, folder, environment, user, messages } = context;
  const files: LoadedFile[] = [];
  await showWork("Reading files", context, async ({ update: onProgress }) => {
    const loading = { folder, environment, user, input: io.in, onProgress, ...options };
    for await (const file of loadCourses(paths, loading)) files.push(file);
  });
  for (const { notices } of files) for (const notice of notices) await messages.info(notice);
  return {
    files,
    courses: files.flatMap((file) => file.courses),
    diagnostics: files.flatMap(({ failure, diagnostics }) =>
      failure === undefined ? diagnostics : [],
    ),
    failures: files.flatMap(({ failure }) => failure ?? []),
  };
}

/** Warnings that only the service's data shows. `check` prints the others, usually before. */
const ONLINE_WARNINGS: ReadonlySet<RuleId> = new Set(["possible-move", "url-other-provider"]);

/** Whether every command reports a finding, and not only `check`. */
export function isImportant({ severity, rule }: Pick<Problem, "severity" | "rule">): boolean {
  return severity === "error" || ONLINE_WARNINGS.has(rule);
}

/**
 * Reports failures, errors and important warnings, of which at most `most` are shown, and throws if
 * there are any failures or errors.
 *
 * @param options `endsWithCount` also counts the errors in a log, as `check` does
 */
export async function stopAtErrors(
  diagnostics: readonly Diagnostic[],
  failures: readonly CatalogError[],
  { messages, io }: Pick<Context, "messages" | "io">,
  {
    most,
    endsWithCount = false,
  }: { readonly most?: number | undefined; readonly endsWithCount?: boolean } = {},
): Promise<void> {
  for (const failure of failures) await messages.fail(failure);
  for (const { file, message, rule, severity } of diagnostics) {
    if (rule === "not-read" && severity === "warning") await messages.warn(`${file}: ${message}`);
  }
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const { shown, notice } = limitFindings(diagnostics.filter(isImportant), most);
  await messages.diagnose(shown);
  if (notice !== undefined) await messages.info(notice);
  await hintCommand(errors, { messages });
  if (failures.length + errors.length === 0) return;
  if (endsWithCount) {
    const amount = pluralize(failures.length + errors.length, "error");
    const files = [...failures.map(({ facts }) => facts.file), ...errors.map(({ file }) => file)];
    const named = pluralize(new Set(files).size, "file");
    await messages.info(`${amount} in ${named}; nothing was sent.`);
  } else if (errors.length > 0 && io.err.isTerminal) {
    // In a log, each line is a finding.
    await messages.info(`${pluralize(errors.length, "error")}: nothing was done.`);
  }
  throw new ReportedError(failures[0]?.kind ?? "file");
}

/** The argument of commands that need course files. */
export const PATH_ARGUMENT: Argument = {
  name: "path",
  variadic: true,
  completes: "course-file",
  description: "course files or folders; - reads standard input",
};

/** The flag of commands that also read the paths of course files from a list. */
export const FILES_FROM_FLAG = {
  name: "files-from",
  value: "<file>",
  completes: "file",
  parse: nonEmpty,
  description: "also read the files listed in a file, one per line or NUL; - is standard input",
} as const satisfies Flag;

/** The flags of commands that read tables. */
export const TABLE_FLAGS = [
  {
    name: "sheet",
    value: "<name>",
    parse: nonEmpty,
    description: "sheet of Excel workbooks (default: the first that is visible)",
  },
  {
    name: "encoding",
    value: "<label>",
    parse: parseEncoding,
    description: "encoding of CSV and TSV (default: UTF-8, UTF-16 or Windows-1252)",
  },
] as const satisfies readonly Flag[];

/** Where course files are: paths, and a list of more. */
export interface PathSources {
  readonly paths: readonly string[];
  readonly filesFrom: string | undefined;
}

/** The path arguments. @throws CatalogError of kind `usage` for an empty path or a second `-` */
export function parsePaths(
  typed: Pick<ParsedArguments, "arguments">,
  filesFrom?: string,
): readonly string[] {
  const read = [...typed.arguments, filesFrom].filter((path) => path === STANDARD_INPUT);
  if (read.length > 1) {
    throw usageError(
      "- (standard input) can only be read once",
      "Pass - once, next to files and folders.",
    );
  }
  // Probably a shell variable that is not set, not the current folder.
  if (typed.arguments.includes("")) {
    throw usageError("a path is empty", "Pass a file or a folder; . (a dot) is the current one.");
  }
  return typed.arguments;
}

/** Requires a path or a list of them. @throws CatalogError of kind `usage` */
export function requirePaths({ paths, filesFrom }: PathSources, others = ""): void {
  if (paths.length > 0 || filesFrom !== undefined) return;
  const advice = `Pass course files or folders, or --files-from <file>${others}.`;
  throw usageError("missing argument <path...>", advice);
}

/** The paths, and those in the list. @throws CatalogError of kind `file` if it cannot be read */
export async function readPaths(
  { paths, filesFrom }: PathSources,
  { folder, io, messages }: Pick<Context, "folder" | "io" | "messages">,
): Promise<readonly string[]> {
  if (filesFrom === undefined) return paths;
  const isInput = filesFrom === STANDARD_INPUT;
  const name = isInput ? "standard input" : filesFrom;
  const bytes = isInput
    ? await readStreamBytes(name, io.in.stream)
    : await readAnyBytes({ name, path: resolve(folder, name) });
  const list = parsePathList(bytes.toString());
  if (list.defaults.length > 0) {
    const names = listSome(list.defaults);
    const folders = list.defaults.length === 1 ? "that folder" : "those folders";
    await messages.info(`Because ${name} lists ${names}, every course of ${folders} is read.`);
  }
  const all = [...paths, ...list.paths];
  if (all.length === 0) await messages.info(`${name} lists no files: nothing to do.`);
  return all;
}

/** So many unknown fields are not the misspellings of one course file. */
const FEWEST_UNKNOWN = 3;
/** So many amounts with a decimal comma are not, either. */
const FEWEST_AMOUNTS = 3;

/**
 * Prints what to do with the first file that looks like an export of another system or like partial courses, or in which
 * `check --fix` can correct what spreadsheet programs do to texts and amounts.
 *
 * @param wasFixed whether `check --fix` has done what it can
 */
export async function hintCommand(
  diagnostics: readonly Diagnostic[],
  { messages }: Pick<Context, "messages">,
  wasFixed = false,
): Promise<void> {
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) addTo(byFile, diagnostic.file, diagnostic);
  for (const [file, found] of byFile) {
    if (file === STDIN_NAME) continue;
    // As exports do.
    const hasRows = /\.(?:csv|tsv|ndjson|jsonl|xlsx)$/i.test(file);
    const flags = importFlags(found, hasRows);
    const name = quoteShell(file);
    if (!wasFixed && isRepairable(file, found)) {
      return await messages.info(`To correct these values: catalog courses check --fix ${name}`);
    }
    if (flags !== undefined) {
      const command = `catalog courses import ${name} ${flags}`;
      return await messages.info(`If ${file} is an export of another system: ${command}`);
    }
    if (hasRows && isPartial(found)) {
      const command = `catalog courses diff --partial ${name}`;
      return await messages.info(
        `If ${file} contains only what changes in existing courses: ${command}`,
      );
    }
  }
}

/** Whether `check --fix` corrects texts in a wrong encoding, or amounts with a decimal comma in several rows. */
function isRepairable(file: string, found: readonly Diagnostic[]): boolean {
  if (/\.xlsx$/i.test(file)) return false;
  const amounts = found.filter(({ rule, suggestion }) => rule === "amount" && suggestion);
  return amounts.length >= FEWEST_AMOUNTS || found.some(({ rule }) => rule === "mojibake");
}

/** Whether a file leaves out the url and other fields that every new course has. */
function isPartial(found: readonly Diagnostic[]): boolean {
  const missing = new Set<unknown>();
  for (const { rule, path } of found) {
    if (path.length === 1 && rule === "unknown-key") return false;
    if (path.length === 1 && rule === "required") missing.add(path[0]);
  }
  return missing.has("url") && missing.size > 1;
}

/** The flags with which `import` reads the file; undefined if it looks like a course file. */
function importFlags(found: readonly Diagnostic[], isExport: boolean): string | undefined {
  const unknown = new Set<unknown>();
  let isIncomplete = false;
  for (const { rule, path } of found) {
    if (rule === "not-a-course" && path.length > 0) return `--from ${quoteShell(formatPath(path))}`;
    if (rule === "not-a-course" && isExport) return "--suggest";
    if (path.length !== 1) continue;
    if (rule === "unknown-key") unknown.add(path[0]);
    if (rule === "required" && (path[0] === "name" || path[0] === "url")) isIncomplete = true;
  }
  return isIncomplete && unknown.size >= FEWEST_UNKNOWN ? "--suggest" : undefined;
}
