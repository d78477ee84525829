/** What was done to each course, for `--json` and `--output` (cli.md section 3). */
import type { CatalogError } from "../base/errors.ts";
import { factsOf } from "../output/failure.ts";
import type { Renderer } from "../output/render.ts";
import type { Context } from "./context.ts";
import { checkFields, rendererFor } from "./show.ts";

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
  checkFields(options.fields, ALL_COLUMNS);
}

const COLUMNS = ["id", "file", "action", "status", "error"];
const ALL_COLUMNS = [...COLUMNS, "backup"];

type Needs = Pick<Context, "io" | "options" | "paint" | "messages">;

/** Takes results as they come; prints them only where a format was asked for. */
export class Results {
  readonly #context: Needs;
  #renderer: Promise<Renderer> | undefined;
  readonly #done: Record<Result["status"], number> = { done: 0, failed: 0, skipped: 0, planned: 0 };

  constructor(context: Needs) {
    this.#context = context;
  }

  /** Whether results go to standard output. */
  get shown(): boolean {
    return this.#context.options.format !== undefined;
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
    if (this.shown) await (await this.#open()).rows([rowOf(result)]);
  }

  /** Ends the output; an empty list is shown, too. */
  async end(): Promise<void> {
    if (this.shown) await (await this.#open()).end();
  }

  #open(): Promise<Renderer> {
    this.#renderer ??= rendererFor(
      { kind: "list", columns: COLUMNS, allColumns: ALL_COLUMNS },
      this.#context,
    );
    return this.#renderer;
  }
}

function rowOf({ error, ...rest }: Result): Readonly<Record<string, unknown>> {
  return error === undefined ? rest : { ...rest, error: factsOf(error) };
}
