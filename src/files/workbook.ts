/** Reads a sheet of a workbook as a table, in which positions are cells. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type CatalogError, systemCode, unreadError } from "../base/errors.ts";
import { joinList, listSome, truncateJson } from "../base/text.ts";
import type { Row, Table } from "./csv-table.ts";
import { MAX_UNPACKED, tooMany } from "./limits.ts";
import { LineIndex, type Range, type Span } from "./position.ts";
import { nameColumn } from "./table-header.ts";
import type { WorkbookInput, WorkbookResult } from "./workbook-worker.ts";
import workerText from "./workbook-worker.ts?bundle";

interface Sheet {
  readonly table: Table;
  readonly lines: LineIndex;
  /** What the user should know about how the sheet was read: clauses after the name of the file. */
  readonly notices: readonly string[];
}

/**
 * Reads the sheet with a name or, without a name, the first visible sheet. The cells A1 `name` and A2 `Knitting` give the
 * rows `["name"]` and `["Knitting"]`.
 *
 * @throws CatalogError of kind `file` if the workbook is damaged, or has no sheet with the name
 */
export async function readWorkbook(
  file: string,
  bytes: Buffer,
  name: string | undefined,
): Promise<Sheet> {
  const result = await readInThread(file, { bytes, name });
  if (result === "too-large") throw tooLarge(file);
  const { names, visible, name: read = "", rows, excess } = result;
  if (rows === undefined) throw noSheet(file, String(name), names);
  const last = rows.at(-1)?.number ?? 1;
  const problems =
    excess === undefined ? [] : [{ ...tooMany(excess, 0), span: spanOfCell(last, 0) }];
  const others = visible.filter((other) => other !== read).map(truncateJson);
  const notice = `read only the sheet ${truncateJson(read)}; to read another one (${listSome(others)}), pass --sheet`;
  return {
    table: { rows, spanOf: ({ number }, column) => spanOfCell(number, column), problems },
    lines: new SheetLines(rows),
    notices: name === undefined && others.length > 0 ? [notice] : [],
  };
}

const MAX_COLUMNS = 16_384;

/** The span of a cell. @param row from 1 @param column from 0 */
function spanOfCell(row: number, column: number): Span {
  const start = (row - 1) * MAX_COLUMNS + column;
  return { start, end: start + 1 };
}

/** Finds positions in a sheet: lines are rows, and columns are the sheet's columns. */
class SheetLines extends LineIndex {
  readonly #cells: ReadonlyMap<number, Row["cells"]>;

  constructor(rows: readonly Row[]) {
    super("");
    this.#cells = new Map(rows.map(({ number, cells }) => [number, cells]));
  }

  override range({ start, end }: Span): Range {
    const last = Math.max(start, end - 1);
    const [line, column] = [rowOf(start), (start % MAX_COLUMNS) + 1];
    return { line, column, endLine: rowOf(last), endColumn: (last % MAX_COLUMNS) + 2 };
  }

  override text({ start, end }: Span): string {
    if (end - start > 1) return "";
    return this.#cells.get(rowOf(start))?.[start % MAX_COLUMNS] ?? "";
  }

  override cell({ start, end }: Span): string {
    const row = rowOf(start);
    return end - start > 1 ? `row ${row}` : `cell ${nameColumn(start % MAX_COLUMNS)}${row}`;
  }
}

function rowOf(start: number): number {
  return Math.floor(start / MAX_COLUMNS) + 1;
}

/** More memory and time than the largest workbook takes on a slow machine, in megabytes and milliseconds. */
const [MEMORY, TIME] = [2048, 300_000];

/** @throws CatalogError of kind `file` if the workbook is damaged */
async function readInThread(
  file: string,
  workerData: WorkbookInput,
): Promise<WorkbookResult | "too-large"> {
  const worker = new Worker(workerText, {
    eval: true,
    workerData,
    // The thread gets no variables, options or streams of this process, because it needs none.
    env: {},
    argv: [],
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
    throw unreadable(file, cause);
  } finally {
    await worker.terminate();
  }
}

function unreadable(file: string, cause: unknown): CatalogError {
  const save = "Open it in a spreadsheet program, and save it as .xlsx.";
  const isEndless = ["ERR_WORKER_OUT_OF_MEMORY", "ABORT_ERR"].includes(systemCode(cause) ?? "");
  const [reason, advice] = isEndless
    ? ["it takes too much memory or time", "Delete what you do not need, or split the workbook."]
    : /password/i.test(Object(cause).message)
      ? ["it is protected by a password", save]
      : ["it is damaged, or no workbook", save];
  const message = `cannot read the workbook ${file}: ${reason}`;
  return unreadError(file, "unreadable", message, advice).with({ cause });
}

function tooLarge(file: string): CatalogError {
  const most = MAX_UNPACKED / 1024 / 1024;
  const message = `${file} is larger than ${most} MiB when unpacked, the limit for a workbook`;
  const advice = "Delete sheets that you do not need, or split the workbook.";
  return unreadError(file, "too-large", message, advice);
}

function noSheet(file: string, name: string, names: readonly string[]): CatalogError {
  const advice = `Pass one of its sheets with --sheet: ${joinList(names.slice(0, 20).map(truncateJson))}.`;
  return unreadError(file, "unreadable", `${file} has no sheet ${truncateJson(name)}`, advice);
}
