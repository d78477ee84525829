/** Runs an import: rows → mapping → courses → checks → files. */
import { dirname, join, resolve } from "node:path";
import { createFolder, requireWritable } from "../../../base/atomic-write.ts";
import { CatalogError, usageError } from "../../../base/errors.ts";
import { escapeControls, escapeLine, quoteShell } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../cli/context.ts";
import { showWork, writeOutput } from "../../../cli/work.ts";
import { changesText, reportFiles, writeFiles } from "../../../cli/write-files.ts";
import { readExistingFiles } from "../../../core/existing-files.ts";
import { decode, readBytes } from "../../../files/decode.ts";
import { Defaults } from "../../../files/defaults.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import { findSources, NOT_READ } from "../../../files/find.ts";
import { isPage, loadRows, type SourceRows } from "../../../files/rows.ts";
import { Mapping } from "../../../import/mapping.ts";
import { type ImportedCourses, importRows, sectionsOf } from "../../../import/rows.ts";
import { pageRows, SCHEMA_ORG, SCHEMA_ORG_MAPPING } from "../../../import/schema-org.ts";
import {
  ALL_PUBLISHED,
  importCommand,
  type Source,
  suggestMapping,
} from "../../../import/suggest.ts";
import { fileText, type ImportFormat, matchImported, planImport } from "./plan-imports.ts";
import { reportImported } from "./report-import.ts";

/** The options of `import`. */
export interface ImportOptions extends Source {
  /** A folder or file; with `suggest`, the file of the mapping. By default, the result is printed. */
  readonly out: string | undefined;
  readonly dryRun: boolean;
  readonly map: string | undefined;
  readonly isFile: boolean;
  readonly format: ImportFormat;
  readonly suggest: boolean;
}

/** Runs `catalog courses import`. */
export async function runImport(options: ImportOptions, context: Context): Promise<void> {
  if (options.suggest) return await suggest(await readRows(options, context), options, context);
  const mapping = readMapping(options, context);
  const files = await readRows(options, context);
  const converted = await showWork("Converting rows", context, (advance) =>
    importRows(files, mapping, (done) => done % 100 === 0 && advance({ done })),
  );
  const isFolder = options.out !== undefined && !options.isFile;
  const imported =
    mapping === undefined && !isFolder ? await fillDefaults(converted, context) : converted;
  if (options.out !== undefined) return await writeAll(imported, options.out, options, context);
  const { courses } = imported;
  const { kept, sentence, facts } = await reportImported(imported, courses, options, context);
  const { out } = context.io;
  const rows = kept.map(({ course }) => course);
  const text = fileText(rows, options.format);
  if (options.format !== "csv") await out.write(text, "data");
  else if (out.isTerminal) await out.write(text.split("\r\n").map(escapeLine).join("\r\n"));
  else await out.write(text, "verbatim");
  await context.messages.info(`${sentence}.`, facts);
}

/** Suggests a mapping from the columns or, for HTML pages, the built-in mapping. */
async function suggest(
  files: readonly SourceRows[],
  options: ImportOptions,
  context: Context,
): Promise<void> {
  const { io, messages } = context;
  const { out, paths, dryRun } = options;
  const problems = files.flatMap((file) => textDiagnostics(file));
  await messages.diagnose(problems);
  if (files.every(({ rows }) => rows.length === 0) && problems.length > 0) return;
  const courses = files.map((file) => {
    const sections = sectionsOf(file);
    return { ...file, rows: file.rows.filter((row) => !sections.has(row)) };
  });
  const { mapping, hasPublished } = paths.every(isPage)
    ? { mapping: `${SCHEMA_ORG_MAPPING}\n`, hasPublished: true }
    : suggestMapping(courses, options);
  if (!hasPublished) await messages.info(ALL_PUBLISHED);
  const text = escapeControls(mapping);
  if (out === undefined) return await io.out.write(text, "data");
  if (dryRun) return await messages.info(`Would write the mapping to ${out}.`);
  await writeOutput(out, text, context);
  const command = importCommand(options, quoteShell(out));
  await messages.info(`Wrote the mapping to ${out}. Check the mapping, then run: ${command}`);
}

/** Gives course files that become one file the defaults of their folders, which do not apply to that file. */
async function fillDefaults(imported: ImportedCourses, context: Context): Promise<ImportedCourses> {
  const defaults = new Defaults(context);
  const courses: ImportedCourses["courses"][number][] = [];
  for (const each of imported.courses) {
    const values = await defaults.valuesFor(resolve(context.folder, each.rows.name));
    courses.push({ ...each, course: completeCourse(values, each.course) });
  }
  return { ...imported, courses };
}

/** Adds to a course the values that are missing. A course with a provider keeps its provider. */
function completeCourse(values: PlainObject, course: PlainObject): PlainObject {
  const { provider_id: _, provider: __, ...others } = values;
  const hasProvider = course.provider_id !== undefined || course.provider !== undefined;
  return { ...(hasProvider ? others : values), ...course };
}

function readMapping({ paths, ...options }: ImportOptions, { folder }: Context) {
  const map = options.map ?? (paths.every(isPage) ? SCHEMA_ORG : undefined);
  if (map === undefined) return undefined;
  if (map === SCHEMA_ORG) return new Mapping({ name: map, text: SCHEMA_ORG_MAPPING });
  const { text, problem } = decode(readBytes({ name: map, path: resolve(folder, map) }));
  if (problem !== undefined) throw usageError(`cannot read the mapping ${map}: ${problem.message}`);
  return new Mapping({ name: map, text });
}

async function readRows(
  { paths, from, sheet, encoding }: ImportOptions,
  context: Context,
): Promise<SourceRows[]> {
  const files: SourceRows[] = [];
  const rowOptions = { input: context.io.in.stream, from, sheet, encoding, readPage: pageRows };
  for (const source of await findSources(paths, context)) {
    if (!(source instanceof CatalogError)) files.push(await loadRows(source, rowOptions));
    else if (source.facts.rule !== NOT_READ) throw source;
    else await context.messages.warn(`${source.facts.file}: ${source.message}`);
  }
  for (const { notices } of files) {
    for (const notice of notices) await context.messages.info(notice);
  }
  return files;
}

async function writeAll(
  imported: ImportedCourses,
  out: string,
  options: ImportOptions,
  context: Context,
): Promise<void> {
  const { format, isFile, dryRun } = options;
  const { folder, messages } = context;
  const path = resolve(folder, out);
  const existing = await readExistingFiles(out, [], context);
  for (const text of existing.damaged) await context.messages.warn(text);
  if (isFile && existing.damaged.length > 0) {
    throw usageError(
      `${out} already exists and is not a valid course file`,
      `Fix the problems that "catalog courses check ${quoteShell(out)}" reports, or choose another file for --out.`,
    );
  }
  // The user named this folder: a link to it is followed, and a link to the folder of a file is not.
  const root = isFile ? folder : path;
  if (isFile) requireWritable({ name: out, path, root });
  if (!dryRun) createFolder(isFile ? dirname(out) : out, isFile ? dirname(path) : path);
  const newPath = isFile ? path : join(path, "new");
  const defaults = await new Defaults(context).valuesFor(newPath);
  const items = matchImported(imported.courses, existing).map((item) => ({
    ...item,
    completed: completeCourse(item.match?.described ?? defaults, item.course),
    isNew: item.match === undefined,
  }));
  const { kept, ...rows } = await reportImported(imported, items, options, context);
  const steps = planImport(kept, { out, isFile, format }, existing, folder);
  if (dryRun && context.options.format === undefined) {
    await context.io.out.write(await changesText(steps, context));
  }
  const outcomes = await writeFiles(steps, "Writing", dryRun, context, root);
  const { counts, sentence } = await reportFiles(outcomes, dryRun, context);
  const facts = { ...rows.facts, counts: { ...rows.facts.counts, ...counts } };
  await messages.info(`${rows.sentence}. ${sentence}`, facts);
}
