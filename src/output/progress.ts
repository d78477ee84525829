/** Shows that long work goes on, on one line of a terminal that leaves no trace. */
import type { Output } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import type { TextMeasure } from "./text-measure.ts";

/** A line that tells what is going on. */
export interface Progress {
  /** Replaces the text. */
  update(text: string): void;
  /** Takes the line away until the next update, so that others can be written. */
  pause(): void;
  /** Takes the line away, for good. */
  stop(): void;
}

type Spinner = ReturnType<typeof import("yocto-spinner")["default"]>;

const PATIENCE = 150;
const SHOW_CURSOR = "\u001b[?25h";
/** Columns beside the text: the sign, a blank, and the last column, where terminals wrap. */
const MARGIN = 3;

/**
 * Starts a progress line after a short while, so that quick work shows none.
 *
 * @param show false where there must be none: off a terminal, with `--quiet`, with `TERM=dumb`
 */
export async function startProgress(err: Output, text: string, show: boolean): Promise<Progress> {
  if (!show) {
    return { update: () => undefined, pause: () => undefined, stop: () => undefined };
  }
  let latest = text;
  let stopped = false;
  let paused = false;
  let shown:
    | { readonly start: () => void; readonly spinner: Spinner; readonly ruler: TextMeasure }
    | undefined;

  const begin = async (): Promise<void> => {
    const [{ default: spin }, { loadTextMeasure }] = await Promise.all([
      import("yocto-spinner"),
      import("./text-measure.ts"),
    ]);
    const ruler = await loadTextMeasure();
    if (stopped) return;
    // Signals are the program's business, and `--no-color` is unknown to the spinner.
    const spinner = spin({
      stream: err.stream,
      text: oneRow(latest, err.columns, ruler),
      color: COLORLESS,
      handleSignals: false,
    });
    const write = err.stream.write.bind(err.stream);
    const start = (): void => {
      spinner.start();
      // A program that is killed could not bring the cursor back, so it never goes.
      write(SHOW_CURSOR);
    };
    start();
    shown = { start, spinner, ruler };
  };

  const timer = setTimeout(() => {
    // Without a spinner the work goes on all the same.
    begin().catch(() => undefined);
  }, PATIENCE);
  timer.unref();

  return {
    update: (next) => {
      latest = next;
      if (shown === undefined || stopped) return;
      shown.spinner.text = oneRow(next, err.columns, shown.ruler);
      if (paused) shown.start();
      paused = false;
    },
    pause: () => {
      paused ||= shown !== undefined;
      shown?.spinner.stop();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      shown?.spinner.stop();
      shown = undefined;
    },
  };
}

// The spinner knows it, its types do not.
const COLORLESS = "reset" as string as "white";

/** The text on one row. The spinner counts rows by the text's length, so that must fit as well. */
function oneRow(text: string, columns: number, ruler: TextMeasure): string {
  const safe = escapeLine(text);
  let room = Math.max(0, columns - MARGIN);
  let row = ruler.cut(safe, room);
  while (row.length > columns - MARGIN && room > 0) row = ruler.cut(safe, --room);
  return row;
}
