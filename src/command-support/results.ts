/** Prints one result per course, for `--json` and `--output`, and counts them. */
import { CatalogError } from "../base/errors.ts";
import { UNGUARDED } from "../base/io.ts";
import { joinList, pluralize } from "../base/text.ts";
import type { Change } from "../course/difference.ts";
import type { ReportedResult } from "../output/diagnostics.ts";
import { FAILURE_KEYS, failureFacts, maskFailure } from "../output/failure.ts";
import { listCounts, PAST } from "../output/plan.ts";
import type { Renderer } from "../output/renderer.ts";
import type { Located } from "../sync/step.ts";
import type { Context } from "./context.ts";
import { CHANGES_FIELDS, withoutFields } from "./fields-flag.ts";
import { checkNamedFormat, rendererFor, type Showing } from "./show.ts";

/** What came of one course. */
export interface Result {
  readonly id: string | null;
  readonly name?: unknown;
  readonly url?: unknown;
  /** Where the course is described. */
  readonly from?: Pick<Located, "file" | "line"> | undefined;
  readonly action: "create" | "update" | "unchanged" | "delete";
  /** `unknown` if no response said what happened, and no look-up either. */
  readonly status: "done" | "unchanged" | "failed" | "skipped" | "planned" | "unknown";
  readonly error?: CatalogError | undefined;
  /** The fields that the course has, and its file leaves out and does not clear. */
  readonly unmanaged?: readonly string[] | undefined;
  /** The values that differ, if they are asked for. */
  readonly fields?: readonly Change[] | undefined;
  /** How many milliseconds its requests took. */
  readonly duration?: number | undefined;
  /** The run of a deletion, which `catalog undo` accepts. */
  readonly run?: string | undefined;
}

/** Checks the format and `--fields`, before anything is sent. @throws CatalogError of kind `usage` */
export function checkResultOptions({ options }: Pick<Context, "options">): void {
  checkNamedFormat(SHOWING, options);
}

const COLUMNS = ["id", "name", "file", "action", "status", "error"];
export const RESULT_COLUMNS: readonly string[] = [
  ...["id", "name", "url", "file", "line", "action", "status"],
  ...["error", "unmanaged", "run", "fields"],
];

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: RESULT_COLUMNS,
  // Empty for courses that are not from files or were not read, and in runs without a failure.
  optional: ["name", "file", "error"],
  inside: {
    ...withoutFields(RESULT_COLUMNS),
    error: { keys: withoutFields(FAILURE_KEYS) },
    fields: CHANGES_FIELDS,
  },
};

type Needs = Pick<Context, "io" | "options" | "styles" | "messages">;

/** Prints results as they arrive. If they cannot be printed, the work continues. */
export class Results {
  readonly #context: Needs;
  readonly #plain: ((result: Result) => string) | undefined;
  readonly #counts: Record<Result["status"], number> = {
    done: 0,
    unchanged: 0,
    failed: 0,
    skipped: 0,
    planned: 0,
    unknown: 0,
  };
  readonly #unprinted: Result[] = [];
  #renderer: Promise<Renderer> | undefined;
  #failure: CatalogError | undefined;

  /** @param plain the text of a result without `--output`; without it, nothing is printed */
  constructor(context: Needs, plain?: (result: Result) => string) {
    this.#context = context;
    this.#plain = plain;
  }

  /** How many results have each status. */
  get counts(): Readonly<Record<Result["status"], number>> {
    return { ...this.#counts };
  }

  /** Prints the result, and its failure on standard error, unless it was reported before. */
  async add(result: Result, { isReported = false } = {}): Promise<void> {
    const status = statusOf(result);
    this.#counts[status]++;
    if (result.error !== undefined && !isReported) {
      await this.#context.messages.fail(result.error);
    }
    await this.#attempt(() => this.#print(result));
    const isPrinted = this.#failure === undefined && !this.#context.io.out.closed;
    if (!isPrinted && status === "done") this.#unprinted.push(result);
  }

  /** Ends the output; prints an empty list, too. Reports what could not be printed. */
  async end(): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await this.#attempt(async () => (await this.#open()).end());
    }
    const { io, messages } = this.#context;
    if (this.#unprinted.length === 0 && this.#failure === undefined) return;
    // Without any output, a closed standard output loses nothing.
    if (io.out.closed && this.#plain === undefined && this.#renderer === undefined) return;
    const reason = this.#failure?.message ?? "standard output was closed";
    const ids = this.#unprinted.map(({ id }) => id).join(", ");
    const completed = ids === "" ? "" : `; completed anyway: ${ids}`;
    await messages.fail(new CatalogError("output", `${reason}${completed}`));
  }

  /** Output may fail while the work continues; the first failure is kept. */
  async #attempt(print: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await print();
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.#failure = error;
    }
  }

  async #print(result: Result): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await (await this.#open()).rows([await toRow(result, this.#context.io.out.mask)]);
    } else if (this.#plain !== undefined) {
      await this.#context.io.out.write(this.#plain(result));
    }
  }

  #open(): Promise<Renderer> {
    this.#renderer ??= rendererFor(SHOWING, this.#context);
    return this.#renderer;
  }
}

/** A course with the action `unchanged` has the same status unless it failed. */
function statusOf({ action, status }: Result): Result["status"] {
  return action === "unchanged" && status === "done" ? "unchanged" : status;
}

/** The result as plain data for JSON, with secrets masked in its error. */
export async function toRow(result: Result, mask = UNGUARDED.mask) {
  const { action, error, unmanaged, run, fields } = result;
  return {
    ...(await describeResult(result)),
    ...{ action, status: statusOf(result) },
    error: error && failureFacts(maskFailure(error, mask)),
    ...{ unmanaged, run, fields },
  };
}

/** Which course it is, and where it begins in its file: null for what is unknown. */
export async function describeResult({
  id,
  name,
  url,
  from,
}: Pick<Result, "id" | "name" | "url" | "from">): Promise<
  Pick<ReportedResult, "id" | "name" | "url" | "file" | "line">
> {
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    ...{ id, name: textOf(name), url: textOf(url) },
    ...{ file: from?.file ?? null, line: (await from?.line()) ?? null },
  };
}

/** How many courses had each outcome. */
export type Counts = Readonly<Record<(typeof OUTCOMES)[number], number>>;

const OUTCOMES = [
  ...(["created", "updated", "unchanged", "deleted"] as const),
  ...(["failed", "skipped", "planned", "unknown"] as const),
] as const;

export function countResults(results: readonly Result[]): Counts {
  const counts = Object.fromEntries(OUTCOMES.map((name) => [name, 0])) as Record<
    keyof Counts,
    number
  >;
  for (const { action, status } of results) counts[status === "done" ? PAST[action] : status]++;
  return counts;
}

/** How many courses a run changed. */
export function countChanged({ created, updated, deleted }: Counts): number {
  return created + updated + deleted;
}

/** `Courses: 3 created, 1 updated, 10 unchanged and 1 failed.` */
export function listOutcomes(counts: Counts): string {
  const parts = listCounts(counts);
  return parts.length === 0 ? "No courses." : `Courses: ${joinList(parts, "and")}.`;
}

/** `Created 3 courses, 1 unchanged, 1 failed.` @param words how the sentence begins: `Created` */
export function describeOutcomes(
  counts: Counts,
  words: { readonly done: string; readonly planned: string },
): string {
  const { planned } = counts;
  const amount = planned > 0 ? planned : countChanged(counts);
  if (amount + counts.failed + counts.skipped + counts.unknown === 0) {
    return `Nothing to change: ${pluralize(counts.unchanged, "course")} unchanged.`;
  }
  const { unchanged, failed, skipped, unknown } = counts;
  // What a stopped run has left is said completely.
  const others = listCounts({ unchanged, failed, skipped, unknown }, skipped > 0 ? ["failed"] : []);
  const rest = others.map((part) => `, ${part}`).join("");
  return `${planned > 0 ? words.planned : words.done} ${pluralize(amount, "course")}${rest}.`;
}
