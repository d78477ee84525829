/** Runs an import: rows → mapping → courses → checks → files. */
import { basename, dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { usageError } from "../../../base/errors.ts";
import { createFolder, requireLinksInside } from "../../../base/folders.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { escapeText, pluralize } from "../../../base/text.ts";
import { isObject, type PlainObject } from "../../../base/values.ts";
import { changesText, toEntries } from "../../../command-support/confirm-files.ts";
import type { Context } from "../../../command-support/context.ts";
import { readExistingFiles } from "../../../command-support/existing-files.ts";
import { checkResultOptions } from "../../../command-support/results.ts";
import { trackWork } from "../../../command-support/work.ts";
import {
  type FileOutcome,
  summarizeFiles,
  writeFiles,
} from "../../../command-support/write-files.ts";
import { decode, readBytes } from "../../../files/bytes.ts";
import { Defaults } from "../../../files/defaults.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import type { FileFormat } from "../../../files/formats.ts";
import { isPage, readSourceRows, type SourceRows } from "../../../files/source-rows.ts";
import { DEFAULTS_FILE, findFiles } from "../../../files/sources.ts";
import { maskEntries, planLines } from "../../../output/plan.ts";
import { type Imported, type ImportedCourses, importRows, requireRows } from "./imported.ts";
import { compileMapping } from "./mapping.ts";
import { planFile } from "./one-file.ts";
import { IMPORT_FORMATS, type ImportOptions, isFileName } from "./options.ts";
import { type ImportItem, matchImported, planFolder } from "./plan-imports.ts";
import { reportImported } from "./report-imported.ts";
import { SCHEMA_ORG, SCHEMA_ORG_MAPPING } from "./schema-org.ts";
import { suggestMapping } from "./suggest.ts";
import { fileText, terminalText } from "./texts.ts";

/** Runs `catalog courses import`. */
export async function runImport(options: ImportOptions, context: Context): Promise<void> {
  checkResultOptions(context);
  const { out } = context.io;
  const map = mappingOf(options, context);
  const files = await readRows(options, context);
  if (options.suggest) {
    const problems = files.flatMap((file) => textDiagnostics(file));
    await context.messages.diagnose(problems);
    if (files.every(({ rows }) => rows.length === 0) && problems.length > 0) return;
    const isSchemaOrg = options.paths.every(isPage);
    for (const file of files) {
      const [only] = file.rows;
      if (isObject(only?.value) && !("name" in only.value)) requireRows(only, file);
    }
    const mapping = isSchemaOrg ? `${SCHEMA_ORG_MAPPING}\n` : suggestMapping(files, options);
    await out.write(out.isTerminal ? escapeText(mapping) : mapping, "data");
    return;
  }
  const converted = await convert(files, map, context);
  const imported = map === undefined ? await fillDefaults(converted, options, context) : converted;
  if (options.out !== undefined) {
    await writeAll(imported, options.out, options, context);
    return;
  }
  await reportImported(imported, imported.courses, ({ course }) => course, context);
  const given = IMPORT_FORMATS.find((each) => each === context.options.format);
  const courses = imported.courses.map(({ course }) => course);
  const toText = out.isTerminal ? terminalText : fileText;
  await out.write(toText(courses, given ?? options.format), "data");
}

/** The path of a new file in the folder of `--out`, or in the folder of the file that it names. */
function newPathIn(folder: string, out: string): string {
  const path = resolve(folder, out);
  return isFileName(out) ? path : join(path, "new");
}

/** Course files that are converted take their defaults along, unless those of the target are equal. */
async function fillDefaults(
  imported: ImportedCourses,
  { out }: ImportOptions,
  { folder }: Context,
): Promise<ImportedCourses> {
  const defaults = new Defaults(folder);
  const there = out === undefined ? {} : await defaults.valuesFor(newPathIn(folder, out));
  const courses: Imported[] = [];
  for (const each of imported.courses) {
    const here = Object.entries(await defaults.valuesFor(resolve(folder, each.rows.name)));
    const moved = here.filter(([name, value]) => !isDeepStrictEqual(value, there[name]));
    courses.push({ ...each, course: completeCourse(Object.fromEntries(moved), each.course) });
  }
  return { ...imported, courses };
}

/** The course with the values that it lacks; a course that names its provider needs no other. */
function completeCourse(values: PlainObject, course: PlainObject): PlainObject {
  const { provider_id: _, provider: __, ...others } = values;
  const hasProvider = course.provider_id !== undefined || course.provider !== undefined;
  return { ...(hasProvider ? others : values), ...course };
}

function mappingOf({ map }: ImportOptions, { folder }: Context) {
  if (map === undefined) return undefined;
  if (map === SCHEMA_ORG) return compileMapping({ name: map, text: SCHEMA_ORG_MAPPING });
  const { text, problem } = decode(readBytes({ name: map, path: resolve(folder, map) }));
  if (problem !== undefined) throw usageError(`${map} is ${problem.message}`);
  return compileMapping({ name: map, text });
}

async function readRows(
  { paths, from, map, suggest }: ImportOptions,
  { folder, io }: Context,
): Promise<SourceRows[]> {
  const files: SourceRows[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    if (map === undefined && !suggest && isPage(path)) {
      throw usageError(
        `${path} is an HTML page`,
        "Pass --map schema.org to use the courses it describes.",
      );
    }
    const rowOptions = { from, isSchemaOrg: map === SCHEMA_ORG };
    if (path === STANDARD_INPUT) {
      files.push(await readSourceRows(io.in.stream, rowOptions));
      continue;
    }
    const found = await findFiles(path, folder, seen);
    const [failure] = found.failures;
    if (failure !== undefined) throw failure;
    for (const file of found.files) {
      if (basename(file.path) !== DEFAULTS_FILE) files.push(await readSourceRows(file, rowOptions));
    }
  }
  return files;
}

async function convert(
  files: readonly SourceRows[],
  map: ReturnType<typeof mappingOf>,
  context: Context,
): Promise<ImportedCourses> {
  const progress = await trackWork("Converting rows", context);
  try {
    return await importRows(files, map, (count) => {
      if (count % 100 === 0) progress.update({ done: count });
    });
  } finally {
    progress.stop();
  }
}

async function writeAll(
  imported: ImportedCourses,
  out: string,
  { format, dryRun }: ImportOptions,
  context: Context,
): Promise<void> {
  const { folder, messages } = context;
  const isFile = isFileName(out);
  const path = resolve(folder, out);
  requireLinksInside(out, path, folder);
  const existing = await readExistingFiles(out, [], context);
  if (isFile && existing.damaged.size > 0) {
    throw usageError(
      `${out} exists and is not a valid course file`,
      "Fix it, or pass another name.",
    );
  }
  if (!dryRun) createFolder(isFile ? dirname(out) : out, isFile ? dirname(path) : path);
  const items = matchImported(imported.courses, existing);
  const defaults = await new Defaults(folder).valuesFor(newPathIn(folder, out));
  // With what its file has besides the imported fields.
  const complete = ({ match, course }: ImportItem): PlainObject =>
    completeCourse(match?.described ?? defaults, course);
  await reportImported(imported, items, complete, context);
  const steps = isFile
    ? planFile(items, { name: out, path, format })
    : planFolder(items, { name: out, path, format: format as FileFormat }, folder);
  if (dryRun && context.options.format === undefined) {
    await context.io.out.write(await changesText(steps, context));
  }
  const writing = {
    doing: "Writing",
    what: "the imported courses",
    advice: "Edit the file yourself, or write to another file or folder with --out.",
    adviceIfChanged: "Import again to compare the file as it is now.",
    ...{ dryRun, prints: true },
  };
  const outcomes = await writeFiles(steps, writing, context);
  if (!dryRun) await showEdits(outcomes, context);
  const absent = existing.courses.length - items.filter(({ match }) => match).length;
  if (absent > 0 && items.length > 0) {
    const are = absent === 1 ? "is" : "are";
    await messages.info(`${pluralize(absent, "course")} in ${out} ${are} not in the export.`);
  }
  const { counts, sentence } = summarizeFiles(outcomes, dryRun);
  const done = `${pluralize(items.length, "course")}. ${sentence}`;
  await messages.info(done, { counts: { courses: items.length, ...counts } });
}

/** Edited courses of which the fields are shown after an import: a few. */
const MOST_SHOWN = 20;

async function showEdits(
  outcomes: readonly FileOutcome[],
  { io, messages, options }: Context,
): Promise<void> {
  const edited = outcomes.flatMap(({ step, status }) =>
    step.action === "edit" && status === "done" ? toEntries(step) : [],
  );
  if (edited.length > MOST_SHOWN || options.format !== undefined) return;
  await messages.show((styles) => planLines(maskEntries(edited, io.err.mask), styles));
}
