/** The text of the progress line; all long work has the same. */
import { formatNumber, pluralize } from "../base/text.ts";

/** How much of long work is done. */
export interface WorkState {
  readonly done: number;
  /** Undefined if the total is unknown, as while a listing is read. */
  readonly of?: number | undefined;
  /** Milliseconds. */
  readonly elapsed: number;
  readonly failed?: number;
  /** How often a request was repeated. */
  readonly retries?: number;
}

/**
 * `Pushing: 120 of 2,000, 38 a second, 50 s left, 2 failures, 1 retry`; without a rate in the first
 * second.
 */
export function formatProgress(doing: string, state: WorkState): string {
  const { done, of, elapsed, failed = 0, retries = 0 } = state;
  const parts: string[] = [];
  if (of !== undefined) parts.push(`${formatNumber(done)} of ${formatNumber(of)}`);
  else if (done > 0) parts.push(formatNumber(done));
  const rate = elapsed >= 1000 ? (done * 1000) / elapsed : 0;
  if (rate > 0) {
    parts.push(`${rate < 10 ? rate.toFixed(1) : formatNumber(Math.round(rate))} a second`);
    if (of !== undefined) parts.push(`${formatDuration((of - done) / rate)} left`);
  }
  if (failed > 0) parts.push(pluralize(failed, "failure"));
  if (retries > 0) parts.push(pluralize(retries, "retry", "retries"));
  return parts.length === 0 ? doing : `${doing}: ${parts.join(", ")}`;
}

function formatDuration(seconds: number): string {
  if (seconds <= 99) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
