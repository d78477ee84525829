/** The results of a run: one per course for `--json` and `--output` (docs/json.md), and their summary. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { joinList } from "../base/text.ts";
import type { Outcome } from "../core/apply.ts";
import type { Risk, Step } from "../core/step.ts";
import type { Located } from "../course/located.ts";
import { failureFacts } from "../output/failure.ts";
import { PRINTED_FORMATS, type Printed } from "../output/formats.ts";
import { amountsOf, PAST, planSummary, toSentences } from "../output/plan.ts";
import type { Context } from "./context.ts";
import { rendererFor, type Showing } from "./show.ts";

/** What became of one course: of a step, or of a course of a file that is written. */
export interface Result extends Pick<Outcome, "status" | "error"> {
  readonly step: ResultStep;
}

/** What was to be done with the course. */
export interface ResultStep {
  readonly id: string | null;
  readonly name: unknown;
  readonly url: unknown;
  /** Where the course is described. */
  readonly from?: Pick<Located, "file" | "line"> | undefined;
  readonly action: Step["action"];
  /** What a refused step would have done. */
  readonly wanted?: Step["action"];
  /** The fields that the course has in the catalog, and that are missing from its file. */
  readonly unmanaged?: readonly string[] | undefined;
  readonly risks?: readonly Risk[] | undefined;
}

const COLUMNS = ["id", "name", "file", "action", "status", "error"];
export const RESULT_COLUMNS: readonly string[] = [
  "id",
  "name",
  "url",
  "file",
  "line",
  "action",
  "status",
  "error",
  "unmanaged",
  "risks",
];

/** The output of commands that print a result for each course. */
export const RESULTS: Printed = {
  formats: PRINTED_FORMATS.results,
  columns: RESULT_COLUMNS,
  onRequest: true,
};

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: RESULT_COLUMNS,
  // Columns that a table omits if they are empty: without files or failures, or if no course was read.
  optional: ["name", "file", "error"],
};

/** Prints results as they arrive. */
export interface Results {
  /** @param plain what is printed without `--output` */
  readonly add: (result: Result, plain?: string) => Promise<void>;
  /** Ends the output, which may be an empty list, and reports why results could not be printed. */
  readonly end: () => Promise<void>;
}

/** Opens the output of results. If one cannot be printed, the work continues. */
export async function openResults(context: Context): Promise<Results> {
  const { io, options, messages } = context;
  const renderer = options.format && (await rendererFor(SHOWING, context));
  let hasOutput = renderer !== undefined;
  let failure: CatalogError | undefined;
  const attempt = async (print: () => Promise<void> | undefined): Promise<void> => {
    if (failure !== undefined) return;
    try {
      await print();
    } catch (thrown) {
      failure = asCatalogError(thrown);
    }
  };
  return {
    add: async (result, plain = "") => {
      hasOutput ||= plain !== "";
      await attempt(async () => {
        if (renderer === undefined) await io.out.write(plain);
        else await renderer.rows([toRow(result)]);
      });
    },
    end: async () => {
      await attempt(() => renderer?.end());
      if (hasOutput && io.out.closed) {
        failure ??= new CatalogError("output", "standard output was closed");
      }
      if (failure !== undefined) await messages.fail(failure);
    },
  };
}

/** A result as plain data for JSON. Unknown values are null. */
export function toRow({ step, status, error }: Result) {
  const { id, name, url, from, action, wanted = action, unmanaged, risks = [] } = step;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(name),
    url: textOf(url),
    file: from?.file ?? null,
    line: from?.line ?? null,
    action: wanted,
    status,
    error: error && failureFacts(error),
    unmanaged,
    risks: risks.length === 0 ? undefined : [...new Set(risks.map(({ kind }) => kind))],
  };
}

/** The number of courses by outcome. */
export type Summary = Readonly<typeof NONE>;

const NONE = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  skipped: 0,
  planned: 0,
  unknown: 0,
};

export function countOutcomes(outcomes: readonly Outcome[]): Summary {
  const counts = { ...NONE };
  for (const { step, status } of outcomes) {
    const action = step.action === "refused" ? "unchanged" : step.action;
    counts[status === "done" ? PAST[action] : status]++;
  }
  return counts;
}

/** The number of courses that a run has changed. */
export function countChanged({ created, updated, deleted }: Summary): number {
  return created + updated + deleted;
}

/**
 * The summary of a run: `Created 1 course, updated 3 and deleted 2. 10 were up to date. 1 failed.`, or
 * `Already up to date: 14 courses.`
 */
export function summarize(counts: Summary): string {
  const { created, updated, deleted, unchanged, failed, unknown, skipped } = counts;
  const changed = countChanged(counts);
  if (changed + failed + unknown + skipped === 0) return planSummary({ ...NO_CHANGE, unchanged });
  const were = (amount: number): string => (amount === 1 ? "was" : "were");
  const parts = amountsOf("course", [
    [created, (text) => `created ${text}`],
    [updated, (text) => `updated ${text}`],
    [deleted, (text) => `deleted ${text}`],
    [unchanged, (text) => `${text} ${were(unchanged)} up to date`],
    [failed, (text) => `${text} failed`],
    [unknown, (text) => `${text} may have been changed`],
    [skipped, (text) => `${text} ${were(skipped)} not sent`],
  ]);
  const done = parts.splice(0, [created, updated, deleted].filter(Boolean).length);
  const nothing = changed + unknown === 0 ? "nothing was changed" : "";
  return toSentences([joinList(done, "and") || nothing, ...parts]);
}

const NO_CHANGE = { create: 0, update: 0, delete: 0, skipped: 0 };
