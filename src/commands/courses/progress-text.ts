/** Says how far a long piece of work is. */
import { formatNumber, pluralize } from "../../base/text.ts";

/** Where the work stands. Times are in milliseconds. */
export interface Standing {
  readonly done: number;
  readonly of: number;
  readonly elapsed: number;
  readonly failed: number;
}

/** `120 of 2,000, 38 a second, 50 s left, 2 failures`; the rate once there is one. */
export function pace({ done, of, elapsed, failed }: Standing): string {
  const parts = [`${formatNumber(done)} of ${formatNumber(of)}`];
  const rate = elapsed >= 1000 ? (done * 1000) / elapsed : 0;
  if (rate > 0) {
    parts.push(`${rate < 10 ? rate.toFixed(1) : formatNumber(Math.round(rate))} a second`);
    parts.push(`${timeOf((of - done) / rate)} left`);
  }
  if (failed > 0) parts.push(pluralize(failed, "failure"));
  return parts.join(", ");
}

function timeOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
