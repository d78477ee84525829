/** Tells things on standard error, as text or as JSON lines (cli.md sections 2, 3 and 11). */
import { CatalogError, type ErrorKind } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { escapeText } from "../base/text.ts";
import type { Styles } from "./color.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { failureJson, failureText, stackText } from "./failure.ts";
import { terminalJson } from "./json-text.ts";

/** What messages depend on. */
export interface MessageOptions {
  readonly err: Output;
  /** Whether each message is a line of JSON. */
  readonly json: boolean;
  /** Whether only errors and what must not be missed are told. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colors for standard error. */
  readonly paint: () => Promise<Styles>;
}

/** Everything said beside the data. Each message ends its line; hostile text is made safe. */
export class Messages {
  readonly #options: MessageOptions;
  readonly #kinds: ErrorKind[] = [];

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  /** The kinds of all failures so far, in order; the exit code follows from them. */
  get kinds(): readonly ErrorKind[] {
    return this.#kinds;
  }

  /** Notes a failure that was told elsewhere. */
  record(kind: ErrorKind): void {
    this.#kinds.push(kind);
  }

  /** Tells something, unless `--quiet`. */
  async info(text: string): Promise<void> {
    if (!this.#options.quiet) await this.important(text);
  }

  /** Tells something that `--quiet` does not hide. */
  async important(text: string): Promise<void> {
    await this.#line(this.#options.json ? jsonOf({ notice: text }) : escapeText(text));
  }

  /**
   * Shows lines that were made for people, colors and all, unless `--quiet`; programs that asked
   * for JSON get none. Whoever paints them makes hostile text safe.
   *
   * @param lines is given the colors for standard error
   */
  async show(lines: (paint: Styles) => readonly string[]): Promise<void> {
    const { json, quiet, paint } = this.#options;
    if (json || quiet) return;
    for (const line of lines(await paint())) await this.#line(line);
  }

  /** Tells of something odd that stops nothing, unless `--quiet`. */
  async warn(text: string): Promise<void> {
    const { json, quiet, paint } = this.#options;
    if (quiet) return;
    if (json) await this.#line(jsonOf({ warning: text }));
    else await this.#line(`${(await paint()).yellow("warning:")} ${escapeText(text)}`);
  }

  /** Tells of a failure and notes its kind; with `--verbose` its stack follows. */
  async fail(error: CatalogError): Promise<void> {
    this.record(error.kind);
    const { json, verbose } = this.#options;
    await this.#line(json ? failureJson(error) : await this.#failureWithExcerpt(error));
    if (verbose) await this.#line(stackText(error));
  }

  /** The failure, on a terminal with the line of the file that it speaks of. */
  async #failureWithExcerpt(error: CatalogError): Promise<string> {
    const { err, paint: load } = this.#options;
    const paint = await load();
    const text = failureText(error, paint);
    const { line = 1, column = 1, excerpt } = error.facts;
    if (excerpt === undefined || !err.isTerminal) return text;
    const [{ snippet }, { loadTextMeasure }] = await Promise.all([
      import("./snippet.ts"),
      import("./text-measure.ts"),
    ]);
    const [head = "", ...rest] = text.split("\n");
    const options = {
      paint,
      tint: paint.red,
      columns: err.columns,
      ruler: await loadTextMeasure(),
    };
    return [head, ...snippet({ ...excerpt, line, column }, options), ...rest].join("\n");
  }

  /** Tells findings about course files as `check` does, and notes that files are at fault. */
  async diagnose(diagnostics: readonly Diagnostic[]): Promise<void> {
    const { json, err, paint } = this.#options;
    if (diagnostics.length === 0) return;
    if (json) {
      for (const diagnostic of diagnostics) await this.fail(diagnosticError(diagnostic));
      return;
    }
    this.record("file");
    const { diagnosticText } = await import("./diagnostics.ts");
    const options = { snippets: err.isTerminal, columns: err.columns };
    await this.#write(await diagnosticText(diagnostics, await paint(), options));
  }

  /** Tells a detail of the work, only with `--verbose`; always text. */
  async trace(text: string): Promise<void> {
    if (this.#options.verbose) await this.#line(escapeText(text));
  }

  async #line(text: string): Promise<void> {
    await this.#write(`${text.replace(/\n+$/, "")}\n`);
  }

  /** A message that cannot be told, as on a full disk, must not change what the run came to. */
  async #write(text: string): Promise<void> {
    try {
      await this.#options.err.write(text);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
    }
  }
}

function jsonOf(message: Readonly<Record<string, string>>): string {
  return terminalJson(JSON.stringify(message));
}

function diagnosticError(diagnostic: Diagnostic): CatalogError {
  const { message, suggestion, file, line, column, rule } = diagnostic;
  const next = suggestion === undefined ? undefined : `Did you mean ${suggestion}?`;
  return new CatalogError("file", message, { file, line, column, rule, advice: next });
}
