/** Writes the undo record of a run, line by line, so that even a killed run leaves a usable record. */
import { chmodSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeError } from "../base/atomic-write.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { makeFolders, PRIVATE_FOLDER } from "../base/folders.ts";
import { OpenFile } from "../base/open-file.ts";
import type { Clock } from "../base/process.ts";
import { safeJson } from "../base/text.ts";
import {
  RECORD_VERSION,
  type RecordHeader,
  type RunDescription,
  type RunEnd,
  type WriteResult,
} from "./record-format.ts";
import { listRuns, nameRun, pruneHistory, RECORD_EXTENSION } from "./record-store.ts";
import type { SavedStep } from "./saved-plan.ts";

/**
 * Where the record is written: a file that the user named, relative to a folder, with `{run}` for the name of the
 * run; or the folder of the history, undefined if the environment names none.
 */
export type RecordTarget =
  | { readonly file: string; readonly folder: string }
  | { readonly history: string | undefined };

export interface RecorderOptions {
  readonly header: RunDescription;
  readonly clock: Pick<Clock, "now" | "uuid">;
  /** Called once if the run cannot be recorded and continues. */
  readonly onFailure: (error: CatalogError) => Promise<void>;
}

/** A header, a change that is about to be sent, the result of a change by its number, or the end. */
type Line =
  | RecordHeader
  | ({ readonly write: number } & (SavedStep | WriteResult))
  | { readonly end: RunEnd };

interface OpenedRecord {
  readonly run: string;
  /** The name of the run, or of the file: the argument for `catalog undo`. */
  readonly name: string;
  readonly path: string;
  readonly file: OpenFile;
}

/** Records one run. In the history, a run without changes leaves no record; a named file is always written. */
export class Recorder {
  readonly #target: RecordTarget;
  readonly #options: RecorderOptions;
  #opened: OpenedRecord | undefined;
  #failure: CatalogError | undefined;
  #writes = 0;

  constructor(target: RecordTarget, options: RecorderOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** The argument with which `catalog undo` undoes this run; undefined before the record exists. */
  get name(): string | undefined {
    return this.#opened?.name;
  }

  /**
   * Records a change that is about to be sent. A change that cannot be recorded is reported to `onFailure`, except
   * for a deletion.
   *
   * @returns the number of the change, for `after`
   * @throws CatalogError of kind `output` for a deletion that cannot be recorded, and must not be sent
   */
  async before(write: SavedStep): Promise<number> {
    const number = ++this.#writes;
    const line = { write: number, ...write };
    if (write.action !== "delete") await this.#append(line);
    else {
      const { file, name } = this.open();
      try {
        file.append(textOf(line));
        // Not even a power failure may lose the copy of a deleted course.
        await file.flush().catch(() => undefined);
      } catch (cause) {
        throw writeError(name, cause);
      }
    }
    return number;
  }

  async after(number: number, result: WriteResult): Promise<void> {
    await this.#append({ write: number, ...result });
  }

  /** Records that the run has ended. Must be called last. */
  async end(end: RunEnd): Promise<void> {
    if (this.#opened !== undefined) await this.#append({ end });
  }

  close(): void {
    if (this.#opened === undefined) return;
    const { file, path, run } = this.#opened;
    const isHistory = "history" in this.#target;
    if (isHistory && this.#writes === 0) removeOpened(file, path);
    else file.close();
    if (isHistory) pruneHistory(dirname(path), run, this.#options.clock.now());
  }

  /** Creates the record, unless it exists; the first change also does. @throws CatalogError of kind `output` */
  open(): OpenedRecord {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#opened ??= this.#create();
      return this.#opened;
    } catch (cause) {
      this.#failure = asCatalogError(cause).with({
        advice:
          "file" in this.#target
            ? "Choose another file for --record."
            : "Pass --record with a file, or set XDG_STATE_HOME to a folder that you can write to.",
      });
      throw this.#failure;
    }
  }

  async #append(line: Line): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      this.open().file.append(textOf(line));
    } catch (cause) {
      this.#failure = writeError(this.#opened?.path ?? "the undo record", cause);
      await this.#options.onFailure(this.#failure);
    }
  }

  #create(): OpenedRecord {
    const { header, clock } = this.#options;
    const time = clock.now();
    const { run, name, path } = nameRecord(this.#target, time, clock.uuid());
    try {
      const isHistory = "history" in this.#target;
      makeFolders(dirname(path), PRIVATE_FOLDER);
      if (isHistory) chmodSync(dirname(path), PRIVATE_FOLDER);
      const file = new OpenFile(path, "create");
      try {
        const start = { run, time: new Date(time).toISOString() };
        file.append(textOf({ formatVersion: RECORD_VERSION, ...start, ...header }));
      } catch (cause) {
        removeOpened(file, path);
        throw cause;
      }
      return { run, name, path, file };
    } catch (cause) {
      throw writeError("file" in this.#target ? name : path, cause);
    }
  }
}

function nameRecord(target: RecordTarget, time: number, uuid: string): Omit<OpenedRecord, "file"> {
  if ("file" in target) {
    const run = nameRun(time, uuid);
    const name = target.file.replaceAll("{run}", run);
    return { run, name, path: resolve(target.folder, name) };
  }
  const { history } = target;
  if (history === undefined) {
    throw new CatalogError("output", "found no folder for the undo record of this run");
  }
  const run = nameRun(time, uuid, listRuns(history)[0]?.run);
  return { run, name: run, path: join(history, `${run}${RECORD_EXTENSION}`) };
}

function removeOpened(file: OpenFile, path: string): void {
  file.close();
  rmSync(path, { force: true });
}

function textOf(line: Line): string {
  return `${safeJson(line)}\n`;
}
