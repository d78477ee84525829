/** What past runs changed, as reports of `history --report` contain it. */
import type { CatalogError } from "../base/errors.ts";
import { maskValue } from "../base/secrets.ts";
import type { RecordedWrite, RecordHeader, RunEnd } from "../sync/record-format.ts";
import type { ReportedStep } from "./diagnostics.ts";
import { failureFacts, maskFailure } from "./failure.ts";

/** A run, with the courses that it changed or tried to change. */
export interface ReportedRun extends Omit<RecordHeader, "formatVersion">, Omit<RunEnd, "left"> {
  readonly undone: boolean;
  readonly courses: readonly (Pick<ReportedStep, "id" | "name" | "url" | "action" | "fields"> &
    Pick<RecordedWrite, "status"> & { readonly file?: string })[];
}

/** The runs of the history, and why some could not be read. */
export interface HistoryReport {
  /** When the report was made, in ISO 8601. */
  readonly time: string;
  readonly runs: readonly ReportedRun[];
  readonly failures: readonly CatalogError[];
}

/** The report with secrets masked. */
export function maskHistory(
  { time, runs, failures }: HistoryReport,
  mask: (text: string) => string,
): HistoryReport {
  return {
    time,
    runs: maskValue(runs, mask) as readonly ReportedRun[],
    failures: failures.map((failure) => maskFailure(failure, mask)),
  };
}

/** The report as plain data for JSON (docs/json.md). */
export function historyJson({ time, runs, failures }: HistoryReport) {
  const failed = failures.length === 0 ? {} : { failures: failures.map(failureFacts) };
  return { command: "catalog history", time, ...failed, runs };
}
