/** The results of a run: one per course for `--json` and `--output` (docs/json.md), and their summary. */
import { CatalogError } from "../base/errors.ts";
import { joinList, pluralize } from "../base/text.ts";
import type { Outcome } from "../core/apply.ts";
import type { Located } from "../course/located.ts";
import { failureFacts } from "../output/failure.ts";
import { PRINTED_FORMATS, type Printed } from "../output/formats.ts";
import { type Amount, amountsOf, PAST, toSentences, WERE } from "../output/plan.ts";
import type { Renderer } from "../output/renderer.ts";
import type { Context } from "./context.ts";
import { rendererFor, type Showing } from "./show.ts";

/** What became of one course: of a step, or of a course of a file that is written. */
export interface Result {
  readonly id: string | null;
  readonly name: unknown;
  readonly url: unknown;
  /** Where the course is described. */
  readonly from?: Pick<Located, "file" | "line"> | undefined;
  readonly action: "create" | "update" | "unchanged" | "delete";
  readonly status: Outcome["status"];
  readonly error?: CatalogError | undefined;
  /** The fields that the course has in the catalog, and that are missing from its file. */
  readonly unmanaged?: readonly string[] | undefined;
  readonly risks?: readonly string[] | undefined;
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

type Needs = Pick<Context, "io" | "options" | "styles" | "messages">;

/** Prints results as they arrive. If one cannot be printed, the work continues. */
export class Results {
  readonly #context: Needs;
  #renderer: Promise<Renderer> | undefined;
  #hasOutput = false;
  #failure: CatalogError | undefined;

  constructor(context: Needs) {
    this.#context = context;
  }

  /**
   * Prints a result, and its failure on standard error.
   *
   * @param options `isReported`: whether the failure was printed before; `plain`: what is printed without `--output`
   */
  async add(result: Result, { isReported = false, plain = "" } = {}): Promise<void> {
    if (result.error !== undefined && !isReported) await this.#context.messages.fail(result.error);
    this.#hasOutput ||= plain !== "" || this.#context.options.format !== undefined;
    await this.#attempt(() => this.#print(result, plain));
  }

  /** Ends the output, which may be an empty list, and reports why results could not be printed. */
  async end(): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await this.#attempt(async () => (await this.#open()).end());
    }
    const { io, messages } = this.#context;
    if (this.#hasOutput && io.out.closed) {
      this.#failure ??= new CatalogError("output", "standard output was closed");
    }
    if (this.#failure !== undefined) await messages.fail(this.#failure);
  }

  async #attempt(print: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await print();
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.#failure = error;
    }
  }

  async #print(result: Result, plain: string): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await (await this.#open()).rows([await toRow(result)]);
    } else if (plain !== "") await this.#context.io.out.write(plain);
  }

  #open(): Promise<Renderer> {
    this.#renderer ??= rendererFor(SHOWING, this.#context);
    return this.#renderer;
  }
}

/** The result of a step. */
export function resultOf({ step, status, error }: Outcome): Result {
  const { id, name, url, from, action, risks = [] } = step;
  return {
    id,
    name,
    url,
    from,
    action: action === "refused" ? step.wanted : action,
    status,
    error,
    unmanaged: "unmanaged" in step ? step.unmanaged : undefined,
    risks: risks.length === 0 ? undefined : [...new Set(risks.map(({ kind }) => kind))],
  };
}

/** A result as plain data for JSON. */
export async function toRow(result: Result) {
  const { action, status, error, unmanaged, risks } = result;
  const failure = error && failureFacts(error);
  return {
    ...(await describePlace(result)),
    action,
    status,
    error: failure,
    unmanaged,
    risks,
  };
}

/** A course, and its line in its file. Unknown values are null. */
export async function describePlace({
  id,
  name,
  url,
  from,
}: {
  readonly id: string | null;
  readonly name: unknown;
  readonly url: unknown;
  readonly from?: Pick<Located, "file" | "line"> | undefined;
}) {
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(name),
    url: textOf(url),
    file: from?.file ?? null,
    line: (await from?.line()) ?? null,
  };
}

/** The number of courses by outcome. */
export type Counts = Readonly<typeof NONE>;

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

export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const counts = { ...NONE };
  for (const { step, status } of outcomes) {
    const isDone = status === "done" && step.action !== "refused";
    counts[isDone ? PAST[step.action] : status === "done" ? "unchanged" : status]++;
  }
  return counts;
}

/** The number of courses that a run has changed. */
export function countChanged({ created, updated, deleted }: Counts): number {
  return created + updated + deleted;
}

/** The words of a summary that are not the usual ones. */
export interface OutcomeWords {
  /** The beginning of the sentence about the changes: `Undid run 20261123T101500Z-a1b2c3: `. */
  readonly start?: string;
  /** What has happened to courses; by default `created`, `updated`. */
  readonly created?: string;
  readonly updated?: string;
  /** One word for all changes: `Published`. */
  readonly done?: string;
  /** What a dry run would do: `Would publish`. */
  readonly planned?: string;
  /** What is said of courses with which nothing was done; by default, they were `not sent`. */
  readonly skipped?: string;
  /** What is said of unchanged courses; by default, they were up to date. */
  readonly unchanged?: string;
}

/**
 * The summary of a run, in one form for every command: `Created 1 course, updated 3 and deleted 2. 10 were up to
 * date. 1 failed.`, `Would create 3 courses.`, `Already up to date: 14 courses.`
 */
export function summarize(counts: Counts, words: OutcomeWords = {}): string {
  const { unchanged, failed, skipped, planned, unknown } = counts;
  const { start = "", created = "created", updated = "updated", done, skipped: why } = words;
  const isPlan = planned > 0;
  const changes =
    done === undefined
      ? { [created]: counts.created, [updated]: counts.updated, deleted: counts.deleted }
      : { [done]: countChanged(counts) };
  const changed = countChanged(counts) + planned;
  if (changed + failed + skipped + unknown === 0 && words.unchanged === undefined) {
    return unchanged === 0
      ? "Nothing to do."
      : `Already up to date: ${pluralize(unchanged, "course")}.`;
  }
  const were = isPlan ? WERE.planned : WERE.done;
  const verbs = Object.entries({ [words.planned ?? "would change"]: planned, ...changes });
  const all = verbs.map(([verb, amount]): Amount => [amount, (text) => `${verb} ${text}`]);
  const parts = amountsOf("course", [
    ...all,
    [unchanged, (text) => `${text} ${words.unchanged ?? `${were(unchanged)} up to date`}`],
    [failed, (text) => `${text} ${isPlan ? "would fail" : "failed"}`],
    [unknown, (text) => `${text} may have been changed`],
    [skipped, (text) => `${text} ${were(skipped)} ${why ?? "not sent"}`],
  ]);
  const main = parts.splice(0, all.filter(([amount]) => amount > 0).length);
  return toSentences([
    changed + unknown === 0
      ? "nothing was changed"
      : main.length > 0
        ? start + joinList(main, "and")
        : "",
    ...parts,
    skipped > 0 && why === undefined && failed === 0 ? "none failed" : "",
  ]);
}
