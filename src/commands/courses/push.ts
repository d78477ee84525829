/** `catalog courses push`: makes the catalog match the files (cli.md section 8, "push"). */
import { CatalogError, usageError } from "../../base/errors.ts";
import { formatNumber, pluralize } from "../../base/text.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { confirm, requireConfirmable } from "../../command-support/ask.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { STANDARD_INPUT } from "../../command-support/ids.ts";
import {
  parseReports,
  REPORT_FLAG,
  type ReportRequest,
  writeReports,
} from "../../command-support/report-flag.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../command-support/results.ts";
import { isSet, textFlag } from "../../command-support/values.ts";
import { type CheckReport, type Diagnostic, githubAnnotations } from "../../output/diagnostics.ts";
import { planLines, planSummary } from "../../output/plan.ts";
import { type ApplyNeeds, applySteps, showSteps } from "./apply-push.ts";
import { writeChosenIds } from "./chosen-ids.ts";
import { deletionQuestion, keepDeleted } from "./deletion.ts";
import { countsOf, entriesOf, planFor, type WantedStep } from "./plan-push.ts";
import { verifySteps } from "./verify-push.ts";

/** One of several parts of the files, for several jobs side by side. */
interface Shard {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

interface Request {
  readonly paths: readonly string[];
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly yes: boolean;
  readonly failFast: boolean;
  readonly writeIds: boolean;
  readonly verify: boolean;
  readonly shard?: Shard;
  readonly reports: readonly ReportRequest[];
}

type Needs = ApplyNeeds & Pick<Context, "platform" | "clock" | "signal" | "deferShutdown">;

/** GET providers and courses, then POST, PATCH and, with `--prune`, DELETE. */
export const push = command({
  description:
    "Makes the catalog match the files: new courses are created, changed ones changed, and fields " +
    "that a file leaves out are left alone. Nothing is sent until every file has passed the checks; " +
    "the same push again sends nothing for what is done.",
  arguments: [
    {
      name: "path",
      required: true,
      variadic: true,
      completes: "course-file",
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: [
    { name: "dry-run", description: "show the plan and send nothing" },
    { name: "prune", description: "delete the courses of these providers that no file names" },
    { name: "yes", short: "y", description: "do not ask before deleting" },
    { name: "fail-fast", description: "begin nothing more after the first failure" },
    { name: "shard", value: "<i/n>", description: "write the i-th of n parts of the files" },
    { name: "write-ids", description: "write the ids of courses into files that lack them" },
    { name: "verify", description: "read what was written, and compare" },
    REPORT_FLAG,
  ],
  columns: RESULT_COLUMNS,
  examples: [
    { says: "See what would be done", line: "catalog courses push --dry-run courses/" },
    { says: "Do it", line: "catalog courses push courses/" },
    {
      says: "In a CI job, as the one truth about the catalog",
      line: "catalog courses push --prune --yes --verify courses/",
    },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseRequest,
  run: pushCourses,
});

function parseRequest(words: ParsedArguments): Request {
  const shard = parseShard(textFlag(words, "shard"));
  const prune = isSet(words, "prune");
  if (shard !== undefined && prune) {
    throw usageError(
      "--prune and --shard contradict each other",
      "A part of the files cannot tell which courses no file names.",
    );
  }
  return {
    paths: parsePaths(words),
    dryRun: isSet(words, "dry-run"),
    prune,
    yes: isSet(words, "yes"),
    failFast: isSet(words, "fail-fast"),
    writeIds: isSet(words, "write-ids"),
    verify: isSet(words, "verify"),
    ...(shard === undefined ? {} : { shard }),
    reports: parseReports(words),
  };
}

function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const [part, of] = [Number(first), Number(second)];
  if (part >= 1 && part <= of) return { part, of };
  throw usageError(`--shard is not a part and a number of parts, such as 1/3: ${text}`);
}

async function pushCourses(request: Request, context: Needs): Promise<void> {
  checkResultOptions(context);
  let report: CheckReport = { files: [], courses: 0, diagnostics: [] };
  try {
    const keep = (found: CheckReport): void => {
      report = found;
    };
    const { steps } = await planFor(
      { ...request, except: request.reports.map(({ file }) => file) },
      keep,
      context,
    );
    const mine = steps.filter((step) => isMine(step, request.shard));
    await showPlan(mine, request, context);
    const plan = planSummary(countsOf(mine));
    if (request.dryRun) {
      report = { ...report, outcome: [`${plan} Nothing was sent.`] };
      await showSteps(mine, context);
      return;
    }
    const backup = await prepareDeletions(mine, request, context);
    const { refused, summary } = await finishing(context, () =>
      write(mine, { ...request, backup }, context),
    );
    report = {
      ...report,
      diagnostics: [...report.diagnostics, ...refused],
      outcome: [summary ?? plan],
    };
  } finally {
    await tellReport(request, report, context);
  }
}

/** Takes the steps, then what is to follow them. @returns what the service refused, and a summary */
async function write(
  steps: readonly WantedStep[],
  request: Pick<Request, "failFast" | "writeIds" | "verify"> & {
    readonly backup: string | undefined;
  },
  context: Needs,
): Promise<{ readonly refused: readonly Diagnostic[]; readonly summary: string | undefined }> {
  const { done, refusals, summary } = await applySteps(steps, request, context);
  if (request.writeIds) await writeChosenIds(done, context);
  const unverified =
    request.verify && !context.signal.aborted ? await verifySteps(done, context) : [];
  return { refused: [...refusals, ...unverified], summary };
}

/** Lets the work end in its own time after the first Ctrl-C; the second ends it at once. */
async function finishing<Result>(
  { deferShutdown, signal, messages }: Needs,
  work: () => Promise<Result>,
): Promise<Result> {
  const release = deferShutdown();
  const tell = (): void => {
    void messages.important("Finishing what is under way; once more stops at once.");
  };
  signal.addEventListener("abort", tell, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", tell);
    release();
  }
}

/** Writes the reports and, in a GitHub workflow, the annotations. */
async function tellReport(
  { reports }: Request,
  report: CheckReport,
  context: Needs,
): Promise<void> {
  await writeReports(reports, report, context);
  const { environment, options, io } = context;
  if (environment.GITHUB_ACTIONS !== "true" || options.format !== undefined) return;
  const diagnostics = report.diagnostics.filter(({ severity }) => severity === "error");
  await io.err.write(githubAnnotations({ ...report, diagnostics }));
}

function isMine(step: WantedStep, shard: Shard | undefined): boolean {
  if (shard === undefined || step.action === "delete") return true;
  return step.item.fileNumber % shard.of === shard.part - 1;
}

/** More lines than this say less than their number. */
const MOST_LINES = 100;

async function showPlan(
  steps: readonly WantedStep[],
  { dryRun }: Request,
  { messages, options }: Needs,
): Promise<void> {
  if (options.format !== undefined) return;
  const changing = steps.filter(({ action }) => action !== "unchanged");
  const shown = dryRun ? changing : changing.slice(0, MOST_LINES);
  await messages.show((paint) => planLines(entriesOf(shown), paint));
  const rest = changing.length - shown.length;
  if (rest > 0) await messages.info(`… and ${formatNumber(rest)} more`);
  await messages.info(planSummary(countsOf(steps)));
}

/** Asks, where there is something to delete, and keeps what goes. @returns the file that keeps it */
async function prepareDeletions(
  steps: readonly WantedStep[],
  { yes, paths }: Request,
  context: Needs,
): Promise<string | undefined> {
  const going = steps.flatMap((step) => (step.action === "delete" ? [step.held] : []));
  if (going.length === 0) return undefined;
  requireConfirmable(
    yes,
    `deleting ${pluralize(going.length, "course")}`,
    withoutFiles(paths, context),
  );
  if (!yes && !(await confirm(deletionQuestion(going), context))) {
    throw new CatalogError("usage", "nothing was sent: the answer was no");
  }
  return await keepDeleted(going, context);
}

/** With the courses on standard input there is nobody to answer there. */
function withoutFiles(paths: readonly string[], context: Needs): Needs {
  if (!paths.includes(STANDARD_INPUT)) return context;
  const { io } = context;
  return { ...context, io: { ...io, in: { ...io.in, isTerminal: false } } };
}
