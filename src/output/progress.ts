/** Shows the progress of long work: on one line of a terminal, or from time to time in a log. */
import type { Output } from "../base/io.ts";
import { escapeLine, formatNumber, pluralize } from "../base/text.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

export interface Progress {
  update(text: string): void;
  /** Removes the line permanently. */
  stop(): void;
}

/** Milliseconds before the line appears. */
const DELAY = 150;
const SHOW_CURSOR = "\u001b[?25h";
/** Columns that the text cannot use: the symbol, a space, and the last column, where terminals wrap. */
const MARGIN = 3;

/** Starts a progress line after a delay, so that quick work shows none. */
export function startProgress(err: Output, text: string): Progress {
  let latest = text;
  let stopped = false;
  let draw = (): void => undefined;
  let end = (): void => undefined;

  const begin = async (): Promise<void> => {
    const { default: spin } = await import("yocto-spinner");
    const measure = await loadTextMeasure();
    if (stopped) return;
    // `catalog` handles signals itself, and the spinner does not support `--no-color`.
    const spinner = spin({
      stream: err.stream,
      text: oneRow(latest, err.columns, measure),
      color: COLORLESS,
      handleSignals: false,
    });
    const write = err.stream.write.bind(err.stream);
    // From now on, the spinner redraws the line after any other output.
    spinner.start();
    // The cursor stays visible, because a killed program cannot restore it.
    write(SHOW_CURSOR);
    draw = () => {
      spinner.text = oneRow(latest, err.columns, measure);
    };
    end = () => {
      spinner.stop();
    };
  };

  const timer = setTimeout(() => {
    // The work continues without a progress line.
    begin().catch(() => undefined);
  }, DELAY);
  timer.unref();

  return {
    update: (next) => {
      latest = next;
      if (!stopped) draw();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      end();
    },
  };
}

/** Milliseconds between two lines of a log. */
const LOG_INTERVAL = 30_000;

/**
 * Progress in a log: prints the latest text on a line from time to time. The time runs from the first step
 * of a command, so that many short steps are not silent.
 */
export class ProgressLog {
  readonly #print: (text: string) => Promise<void>;
  #text: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(print: (text: string) => Promise<void>) {
    this.#print = print;
  }

  start(text: string): Progress {
    const show = (next: string | undefined): void => {
      this.#text = next;
    };
    show(text);
    this.#timer ??= setInterval(() => this.#printLatest(), LOG_INTERVAL).unref();
    return { update: show, stop: () => show(undefined) };
  }

  /** Ends the log with the command. */
  close(): void {
    clearInterval(this.#timer);
  }

  #printLatest(): void {
    if (this.#text !== undefined) this.#print(this.#text).catch(() => undefined);
  }
}

// The spinner supports this color, but its types omit it.
const COLORLESS = "reset" as string as "white";

/** The text on one row. Its length must also fit, because the spinner counts rows by the length. */
function oneRow(text: string, columns: number, measure: TextMeasure): string {
  const safe = escapeLine(text);
  let width = Math.max(0, columns - MARGIN);
  let row = measure.cut(safe, width);
  while (row.length > columns - MARGIN && width > 0) row = measure.cut(safe, --width);
  return row;
}

/** How much of long work is done. */
export interface WorkState {
  readonly done: number;
  /** Undefined if the total is unknown, as while a listing is read. */
  readonly of?: number | undefined;
  /** How many requests were repeated. */
  readonly retries?: number;
  /** The reason for the latest retry. */
  readonly reason?: string | undefined;
}

/** `Pushing: 120 of 2,000, 1 retry (HTTP 503)`. */
export function formatProgress(doing: string, state: WorkState): string {
  const { done, of, retries = 0, reason = "" } = state;
  const parts: string[] = [];
  if (of !== undefined) parts.push(`${formatNumber(done)} of ${formatNumber(of)}`);
  else if (done > 0) parts.push(formatNumber(done));
  if (retries > 0) parts.push(`${pluralize(retries, "retry", "retries")} (${reason})`);
  return parts.length === 0 ? doing : `${doing}: ${parts.join(", ")}`;
}
