/** `catalog courses import`: converts exports of other systems into course files. */
import { extname } from "node:path";
import { usageError } from "../../../base/errors.ts";
import { formatByName } from "../../../base/files.ts";
import { type Path, parsePath } from "../../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, newFile, nonEmpty, type Typed } from "../../../cli/arguments.ts";
import { command } from "../../../cli/command.ts";
import { TABLE_FLAGS } from "../../../cli/course-files.ts";
import { RESULTS } from "../../../cli/results.ts";
import type { ImportFormat } from "../../../import/match.ts";
import { isWebUrl } from "../../../output/cells.ts";
import type { ImportOptions } from "./run-import.ts";

const IMPORT_FORMATS = ["yaml", "json", "csv", "ndjson"] as const satisfies readonly ImportFormat[];

const FLAGS = [
  {
    name: "map",
    parse: nonEmpty,
    file: "read",
    value: "<file>",
    description: "the file of the mapping; schema.org selects the built-in mapping",
  },
  {
    name: "from",
    value: "<path>",
    parse: parseFrom,
    description: "the path of the list of rows, for example data.items",
  },
  {
    name: "out",
    parse: newFile,
    file: "written",
    value: "<path>",
    description: "write to this folder or file; with --suggest, write the mapping to this file",
  },
  {
    name: "format",
    choices: IMPORT_FORMATS,
    description: "the format of new files (default: the extension of --out, or yaml)",
  },
  {
    name: "suggest",
    excludes: ["map"],
    description: "draft a mapping from the names and values of the columns",
  },
  ...TABLE_FLAGS,
  DRY_RUN_FLAG,
] as const satisfies readonly Flag[];

/** The command; it sends no requests. */
export const importCourses = command({
  description:
    "Reads Excel workbooks, CSV, TSV, JSON, NDJSON, YAML, the front matter of Markdown, and HTML pages with " +
    "schema.org courses. A mapping is a JSONata expression that turns one row into one course. Without a mapping, import " +
    "uses the columns that have the names of course fields, or what HTML pages describe. --suggest drafts a mapping. " +
    "If a file in --out already describes a course, import edits that file; other courses get new " +
    "files. Without --out, import prints the courses.\n\n" +
    "Besides JSONata's functions, a mapping can use:\n" +
    "- $plainText(x): HTML as plain text\n" +
    "- $languages(x): the codes of languages\n" +
    "- $price(x, currency): an amount of money\n" +
    "- $hours(x): a duration in hours\n" +
    "- $choice(x, {…}): the entry for a value\n" +
    "- $published(x): whether a status means published\n" +
    "- $video(x): a link as a video\n" +
    "- $offers(x): the prices of schema.org offers\n" +
    "A function returns nothing for a value that it does not understand, and import reports the value.",
  arguments: [
    {
      name: "file",
      required: true,
      variadic: true,
      description: "the files to convert; - reads standard input",
    },
  ],
  flags: FLAGS,
  output: RESULTS,
  // Without --out, it prints the courses.
  printed: ({ out, suggest }) => (out !== undefined && !suggest ? RESULTS : undefined),
  instead: "To print the courses in another format, pass --format json; for results, pass --out.",
  examples: {
    "Draft a mapping that you then edit":
      "catalog courses import moodle.csv --suggest --out moodle.jsonata",
    "Convert an export to one file per course":
      "catalog courses import moodle.csv --map moodle.jsonata --out courses/",
    "Convert the courses that an HTML page describes":
      "catalog courses import page.html --out courses/",
    "Convert course files to one spreadsheet":
      "catalog courses import courses/*.yaml --out courses.csv",
  },
  parse: parseOptions,
  run: async (options, context) => {
    // JSONata and the HTML parser are large.
    const { runImport } = await import("./run-import.ts");
    await runImport(options, context);
  },
});

function parseOptions({ words: paths, ...flags }: Typed<typeof FLAGS>): ImportOptions {
  const { out, suggest } = flags;
  const isFile = out !== undefined && formatByName(out) !== undefined;
  if (suggest && isFile) {
    throw usageError(
      `--suggest writes a mapping, but ${out} is the name of a course file`,
      "Choose a name that ends in .jsonata. For example: --out mapping.jsonata",
    );
  }
  const page = paths.find((word) => isWebUrl(word));
  if (page !== undefined) {
    throw usageError(
      `import reads files, not ${page}`,
      "Save the page first, then import the file.",
    );
  }
  const format = suggest ? "yaml" : formatFor(out, flags.format);
  return { ...flags, paths, isFile, format };
}

function parseFrom(text: string): Path {
  const path = parsePath(text);
  if (path !== undefined && path.length > 0) return path;
  throw usageError(`--from must be a path such as data.items, not ${JSON.stringify(text)}`);
}

/** The format that `--out` or `--format` selects. @throws CatalogError of kind `usage` if both disagree */
function formatFor(out: string | undefined, format: ImportFormat | undefined): ImportFormat {
  if (out === undefined) return format ?? "yaml";
  const written = formatByName(out);
  if (written === undefined) {
    if (format !== "csv" && format !== "ndjson") return format ?? "yaml";
    throw usageError(
      `--format ${format} writes one file for all courses, but --out ${out} is a folder`,
      `Pass the name of a file. For example: --out courses.${format}`,
    );
  }
  const own = IMPORT_FORMATS.find((each) => each === written);
  if (own === undefined) {
    throw usageError(
      `import cannot write ${extname(out)} files such as ${out}`,
      "Choose a folder, or a file that ends in .yaml, .json, .csv or .ndjson.",
    );
  }
  if ((format ?? own) === own) return own;
  throw usageError(
    `--format ${format} cannot be combined with --out ${out}`,
    `Omit --format, or choose a file that ends in .${format}.`,
  );
}
