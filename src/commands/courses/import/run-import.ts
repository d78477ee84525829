/** Runs an import: rows → mapping → courses → checks → files. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFolder, requireWritable } from "../../../base/atomic-write.ts";
import { CatalogError, usageError } from "../../../base/errors.ts";
import {
  escapeControls,
  escapeLine,
  formatNumber,
  listSome,
  pluralize,
  quoteShell,
  truncate,
  truncateJson,
} from "../../../base/text.ts";
import { isObject, type PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../cli/context.ts";
import { findingFilter } from "../../../cli/course-files.ts";
import { fileContent } from "../../../cli/show.ts";
import { showWork, writeOutput } from "../../../cli/work.ts";
import {
  type ComparedCourse,
  changesText,
  editStep,
  type FileStep,
  reportFiles,
  writeFiles,
} from "../../../cli/write-files.ts";
import { type ExistingFiles, readExistingFiles } from "../../../core/existing-files.ts";
import { describePlaced } from "../../../core/located.ts";
import { writtenValue } from "../../../files/course-file.ts";
import { decode, readBytes } from "../../../files/decode.ts";
import { Defaults } from "../../../files/defaults.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import type { Replacement } from "../../../files/edit.ts";
import { findSources, NOT_READ } from "../../../files/find.ts";
import type { FileFormat } from "../../../files/parse.ts";
import { isPage, loadRows, type SourceRows } from "../../../files/rows.ts";
import { courseText, fileColumns, fileCourse } from "../../../files/write.ts";
import { checkImported, type Imported, type SkippedRow } from "../../../import/check-imported.ts";
import { Mapping } from "../../../import/mapping.ts";
import {
  type ImportFormat,
  type ImportItem,
  matchImported,
  placeImported,
} from "../../../import/match.ts";
import { type ImportedCourses, importRows, sectionsOf } from "../../../import/rows.ts";
import { pageRows, SCHEMA_ORG, SCHEMA_ORG_MAPPING } from "../../../import/schema-org.ts";
import {
  ALL_PUBLISHED,
  type Source,
  sourceCommand,
  suggestMapping,
} from "../../../import/suggest.ts";
import { describeColumn } from "../../../import/understood-values.ts";
import { createRenderer } from "../../../output/layouts.ts";

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
  const imported =
    mapping === undefined ? await fillDefaults(converted, options, context) : converted;
  if (options.out !== undefined) return await writeAll(imported, options.out, options, context);
  const { courses } = imported;
  const { kept, sentence, facts } = await reportImported(imported, courses, options, context);
  const rows = kept.map(({ course }) => fileCourse(course));
  const { styles, io } = context;
  const showing = { columns: fileColumns(rows), cleared: "null", styles, out: io.out };
  const renderer = await createRenderer(options.format, showing);
  await renderer.rows(rows);
  await renderer.end();
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
  const command = sourceCommand(options, quoteShell(out));
  await messages.info(`Wrote the mapping to ${out}. Check the mapping, then run: ${command}`);
}

/** Gives courses of course files the defaults of their folders, except those that apply to the folder of new files, too. */
async function fillDefaults(
  imported: ImportedCourses,
  { out, isFile }: ImportOptions,
  context: Context,
): Promise<ImportedCourses> {
  const defaults = new Defaults(context);
  // One file for all courses is for other places.
  const other = out === undefined || isFile ? undefined : resolve(context.folder, out, "new");
  const courses: ImportedCourses["courses"][number][] = [];
  for (const each of imported.courses) {
    const values = await defaults.valuesFor(resolve(context.folder, each.rows.name), other);
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
  if (map === SCHEMA_ORG) return new Mapping(map, SCHEMA_ORG_MAPPING);
  const { text, problem } = decode(readBytes({ name: map, path: resolve(folder, map) }));
  if (problem !== undefined) throw usageError(`cannot read the mapping ${map}: ${problem.message}`);
  return new Mapping(map, text);
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
  const { isFile, dryRun } = options;
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
  const steps = planImport(kept, { ...options, out }, existing, defaults, context);
  if (dryRun && context.options.format === undefined) {
    await context.io.out.write(await changesText(steps, context));
  }
  const outcomes = await writeFiles(steps, "Writing", dryRun, context, root);
  const { counts, sentence } = await reportFiles(outcomes, dryRun, context);
  const facts = { ...rows.facts, counts: { ...rows.facts.counts, ...counts } };
  await messages.info(`${rows.sentence}. ${sentence}`, facts);
}

/** Plans one step for each file. */
function planImport(
  items: readonly ImportItem[],
  { out, isFile, format }: ImportOptions & { readonly out: string },
  existing: ExistingFiles,
  defaults: PlainObject,
  context: Context,
): FileStep[] {
  const byFile = placeImported(items, { out, isFile, format }, existing);
  return [...byFile].map(([name, own]): FileStep => {
    const path = resolve(context.folder, name);
    const place = { name, path, courses: own.map((item) => describeItem(item, name)) };
    const replacements = own.flatMap(({ match, wanted }): Replacement[] => {
      if (match === undefined || wanted === undefined) return [];
      return [{ index: match.source.index, old: writtenValue(match.source), wanted }];
    });
    const added = own.filter(({ match }) => match === undefined);
    const rows = added.map(({ course }) => fileCourse(course, { defaults: Object.keys(defaults) }));
    const text = () => {
      const [only = {}] = rows;
      if (!isFile) return courseText(only, format as FileFormat);
      return fileContent(format, rows, fileColumns(rows), context);
    };
    // A file that was created in the folder after its names were read is not replaced.
    const exists = isFile ? existsSync(path) : added.length === 0;
    return exists ? editStep(place, replacements, rows) : { ...place, text };
  });
}

/** The part of a course's result that is known before the file is written. */
function describeItem(item: ImportItem, file: string): ComparedCourse {
  const { course, match, wanted, changes = [] } = item;
  if (match === undefined) return { ...describePlaced(course, { file }), action: "create" };
  const action = wanted === undefined ? "unchanged" : "update";
  return { ...describePlaced(course, match.source), action, changes };
}

/**
 * Prints the problems of rows and courses, and what was not used.
 *
 * @returns the courses that can be imported, and a summary: `3 rows: 2 courses, 1 skipped, 0 failed`
 */
async function reportImported<Item extends Imported>(
  { diagnostics, ignored, skipped, columns, counts, missing, links }: ImportedCourses,
  courses: readonly Item[],
  source: Source,
  context: Context,
) {
  const { messages } = context;
  const checked = await checkImported(courses);
  const kept = courses.filter((imported) => !checked.refused.has(imported));
  const filter = await findingFilter(context);
  await messages.diagnose(filter([...diagnostics, ...checked.diagnostics]));
  const isSaid = courses.some(
    ({ course, completed = course }) => completed.published !== undefined,
  );
  if (!isSaid && kept.length > 0) await messages.info(ALL_PUBLISHED);
  for (const [{ name }, fields] of missing) {
    const lacking = listSome([...fields.keys()].map(truncateJson));
    const using = listSome([...new Set([...fields.values()].flat())]);
    await messages.warn(
      `the mapping uses columns that ${name} does not have: ${lacking} (for ${using})`,
    );
  }
  if (ignored.size > 0) {
    const list = listSome([...ignored].map(truncate));
    await messages.info(
      `Ignored what is not a course field: ${list}. To draft a mapping: ${sourceCommand(source)} --suggest`,
      { ignored: [...ignored] },
    );
  }
  for (const name of links) {
    const text = "The mapping uses the texts of cells with links. To use the links, write";
    await messages.info(`${text} \`${escapeLine(truncate(name))}\`.`);
  }
  const facts = { skipped: skipped.map(({ row, rows }) => ({ file: rows.name, row: row.number })) };
  const same = skipped.filter(({ sameAs }) => sameAs !== undefined);
  const others = skipped.filter(({ sameAs }) => sameAs === undefined);
  const list = listSome(others.map(describeSkipped));
  const sentences = [
    ...(others.length === 0
      ? []
      : [`Skipped ${pluralize(others.length, "row")} without a name and url: ${list}.`]),
    ...(same.length === 0 ? [] : [describeSame(same)]),
  ];
  if (sentences.length > 0) await messages.info(sentences.join(" "), facts);
  for (const column of columns) {
    if (column.used < column.of) await messages.info(describeColumn(column));
  }
  const failed = counts.failed + checked.refused.size;
  const { rows } = counts;
  const done = pluralize(kept.length, "course");
  const rest = `${formatNumber(skipped.length)} skipped, ${formatNumber(failed)} failed`;
  const sentence = `${pluralize(rows, "row")}: ${done}, ${rest}`;
  const amounts = { courses: kept.length, rowsSkipped: skipped.length, rowsFailed: failed };
  return { kept, sentence, facts: { counts: { rows, ...amounts }, columns } };
}

/** Describes a skipped row by its key or first value: `row 5 of a.csv ("IT & Büro")`. */
function describeSkipped({ row, rows, key }: SkippedRow): string {
  const [first] = isObject(row.value) ? Object.values(row.value) : [row.value];
  const value = key ?? first;
  return `row ${row.number} of ${rows.name} (${value === undefined ? "empty" : truncateJson(value)})`;
}

/** Says which rows repeat others: `1 row is the same as row 2: row 3 of a.csv.` */
function describeSame(same: readonly SkippedRow[]): string {
  const list = listSome(same.map(({ row, rows }) => `row ${row.number} of ${rows.name}`));
  const first = new Set(same.map(({ sameAs }) => sameAs?.row.number));
  const origin = first.size === 1 ? `row ${[...first].join("")}` : "earlier rows";
  return `${pluralize(same.length, "row is", "rows are")} the same as ${origin}: ${list}.`;
}
