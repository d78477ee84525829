/** Writes the record of a run while it runs, so that a killed run leaves a usable one. */
import {
  chmodSync,
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeError } from "../base/atomic-write.ts";
import type { Clock } from "../base/clock.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { RECORD_VERSION } from "../base/file-start.ts";
import { makeFolders, PRIVATE_FILE, PRIVATE_FOLDER } from "../base/folders.ts";
import type { RecordHeader, Write, WriteStatus } from "./record.ts";
import { nameRun, pruneHistory, RECORD_EXTENSION } from "./store.ts";

/** Where the record goes: a file that the user named, or the folder of the history, if there is one. */
export type RecordTarget =
  | { readonly file: string; readonly path: string }
  | { readonly folder: string | undefined };

/** What a recorder needs besides its target. */
export interface RecorderOptions {
  readonly header: Omit<RecordHeader, "formatVersion" | "run" | "time">;
  readonly clock: Pick<Clock, "now" | "uuid">;
  /** Called once if the run cannot be recorded and continues. */
  readonly onFailure: (error: CatalogError) => Promise<void>;
}

/** The header, a write that is about to be sent, or the result of a write, by its number in the record. */
type Line =
  | RecordHeader
  | ({ readonly write: number } & (Write | { readonly status: WriteStatus }));

const flush = promisify(fdatasync);

interface OpenedRecord {
  /** What `catalog undo` accepts for the run. */
  readonly name: string;
  readonly path: string;
  readonly fd: number;
}

/** Creates its record at the first write: a run that writes nothing leaves none. */
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

  /** What `catalog undo` accepts for this run; undefined before the first write. */
  get name(): string | undefined {
    return this.#opened?.name;
  }

  /** Creates the record. @throws CatalogError of kind `output` if that is not possible */
  open(): OpenedRecord {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#opened ??= this.#create();
      return this.#opened;
    } catch (cause) {
      this.#failure = asCatalogError(cause).with({
        advice: "Pass --record with a file, or set XDG_STATE_HOME to a folder that can be written.",
      });
      throw this.#failure;
    }
  }

  /** Writes a line before a request. @throws CatalogError for a deletion that cannot be recorded */
  async before(write: Write): Promise<number> {
    const number = ++this.#writes;
    await this.#before(number, write);
    return number;
  }

  /** Writes a line after a request. */
  async after(number: number, result: { status: WriteStatus; id?: string }): Promise<void> {
    await this.#append({ write: number, ...result });
  }

  async end(_counts: unknown, _left?: number): Promise<void> {}

  /** Closes the record, and removes it if nothing was written. */
  close(): void {
    if (this.#opened === undefined) return;
    const { fd, path } = this.#opened;
    if (this.#writes === 0) removeOpened(fd, path);
    else closeSync(fd);
  }

  async #before(number: number, write: Write): Promise<void> {
    const line = { write: number, ...write };
    if (write.action !== "delete") return await this.#append(line);
    const { fd, name } = this.open();
    try {
      appendLine(fd, line);
      // Not even a power failure may lose a course that was deleted; devices cannot be flushed.
      await flush(fd).catch(() => undefined);
    } catch (cause) {
      throw writeError(name, cause);
    }
  }

  async #append(line: Line): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      appendLine(this.open().fd, line);
    } catch (cause) {
      this.#failure = writeError(this.#opened?.path ?? "the record", cause);
      await this.#options.onFailure(this.#failure);
    }
  }

  #create(): OpenedRecord {
    const { header, clock } = this.#options;
    const time = clock.now();
    const run = nameRun(time, clock.uuid());
    const target = this.#target;
    const { name, path } =
      "file" in target
        ? { name: target.file, path: target.path }
        : { name: run, path: join(historyFolder(target.folder), `${run}${RECORD_EXTENSION}`) };
    const label = "file" in target ? name : path;
    try {
      makeFolders(dirname(path), PRIVATE_FOLDER);
      if ("folder" in target) chmodSync(dirname(path), PRIVATE_FOLDER);
      const fd = openSync(path, "file" in target ? flagsFor(path) : "ax", PRIVATE_FILE);
      try {
        const start = { run, time: new Date(time).toISOString() };
        appendLine(fd, { formatVersion: RECORD_VERSION, ...start, ...header });
      } catch (cause) {
        removeOpened(fd, path);
        throw cause;
      }
      if ("folder" in target) pruneHistory(dirname(path));
      return { name, path, fd };
    } catch (cause) {
      throw writeError(label, cause);
    }
  }
}

/** Replaces an older record, and appends to a device or pipe. */
function flagsFor(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  return entry === undefined || entry.isFile() ? "w" : "a";
}

/** Closes a file and removes it; a device is left. */
function removeOpened(fd: number, path: string): void {
  const isFile = fstatSync(fd).isFile();
  closeSync(fd);
  if (isFile) rmSync(path, { force: true });
}

function historyFolder(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new CatalogError("output", "no folder found for the record of this run");
}

/** Appends a complete line, or nothing: a full disk may have room for a part of it. */
function appendLine(fd: number, line: Line): void {
  const before = fstatSync(fd);
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch (cause) {
    if (before.isFile()) ftruncateSync(fd, before.size);
    throw cause;
  }
}
