/** Runs an import: rows → mapping → courses → checks → files. */
import { basename, dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { usageError } from "../../../base/errors.ts";
import { createFolder } from "../../../base/folders.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { requireLinksInside } from "../../../base/links.ts";
import { escapeText, pluralize } from "../../../base/text.ts";
import { isObject, type PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { checkResultOptions } from "../../../command-support/results.ts";
import { trackWork } from "../../../command-support/work.ts";
import { decode, readBytes } from "../../../files/bytes.ts";
import { Defaults } from "../../../files/defaults.ts";
import { textDiagnostics } from "../../../files/diagnostic.ts";
import type { FileFormat } from "../../../files/formats.ts";
import { isPage, readSourceRows, type SourceRows } from "../../../files/source-rows.ts";
import { DEFAULTS_FILE, findFiles } from "../../../files/sources.ts";
import { runBatch } from "../batch.ts";
import { readExistingFiles } from "../existing-files.ts";
import { describeWritten } from "../pull/write-pulled-files.ts";
import { createImportWriter } from "./import-writer.ts";
import { type Imported, type ImportedCourses, importRows, requireRows } from "./imported.ts";
import { compileMapping } from "./mapping.ts";
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
  const isFile = isFileName(out);
  const path = resolve(context.folder, out);
  requireLinksInside(out, path, context.folder);
  const existing = await readExistingFiles(out, [], context);
  if (isFile && existing.damaged.size > 0) {
    throw usageError(
      `${out} exists and is not a valid course file`,
      "Fix it, or pass another name.",
    );
  }
  const folder = isFile ? dirname(path) : path;
  const real = dryRun ? folder : createFolder(isFile ? dirname(out) : out, folder);
  const items = isFile
    ? matchImported(imported.courses, existing, out)
    : planFolder(imported.courses, existing, {
        ...{ folder: out, path, format: format as FileFormat },
      });
  const defaults = await new Defaults(context.folder).valuesFor(newPathIn(context.folder, out));
  // With what its file has besides the imported fields.
  const complete = ({ match, course }: ImportItem): PlainObject =>
    completeCourse(match?.described ?? defaults, course);
  await reportImported(imported, items, complete, context);
  const destination = { name: out, path: isFile ? path : real, format, dryRun };
  const write = createImportWriter(items, destination, context);
  const changed = new Set<string>();
  const kept = new Set<string>();
  const results = await runBatch(
    {
      items,
      doing: "Writing",
      describe: ({ course, name, match, newFile }) => ({
        id: typeof course.id === "string" ? course.id : null,
        course,
        ...(match === undefined
          ? { file: name, action: "create" }
          : { source: match.source, action: "update" }),
        ...(newFile === undefined ? {} : { line: 1 }),
      }),
      run: async (item) => {
        const result = await write(item);
        (result.action === "unchanged" ? kept : changed).add(item.name);
        return result;
      },
    },
    context,
  );
  for (const name of changed) kept.delete(name);
  const others = [
    [kept.size, "unchanged"],
    [results.counts.skipped, "skipped"],
  ] as const;
  const summary = describeWritten(changed.size, others, dryRun);
  const counts = { courses: items.length, written: changed.size, unchanged: kept.size };
  await context.messages.info(`${pluralize(items.length, "course")}. ${summary}`, { counts });
}
