/** What was done to each course, for `--json` and `--output` (cli.md section 3). */
import { CatalogError } from "../base/errors.ts";
import { type FailureFacts, factsOf } from "../output/failure.ts";
import type { Renderer } from "../output/render.ts";
import type { Context } from "./context.ts";
import { NO_FIELDS } from "./field-names.ts";
import { checkNamedFormat, rendererFor, type Showing } from "./show.ts";

/** One course's result. */
export interface Result {
  readonly id: string | null;
  readonly file?: string;
  readonly action: "create" | "update" | "unchanged" | "delete";
  readonly status: "done" | "failed" | "skipped" | "planned";
  readonly error?: CatalogError;
  /** The file that holds the deleted course. */
  readonly backup?: string;
}

/** Checks the format and `--fields` of results, before anything is sent. @throws `usage` */
export function checkResultOptions({ options }: Pick<Context, "options">): void {
  checkNamedFormat(SHOWING, options);
}

const COLUMNS = ["id", "file", "action", "status", "error"];
/** Every column of results. */
export const RESULT_COLUMNS: readonly string[] = [...COLUMNS, "backup"];

const FACTS: readonly (keyof FailureFacts)[] = [
  ...(["kind", "message", "hint", "details", "status", "code"] as const),
  ...(["file", "line", "column", "rule", "next"] as const),
];

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: RESULT_COLUMNS,
  // Courses that come from no file, and runs without a failure, leave nothing to show.
  optional: ["file", "error"],
  inside: {
    id: NO_FIELDS,
    file: NO_FIELDS,
    action: NO_FIELDS,
    status: NO_FIELDS,
    error: { keys: Object.fromEntries(FACTS.map((name) => [name, NO_FIELDS])) },
    backup: NO_FIELDS,
  },
};

type Needs = Pick<Context, "io" | "options" | "styles" | "messages">;

/** Takes results as they come, prints them, and keeps going when they cannot be printed. */
export class Results {
  readonly #context: Needs;
  readonly #plain: ((result: Result) => string) | undefined;
  readonly #done: Record<Result["status"], number> = { done: 0, failed: 0, skipped: 0, planned: 0 };
  readonly #untold: Result[] = [];
  #renderer: Promise<Renderer> | undefined;
  #failure: CatalogError | undefined;

  /** @param plain what is printed of a result when no format was asked for; nothing without it */
  constructor(context: Needs, plain?: (result: Result) => string) {
    this.#context = context;
    this.#plain = plain;
  }

  /** How many results of a status there were. */
  count(status: Result["status"]): number {
    return this.#done[status];
  }

  /** Tells a failure on standard error and shows the result. */
  async add(result: Result): Promise<void> {
    this.#done[result.status]++;
    if (result.error !== undefined && result.status === "failed") {
      await this.#context.messages.fail(result.error);
    }
    await this.#attempt(() => this.#show(result));
    const { out } = this.#context.io;
    const isTold = this.#failure === undefined && !out.closed;
    if (!isTold && result.status === "done") this.#untold.push(result);
  }

  /** Ends the output; an empty list is shown, too. Tells what standard output did not take. */
  async end(): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await this.#attempt(async () => (await this.#open()).end());
    }
    const { io, messages } = this.#context;
    if (this.#untold.length === 0 && this.#failure === undefined) return;
    const why = this.#failure?.message ?? "standard output was closed";
    const ids = this.#untold.map(({ id }) => id).join(", ");
    // Commands that print nothing have lost nothing.
    if (io.out.closed && this.#plain === undefined && this.#renderer === undefined) return;
    const done = ids === "" ? "" : `; what was done all the same: ${ids}`;
    await messages.fail(new CatalogError("output", `${why}${done}`));
  }

  /** Writing may fail while the work goes on; the first reason is kept. */
  async #attempt(show: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await show();
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.#failure = error;
    }
  }

  async #show(result: Result): Promise<void> {
    if (this.#context.options.format !== undefined) {
      await (await this.#open()).rows([rowOf(result)]);
    } else if (this.#plain !== undefined) {
      await this.#context.io.out.write(this.#plain(result));
    }
  }

  #open(): Promise<Renderer> {
    this.#renderer ??= rendererFor(SHOWING, this.#context);
    return this.#renderer;
  }
}

function rowOf({ error, ...rest }: Result): Readonly<Record<string, unknown>> {
  return error === undefined ? rest : { ...rest, error: factsOf(error) };
}
