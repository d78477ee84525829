/** Loads course files for commands, and reports the problems of the rules that count. */
import { pluralize } from "../base/text.ts";
import { type Found, placeFound } from "../core/located.ts";
import { type FindingFilter, filterFindings, isImportant, type RuleId } from "../course/problem.ts";
import type { CourseFile } from "../files/course-file.ts";
import { parseEncoding } from "../files/decode.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import type { Reader } from "../files/find.ts";
import { type LoadOptions, loadCourses } from "../files/load.ts";
import { type Argument, type Flag, nonEmpty } from "./arguments.ts";
import { ReportedError } from "./command.ts";
import type { Context } from "./context.ts";
import { type Stages, showWork } from "./work.ts";

/** The filter for `--ignore` and the setting `rules`. */
export async function findingFilter(
  context: Context,
  ignored: readonly RuleId[] = [],
): Promise<FindingFilter> {
  const { rules } = await context.settings();
  return filterFindings((rule) => (ignored.includes(rule) ? "off" : rules.get(rule)?.value));
}

/** Reads every file of the paths; `-` is standard input. Reports no problems. @param use takes each file */
export async function readFiles(
  paths: readonly string[],
  context: Context,
  options: Omit<LoadOptions, keyof Reader | "input">,
  use: (file: CourseFile) => unknown,
): Promise<void> {
  const { io, folder, uid, messages } = context;
  const notices: (readonly [text: string, file: string])[] = [];
  await showWork("Reading files", context, async (onProgress) => {
    const loading = { folder, uid, input: io.in, onProgress, ...options };
    for await (const file of loadCourses(paths, loading)) {
      await use(file);
      for (const text of file.notices) notices.push([text, file.name]);
    }
  });
  for (const notice of notices) await messages.notice(...notice);
}

/** Loads every course of the paths into memory. @returns the files with their courses and their problems */
export async function loadAllCourses(
  paths: readonly string[],
  context: Context,
  options: Parameters<typeof readFiles>[2] = {},
) {
  const files: CourseFile[] = [];
  await readFiles(paths, context, options, (file) => files.push(file));
  return {
    files,
    courses: files.flatMap((file) => file.courses),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/**
 * Reports errors and important warnings, then the number of errors.
 *
 * @param effect what the errors prevented
 * @throws ReportedError if there is an error
 */
export async function stopAtErrors(
  diagnostics: readonly Diagnostic[],
  { messages }: Context,
  effect = "nothing was sent",
): Promise<void> {
  for (const { file, message, rule, severity } of diagnostics) {
    if (rule === "not-read" && severity === "warning") await messages.warn(`${file}: ${message}`);
  }
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  await messages.diagnose(diagnostics.filter(isImportant));
  const others = diagnostics.filter((each) => !isImportant(each) && each.rule !== "not-read");
  if (others.length > 0) {
    await messages.info(
      `${pluralize(others.length, "warning")}, which "catalog courses check" shows.`,
    );
  }
  if (errors.length === 0) return;
  const read = errors.filter(({ rule }) => rule !== "unreadable").map(({ file }) => file);
  const where = read.length === 0 ? "" : ` in ${pluralize(new Set(read).size, "file")}`;
  await messages.info(`${pluralize(errors.length, "error")}${where}; ${effect}.`);
  throw new ReportedError("file");
}

/** Reports problems that were found with the help of the catalog. @throws ReportedError if one of them is an error */
export async function* stopAtFound(found: readonly Found[], context: Context): Stages<void> {
  const diagnostics = await placeFound(found);
  yield { diagnostics };
  await stopAtErrors(diagnostics, context);
}

/** The argument of commands that need course files. */
export const PATH_ARGUMENT: Argument = {
  name: "path",
  variadic: true,
  description: "course files or folders; - reads standard input",
};

/** The flags of commands that read tables. */
export const TABLE_FLAGS = [
  {
    name: "sheet",
    value: "<name>",
    parse: nonEmpty,
    description: "sheet of Excel workbooks (default: the first visible sheet with a table)",
  },
  {
    name: "encoding",
    value: "<label>",
    parse: parseEncoding,
    description: "encoding of CSV and TSV (default: UTF-8, UTF-16 or Windows-1252)",
  },
] as const satisfies readonly Flag[];
