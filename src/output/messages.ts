/** Tells things on standard error, as text or as JSON lines (cli.md sections 2, 3 and 11). */
import { CatalogError, type Kind } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { multiLine } from "../base/text.ts";
import type { Paint } from "./colour.ts";
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
  /** Colours for standard error. */
  readonly paint: () => Promise<Paint>;
}

/** Everything said beside the data. Each message ends its line; hostile text is made safe. */
export class Messages {
  readonly #options: MessageOptions;
  readonly #kinds: Kind[] = [];

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  /** The kinds of all failures so far, in order; the exit code follows from them. */
  get kinds(): readonly Kind[] {
    return this.#kinds;
  }

  /** Notes a failure that was told elsewhere. */
  record(kind: Kind): void {
    this.#kinds.push(kind);
  }

  /** Tells something, unless `--quiet`. */
  async info(text: string): Promise<void> {
    if (!this.#options.quiet) await this.important(text);
  }

  /** Tells something that `--quiet` does not hide. */
  async important(text: string): Promise<void> {
    await this.#line(this.#options.json ? jsonOf({ notice: text }) : multiLine(text));
  }

  /** Tells of something odd that stops nothing, unless `--quiet`. */
  async warn(text: string): Promise<void> {
    const { json, quiet, paint } = this.#options;
    if (quiet) return;
    if (json) await this.#line(jsonOf({ warning: text }));
    else await this.#line(`${(await paint()).yellow("warning:")} ${multiLine(text)}`);
  }

  /** Tells of a failure and notes its kind; with `--verbose` its stack follows. */
  async fail(error: CatalogError): Promise<void> {
    this.record(error.kind);
    const { json, verbose, paint } = this.#options;
    await this.#line(json ? failureJson(error) : failureText(error, await paint()));
    if (verbose) await this.#line(stackText(error));
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
    await err.write(await diagnosticText(diagnostics, await paint(), options));
  }

  /** Tells a detail of the work, only with `--verbose`; always text. */
  async trace(text: string): Promise<void> {
    if (this.#options.verbose) await this.#line(multiLine(text));
  }

  async #line(text: string): Promise<void> {
    await this.#options.err.write(`${text.replace(/\n+$/, "")}\n`);
  }
}

function jsonOf(message: Readonly<Record<string, string>>): string {
  return terminalJson(JSON.stringify(message));
}

function diagnosticError(diagnostic: Diagnostic): CatalogError {
  const { message, suggestion, file, line, column, rule } = diagnostic;
  const next = suggestion === undefined ? undefined : `Did you mean ${suggestion}?`;
  return new CatalogError("file", message, { file, line, column, rule, next });
}
