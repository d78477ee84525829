/** Reads a sheet of a workbook as a table, in which positions are cells. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { unreadError } from "../base/errors.ts";
import { nameColumn } from "../base/spreadsheet-cells.ts";
import { truncate } from "../base/text.ts";
import type { Span } from "../course/problem.ts";
import { LineIndex, oneAt, type Range } from "./diagnostic.ts";
import { SHEET, tooMany } from "./limits.ts";
import type { Row, Table } from "./table.ts";
import type { WorkbookInput, WorkbookResult } from "./workbook-worker.ts";
import workerText from "./workbook-worker.ts?bundle";

/**
 * Reads the sheet with a name or, without a name, the first visible sheet. The cells A1 `name` and A2 `Knitting` give the
 * rows `["name"]` and `["Knitting"]`.
 *
 * @throws CatalogError of kind `file` if the workbook is damaged, or has no sheet with the name
 */
export async function readWorkbook(file: string, bytes: Buffer, name: string | undefined) {
  const result = await readInThread(file, { bytes, name });
  if ("refusal" in result) {
    const [rule, clause] = result.refusal;
    throw unreadError(file, rule, `${file} ${clause}`);
  }
  if ("failure" in result) {
    const reason = `it is damaged, password-protected or not a workbook (${truncate(result.failure)})`;
    throw unreadError(file, "unreadable", `cannot read the workbook ${file}: ${reason}`);
  }
  const { rows, notices, excess, memory } = result;
  const last = rows.at(-1)?.number ?? 1;
  const problems = excess === undefined ? [] : [tooMany(excess, offsetOf(last, 0))];
  const spanOf = ({ number }: Row, column: number): Span => {
    return { ...oneAt(offsetOf(number, column)), cell: `cell ${nameColumn(column)}${number}` };
  };
  return {
    table: { rows, spanOf, problems } satisfies Table,
    /** The table that the sheet had when catalog wrote the workbook. */
    memory: memory && { rows: memory, spanOf, problems: [] },
    lines: new SheetLines(rows),
    notices,
  };
}

/** The offset of a cell in a sheet. @param row from 1 @param column from 0 */
function offsetOf(row: number, column: number): number {
  return (row - 1) * SHEET.columns + column;
}

/** Finds positions in a sheet: lines are rows, and columns are the sheet's columns. */
class SheetLines extends LineIndex {
  readonly #cells: ReadonlyMap<number, Row["cells"]>;

  constructor(rows: readonly Row[]) {
    super("");
    this.#cells = new Map(rows.map(({ number, cells }) => [number, cells]));
  }

  override lineOf(offset: number): number {
    return Math.floor(offset / SHEET.columns) + 1;
  }

  override range({ start, end }: Span): Range {
    const [line, column] = [this.lineOf(start), (start % SHEET.columns) + 1];
    return { line, column, endLine: line, endColumn: column + Math.max(1, end - start) };
  }

  override text(span: Span): string {
    const { line, column } = this.range(span);
    return span.end - span.start > 1 ? "" : (this.#cells.get(line)?.[column - 1] ?? "");
  }

  override excerpt(): Record<string, never> {
    return {};
  }
}

/** More memory and time than the largest workbook takes on a slow machine, in megabytes and milliseconds. */
const [MEMORY, TIME] = [2048, 300_000];

/** @throws CatalogError of kind `file` if the workbook is damaged */
async function readInThread(file: string, workerData: WorkbookInput): Promise<WorkbookResult> {
  const worker = new Worker(workerText, {
    eval: true,
    workerData,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY, maxYoungGenerationSizeMb: 64 },
  });
  // After its end, a thread may still report that its memory was full.
  worker.on("error", () => undefined);
  try {
    const [result] = await once(worker, "message", { signal: AbortSignal.timeout(TIME) });
    return result;
  } catch (cause) {
    const message = `cannot read the workbook ${file}: it needs too much memory or time`;
    throw unreadError(file, "unreadable", message).with({ cause });
  } finally {
    await worker.terminate();
  }
}
