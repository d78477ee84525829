/** Sends the writes of a run and records them, so that the run can be undone. */
import { resolve } from "node:path";
import type { CatalogClient } from "../api/client.ts";
import type { Creation } from "../api/lost-writes.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { RECORD_START } from "../base/file-start.ts";
import { requireLinksInside } from "../base/links.ts";
import { requireReplaceable } from "../base/own-file.ts";
import { pluralize } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { describeTarget, valuesBefore } from "../history/record.ts";
import { Recorder, type RecordTarget } from "../history/recorder.ts";
import { findHistoryFolder } from "../history/store.ts";
import { type Flag, newFile } from "./arguments.ts";
import type { Context } from "./context.ts";

/** The flag of every command that writes. */
export const RECORD_FLAG = {
  name: "record",
  value: "<file>",
  completes: "file",
  parse: newFile,
  description: "write the record of this run to a file instead of the history",
} as const satisfies Flag;

/** A run that is about to write. */
export interface RecordingOptions {
  readonly file: string | undefined;
  /** Courses, or parts of them, with the providers that the run concerns. */
  readonly courses: readonly PlainObject[];
}

/** A course that is about to be written. */
interface Written {
  readonly remote: Course;
  /** The course file, if there is one. */
  readonly file?: string | undefined;
}

/** The writes of one run, each recorded before it is sent and after its response. */
export class Recording {
  readonly #client: CatalogClient;
  readonly #recorder: Recorder;

  constructor(client: CatalogClient, recorder: Recorder) {
    this.#client = client;
    this.#recorder = recorder;
  }

  /** What `catalog undo` accepts for this run; undefined before its first write. */
  get run(): string | undefined {
    return this.#recorder.name;
  }

  /** Creates the record before anything is deleted. @throws CatalogError of kind `output` */
  prepareDeletions(): void {
    try {
      this.#recorder.open();
    } catch (thrown) {
      const { kind, message, facts } = asCatalogError(thrown);
      const reason = "nothing was sent, because deletions are always recorded";
      throw new CatalogError(kind, `${message}; ${reason}`, facts);
    }
  }

  /** As the client's `create`. */
  async create(body: Course, file?: string): Promise<Creation> {
    return await this.#recorder.record(
      { ...describeTarget(body, file), action: "create", body },
      () => this.#client.create(body),
      ({ outcome }) => outcome === "exists",
    );
  }

  /** As the client's `update`. */
  async update(body: PlainObject, { remote, file }: Written): Promise<void> {
    const before = valuesBefore(body, remote);
    await this.#recorder.record(
      { ...describeTarget(remote, file), action: "update", body, before },
      () => this.#client.update(remote.id, body),
    );
  }

  /** As the client's `delete`. */
  async delete({ remote, file }: Written): Promise<void> {
    await this.#recorder.record(
      { ...describeTarget(remote, file), action: "delete", before: remote },
      () => this.#client.delete(remote.id),
    );
  }
}

/** Runs the work of a command that writes, and records it. */
export async function withRecording<Result>(
  { file, courses }: RecordingOptions,
  context: Context,
  work: (recording: Recording) => Promise<Result>,
): Promise<Result> {
  const client = await context.client();
  const { clock, messages, path: command } = context;
  const { baseUrl } = await context.settings();
  const recorder = new Recorder(recordTarget(file, context), {
    header: { command, baseUrl: baseUrl?.value ?? "", providers: findProviders(courses) },
    clock,
    onFailure: async (error) => {
      const { kind, message, facts } = error;
      const text = `this run cannot be undone, because it is not recorded: ${message}`;
      // A file that was asked for is a result of the run; the history is only a precaution.
      if (file !== undefined) return await messages.fail(new CatalogError(kind, text, facts));
      await messages.warn(text);
      if (facts.advice !== undefined) await messages.info(facts.advice);
    },
  });
  try {
    return await work(new Recording(client, recorder));
  } finally {
    recorder.close();
  }
}

function recordTarget(file: string | undefined, context: Context): RecordTarget {
  if (file === undefined) return { folder: findHistoryFolder(context) };
  return { file, path: resolve(context.folder, file) };
}

function findProviders(courses: readonly PlainObject[]): string[] {
  const ids = courses.flatMap(({ provider_id: id }) =>
    typeof id === "string" ? [id.toLowerCase()] : [],
  );
  return [...new Set(ids)];
}

/** The line after deletions, which `--quiet` does not hide. */
export function restoreText(deleted: number, run = ""): string {
  return `Deleted ${pluralize(deleted, "course")}. ${restoreAdvice(deleted, run)}`;
}

/** `To restore them: catalog undo 20260131-120000000-1a2b3c` */
export function restoreAdvice(deleted: number, run = ""): string {
  return `To restore ${deleted === 1 ? "it" : "them"}: ${undoCommand(run)}`;
}

/** The command that undoes a run or a record file. */
export function undoCommand(run: string): string {
  return `catalog undo ${/^[\w./-]+$/.test(run) ? run : JSON.stringify(run)}`;
}

/** Checks the file of `--record` before anything is sent. */
export function checkRecordFile(
  file: string | undefined,
  { folder }: Pick<Context, "folder">,
): void {
  if (file === undefined) return;
  const path = resolve(folder, file);
  requireLinksInside(file, path, folder);
  requireReplaceable({ name: file, path, what: "a record", flag: "--record", start: RECORD_START });
}
