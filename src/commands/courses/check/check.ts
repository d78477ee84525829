/** `catalog courses check`: finds problems in course files. `catalog explain` describes the rules. */
import { asCatalogError, usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { pluralize } from "../../../base/text.ts";
import { formatPath, type Path, type PlainObject } from "../../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, reportFlag, type Typed } from "../../../cli/arguments.ts";
import { command } from "../../../cli/command.ts";
import type { Context } from "../../../cli/context.ts";
import { findingFilter, PATH_ARGUMENT, readFiles, TABLE_FLAGS } from "../../../cli/course-files.ts";
import { printMessages } from "../../../cli/results.ts";
import { drain, readProviders, type Stages } from "../../../cli/work.ts";
import { publishReport } from "../../../cli/write-reports.ts";
import { type FindingFilter, LOWERABLE_RULES, parseLowerable } from "../../../course/problem.ts";
import { groupForeign, type Provider } from "../../../course/provider.ts";
import type { SourceCourse } from "../../../files/course-file.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { watchFiles } from "../../../files/watch.ts";
import { diagnosticText } from "../../../output/diagnostic-text.ts";
import {
  type CheckReport,
  jsonReport,
  splitBySeverity,
  summaryText,
} from "../../../output/diagnostics.ts";
import { CHECK_REPORTS, PRINTED_FORMATS } from "../../../output/formats.ts";
import { githubAnnotations } from "../../../output/github-annotations.ts";

const FLAGS = [
  { name: "strict", description: "count warnings as errors" },
  {
    name: "online",
    description: "also check provider and url against your account (needs an API key)",
  },
  { name: "fix", description: "apply the automatic fixes to the files" },
  DRY_RUN_FLAG,
  { name: "watch", excludes: ["fix", "report"], description: "keep checking as files change" },
  ...TABLE_FLAGS,
  { name: "all", description: "show all problems (a terminal shows the first 50)" },
  {
    name: "ignore",
    value: "<rule>",
    choices: LOWERABLE_RULES,
    parse: parseLowerable,
    repeatable: true,
    description: "ignore this rule: a warning, or an error that the service would accept",
  },
  reportFlag(CHECK_REPORTS),
] as const satisfies readonly Flag[];

/** Sends nothing; with `--online`, sends GET providers. */
export const check = command({
  description:
    "Reports every problem at once: where it is, what is wrong, and the likely fix. Exits with 3 if one is an error.",
  arguments: [{ ...PATH_ARGUMENT, required: true }],
  flags: FLAGS,
  output: { formats: PRINTED_FORMATS.problems },
  examples: {
    "Check a folder": "catalog courses check courses/",
    "Check against your account": "catalog courses check --online courses/",
    "In a CI job: write reports for other tools":
      "catalog courses check courses/ --report junit=courses.xml --report sarif=courses.sarif",
    "Check the files that a branch changes":
      "git diff -z --name-only --diff-filter=d main -- courses | xargs -0 catalog courses check",
    "Check while you write": "catalog courses check --watch courses/",
    "Apply the automatic fixes": "catalog courses check --fix courses/",
  },
  parse: requireFiles,
  run: checkCourses,
});

type Options = Typed<typeof FLAGS>;

function requireFiles(options: Options): Options {
  const { fix, watch, words } = options;
  if ((fix || watch) && words.includes(STANDARD_INPUT)) {
    const problem = fix ? "--fix cannot change" : "--watch cannot watch";
    throw usageError(
      `${problem} standard input`,
      `For example: catalog courses check ${fix ? "--fix" : "--watch"} courses/`,
    );
  }
  return options;
}

async function* checkCourses(options: Options, context: Context): Stages<undefined> {
  const { messages, folder, clock, stop } = context;
  const style = findingStyle(options, context);
  if (options.watch && style !== "human") {
    throw usageError("--watch shows problems only as text", "Omit --output and --json.");
  }
  const filter = await findingFilter(context, options.ignore);
  if (options.fix) await fix(options, style, context);
  const providers = options.online ? await findProviders(context) : undefined;
  yield { providers };
  const failures = [...messages.failures];
  const checkAll = async function* (): Stages<void> {
    const found = await checkFiles(options, filter, providers, context);
    yield found;
    await print({ ...found, failures }, style, options.all, context);
    if (found.diagnostics.some(({ severity }) => severity === "error")) messages.record("file");
  };
  if (!options.watch) return void (yield* checkAll());
  // Watched before the first check reads a file, so that no save is missed.
  const changes = watchFiles(options.words, { folder, clock, signal: stop.signal });
  await changes.next();
  try {
    await drain(checkAll());
    await messages.info("Watching for changes. Press Ctrl-C to stop.");
    for await (const _ of changes) await drain(checkAll());
    return undefined;
  } finally {
    await changes.return();
  }
}

/** How problems are printed, by `--output` and the environment: `human`, `json` or `github`. */
function findingStyle({ watch }: Options, { options, environment }: Context): string {
  const isAction = environment.GITHUB_ACTIONS === "true" && !watch;
  return options.format ?? options.output ?? (isAction ? "github" : "human");
}

async function print(
  report: CheckReport,
  style: string,
  all: boolean,
  context: Context,
): Promise<void> {
  const { styles, environment } = context;
  const { out } = context.io;
  if (style === "json") {
    return await printMessages([jsonReport(report)], { single: true }, context);
  }
  // GitHub hides annotations in the log, so the log also gets lines for people.
  if (style === "human" || environment.GITHUB_ACTIONS === "true") {
    const { quiet } = context.options;
    const { errors } = splitBySeverity(report.diagnostics);
    const diagnostics = quiet ? errors : report.diagnostics;
    // On a terminal, more would scroll past.
    const shown = out.isTerminal && !all ? diagnostics.slice(0, 50) : diagnostics;
    const rest = pluralize(diagnostics.length - shown.length, "more problem");
    const more =
      shown.length === diagnostics.length
        ? ""
        : `… and ${rest}. To show all problems, pass --all.\n\n`;
    const found = await diagnosticText(shown, styles, out);
    await out.write(`${found}${more}${quiet ? "" : `${summaryText(report, styles)}\n`}`);
  }
  if (style === "human") return;
  const published = publishReport({ ...report, failures: [] }, context);
  await out.write(githubAnnotations(published), "verbatim");
}

async function fix(
  { words, dryRun, sheet, encoding }: Options,
  style: string,
  context: Context,
): Promise<void> {
  const { fixesText, fixFiles } = await import("./fix-files.ts");
  const fixes = await fixFiles(words, { sheet, encoding }, dryRun, context);
  const { io, messages } = context;
  if (style === "human" || style === "github") {
    if (!context.options.quiet) await io.out.write(fixesText(fixes, dryRun, context.styles));
  } else if (fixes.length > 0) {
    await messages.info(`${dryRun ? "Would fix" : "Fixed"} ${pluralize(fixes.length, "problem")}.`);
  }
}

/** Checks every file. @returns the problems */
async function checkFiles(
  { words, strict, report: reports, sheet, encoding }: Options,
  filter: FindingFilter,
  providers: readonly Provider[] | undefined,
  context: Context,
) {
  // Only a page or a table needs the courses after their checks.
  const showsCourses = reports.some(({ format }) => ["html", "xlsx", "csv"].includes(format));
  const sources: SourceCourse[] = [];
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let courses = 0;
  const columns: (readonly string[] | undefined)[] = [];
  const remembered: PlainObject[] = [];
  await readFiles(words, context, { providers, sheet, encoding }, async (file) => {
    if (file.isLeftOut !== true) files.push(file.name);
    courses += file.courses.length;
    for (const course of showsCourses ? file.courses : []) sources.push(await withCells(course));
    if (file.courses.length > 0) columns.push(file.columns?.map(nameColumn));
    for (const course of file.remembered ?? []) remembered.push(course);
    for (const found of filter(file.diagnostics)) {
      diagnostics.push(strict ? { ...found, severity: "error" } : found);
    }
  });
  const found = groupForeign(diagnostics);
  const [table, ...others] = columns;
  const report = { columns: others.length > 0 ? undefined : table, remembered };
  return { files, courses, sources, diagnostics: found, ...report };
}

function nameColumn(path: Path): string {
  return path.length > 1 ? formatPath(path) : String(path[0]);
}

/** A course with the cells of its row, if it is one of a table, as they are written. */
async function withCells(course: SourceCourse): Promise<SourceCourse> {
  const { cells } = await course.place([]);
  if (cells === undefined) return course;
  const named = cells.map(({ path, written }) => [nameColumn(path), written]);
  return { ...course, cells: Object.fromEntries(named) };
}

/** The user's providers; undefined if they cannot be read, so that local problems are still reported. */
async function findProviders(context: Context): Promise<readonly Provider[] | undefined> {
  try {
    return await readProviders(context);
  } catch (thrown) {
    const error = asCatalogError(thrown);
    // A missing or invalid setting ends the command before any check.
    if (error.kind === "usage" || error.kind === "interrupted") throw error;
    await context.messages.fail(error);
    return undefined;
  }
}
