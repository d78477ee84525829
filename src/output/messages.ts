/** Prints messages on standard error, as text or as JSON lines. */
import { CatalogError, type ErrorKind } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { escapeLine, escapeText, safeJson } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { diagnosticText, sourceLines } from "./diagnostic-text.ts";
import { type Remark, splitBySeverity, suggestionText } from "./diagnostics.ts";
import { causesText, failureJson, failureText, maskFailure } from "./failure.ts";
import { ProgressLog } from "./progress.ts";
import { loadTextMeasure, messageWrapper, type Styles } from "./text-measure.ts";

export interface MessageOptions {
  readonly err: Output;
  /** Whether each message is a line of JSON (docs/json.md). */
  readonly json: boolean;
  /** Whether only errors and important messages are printed. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Styles for standard error. */
  readonly styles: Styles;
}

/** The indentation of the lines in which an error, a warning, a plan or a trace continues. */
const HANGING = 4;

/**
 * Prints everything that goes to standard error. Each message ends its line, and control characters in it
 * are escaped. On a terminal, text is wrapped between words.
 */
export class Messages {
  readonly #options: MessageOptions;

  /** The kinds of all failures so far, in order; they determine the exit code. */
  readonly kinds: ErrorKind[] = [];

  /** Every failure that was printed, except diagnostics of course files. */
  readonly failures: CatalogError[] = [];

  /** Every warning and notice for reports, except diagnostics of course files. */
  readonly remarks: Remark[] = [];

  constructor(options: MessageOptions) {
    this.#options = options;
  }

  /** Prints the progress of long work where there is no terminal. */
  readonly progress = new ProgressLog((text) => this.info(text));

  /** Records a failure that was printed elsewhere. */
  record(kind: ErrorKind): void {
    this.kinds.push(kind);
  }

  /** Prints a notice, unless `--quiet`. @param facts what a JSON line contains besides the text */
  async info(text: string, facts: PlainObject = {}): Promise<void> {
    if (!this.#options.quiet) await this.important(text, facts);
  }

  /** Prints a notice that reports contain, unless `--quiet`. @param file what it is about @param line shown before the text */
  async notice(text: string, file?: string, line?: number): Promise<void> {
    this.remarks.push({ text, file, line });
    if (line === undefined) await this.info(text);
    else if (this.#options.json) await this.info(text, { file, line });
    else await this.info(`${escapeLine(file ?? "")}:${line}: ${text}`);
  }

  /** Prints a notice that `--quiet` does not hide. */
  async important(text: string, facts: PlainObject = {}): Promise<void> {
    if (this.#options.json) await this.#json("notice", text, facts);
    else await this.#text(escapeText(text));
  }

  /** Prints styled lines, which must be safe to show, unless `--quiet` or JSON; before a question, also with these. */
  async show(
    lines: (styles: Styles) => readonly string[] | Promise<readonly string[]>,
    isAsked = false,
  ): Promise<void> {
    const { json, quiet, styles } = this.#options;
    if (!isAsked && (json || quiet)) return;
    for (const line of await lines(styles)) await this.#text(line, HANGING);
  }

  /** Prints a warning, unless `--quiet`. @param isReported whether reports contain it otherwise */
  async warn(text: string, isReported = false): Promise<void> {
    const { json, quiet, styles } = this.#options;
    if (!isReported) this.remarks.push({ text });
    if (quiet) return;
    if (json) await this.#json("warning", text);
    else await this.#text(`${styles.yellow("warning:")} ${escapeText(text)}`, HANGING);
  }

  /** Prints an error and records its kind; with `--verbose`, its causes follow. @param isReported as in `warn` */
  async fail(failure: CatalogError, isReported = false): Promise<void> {
    if (!isReported) this.failures.push(failure);
    this.record(failure.kind);
    const { err, json, verbose } = this.#options;
    const error = maskFailure(failure, err.mask);
    if (json) await this.#write(`${failureJson(error)}\n`);
    else await this.#failure(error);
    const causes = verbose ? causesText(failure) : "";
    if (causes !== "") await this.#write(`${causes}\n`);
  }

  /** Prints an error; on a terminal, with the line of the file that has the problem. */
  async #failure(error: CatalogError): Promise<void> {
    const { err, styles, verbose } = this.#options;
    const [head = "", ...rest] = failureText(error, styles, verbose).split("\n");
    const { place } = error.facts;
    await this.#text(head, HANGING);
    if (place?.source !== undefined && err.isTerminal) {
      const { columns, mask } = err;
      const options = { styles, columns, mask, measure: await loadTextMeasure() };
      const lines = sourceLines(place, styles.red, options);
      await this.#write(`${lines.join("\n")}\n`);
    }
    if (rest.length > 0) await this.#text(rest.join("\n"), HANGING);
  }

  /** Prints problems of files as `check` does, and records errors; with `--quiet`, it prints no warnings. */
  async diagnose(found: readonly Diagnostic[]): Promise<void> {
    const { json, err, quiet, styles } = this.#options;
    const isError = ({ severity }: Diagnostic): boolean => severity === "error";
    const diagnostics = quiet ? splitBySeverity(found).errors : found;
    if (diagnostics.length === 0) return;
    if (json) {
      for (const diagnostic of diagnostics) {
        const { file, line, column, message, rule } = diagnostic;
        if (isError(diagnostic)) await this.fail(diagnosticError(diagnostic), true);
        else await this.warn(`${file}:${line}:${column}: ${message} [${rule}]`, true);
      }
      return;
    }
    if (diagnostics.some(isError)) this.record("file");
    await this.#write(await diagnosticText(diagnostics, styles, err));
  }

  /** Prints a detail of the work as text, only with `--verbose`. */
  async trace(text: string): Promise<void> {
    if (this.#options.verbose) await this.#text(escapeText(text), HANGING);
  }

  async #json(name: "notice" | "warning", text: string, facts: PlainObject = {}): Promise<void> {
    const message = { [name]: this.#options.err.mask(text), ...facts };
    await this.#write(`${safeJson(message)}\n`);
  }

  async #text(text: string, indent = 0): Promise<void> {
    const { err } = this.#options;
    // The output masks keys: lines are broken between words, and no key has a space.
    const complete = text.replace(/\n+$/, "");
    await this.#write(`${messageWrapper(err)(complete, indent)}\n`);
  }

  /** Writes a message. If that fails, as on a full disk, the result of the run must not change. */
  async #write(text: string): Promise<void> {
    try {
      await this.#options.err.write(text);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
    }
  }
}

function diagnosticError(diagnostic: Diagnostic): CatalogError {
  const { message, file, line, column, rule } = diagnostic;
  const advice = suggestionText(diagnostic);
  return new CatalogError("file", message, { file, line, column, rule, advice });
}
