/** `catalog courses import`: converts exports of other systems into course files. */
import { extname } from "node:path";
import { usageError } from "../../../base/errors.ts";
import { type Path, parsePath } from "../../../base/values.ts";
import {
  alternatives,
  type Flag,
  newFile,
  nonEmpty,
  type ParsedArguments,
  wholeNumber,
} from "../../../command-support/arguments.ts";
import { command } from "../../../command-support/command.ts";
import { parsePaths, TABLE_FLAGS } from "../../../command-support/course-files.ts";
import { RESULT_COLUMNS } from "../../../command-support/results.ts";
import { COURSE_EXTENSIONS, formatOf } from "../../../files/parse.ts";
import type { ImportFormat } from "../../../import/texts.ts";
import type { ImportOptions } from "./run.ts";

const IMPORT_FORMATS = ["yaml", "json", "csv", "ndjson"] as const satisfies readonly ImportFormat[];

const FLAGS = [
  {
    name: "map",
    parse: nonEmpty,
    value: "<file>",
    completes: "file",
    description: "mapping; schema.org is built in",
  },
  {
    name: "from",
    value: "<path>",
    parse: parseFrom,
    description: "where the list of rows is, such as data.items",
  },
  {
    name: "out",
    parse: newFile,
    value: "<path>",
    completes: "file",
    description: "folder or file to write to; with --suggest, the file of the mapping",
  },
  {
    name: "format",
    value: alternatives(IMPORT_FORMATS),
    choices: IMPORT_FORMATS,
    description: "format of new files (default: that of --out, or yaml)",
  },
  {
    name: "suggest",
    excludes: ["map", "format", "dry-run"],
    description: "suggest a mapping made from the names and values of the columns",
  },
  ...TABLE_FLAGS,
  {
    name: "header-row",
    value: "<number>",
    parse: wholeNumber(1),
    description: "row of tables that has the names of the columns (default: it is found)",
  },
  { name: "dry-run", description: "convert and check, write nothing" },
  {
    name: "yes",
    short: "y",
    needs: ["suggest"],
    description: "do not ask, and overwrite an existing mapping",
  },
] as const satisfies readonly Flag[];

/** No request. */
export const importCourses = command({
  description:
    "Reads Excel workbooks, CSV, TSV, JSON, NDJSON, YAML, and HTML pages with schema.org courses. A mapping is a " +
    "JSONata expression from one row to one course; without one, keys with the names of fields are used. " +
    "--suggest makes a mapping: on a terminal with --out, it asks what the table does not say. " +
    "A course that a file in --out already describes is edited in place; other courses get new files. " +
    "Without --out, the courses are printed.",
  arguments: [
    {
      name: "file",
      required: true,
      variadic: true,
      completes: "file",
      description: "files to convert; - reads standard input",
    },
  ],
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Suggest a mapping, to be edited; on a terminal, with questions",
      line: "catalog courses import moodle.csv --suggest --out moodle.jsonata",
    },
    {
      description: "Convert an export to one file per course",
      line: "catalog courses import moodle.csv --map moodle.jsonata --out courses/",
    },
    {
      description: "Use the courses that a page describes",
      line: "catalog courses import page.html --map schema.org --out courses/",
    },
    {
      description: "Convert course files to one spreadsheet",
      line: "catalog courses import courses/*.yaml --out courses.csv",
    },
  ],
  exits: [1, 3],
  parse: parseOptions,
  run: async (options, context) => {
    // JSONata and the HTML parser are large.
    const { runImport } = await import("./run.ts");
    await runImport(options, context);
  },
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>): ImportOptions {
  const { out, suggest } = values;
  if (suggest && out !== undefined && isFileName(out)) {
    throw usageError(
      `--suggest writes a mapping, but ${out} is the name of a course file`,
      "Choose a name that ends in .jsonata.",
    );
  }
  const isFile = out !== undefined && isFileName(out);
  const format = suggest ? "yaml" : formatFor(out, values.format);
  return { ...values, paths: parsePaths(words), isFile, format };
}

function parseFrom(text: string): Path {
  const path = parsePath(text);
  if (path !== undefined && path.length > 0) return path;
  throw usageError(`--from needs a path such as data.items: ${text}`);
}

/** Whether `--out` names a file, by its extension. */
function isFileName(out: string): boolean {
  return COURSE_EXTENSIONS.includes(extname(out).toLowerCase());
}

const UNWRITABLE = /\.(xlsx?|ods|txt|html?)$/i;

/** The format of `--out`, or of `--format`. @throws CatalogError of kind `usage` if they differ */
function formatFor(out: string | undefined, format: ImportFormat | undefined): ImportFormat {
  if (out === undefined) return format ?? "yaml";
  const own = isFileName(out) ? formatOf(out) : undefined;
  if (own === "tsv" || UNWRITABLE.test(out)) {
    throw usageError(
      `import cannot write ${extname(out)} files: ${out}`,
      "Choose a folder, or a file that ends in .yaml, .json, .csv or .ndjson.",
    );
  }
  if (own !== undefined && format !== undefined && own !== format) {
    throw usageError(`--out ${out} is ${own}, but --format is ${format}`);
  }
  if (own === undefined && (format === "csv" || format === "ndjson")) {
    throw usageError(
      `${format} is one file for all courses, but --out ${out} is a folder`,
      `Pass the name of a file, such as --out courses.${format}.`,
    );
  }
  return own ?? format ?? "yaml";
}
