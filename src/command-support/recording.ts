/** Sends the writes of a run and records them, so that the run can be undone. */
import type { CatalogClient } from "../api/client.ts";
import type { Creation } from "../api/create-course.ts";
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import {
  countWrites,
  describeTarget,
  valuesBefore,
  type Write,
  type WriteResult,
} from "../history/record.ts";
import { Recorder } from "../history/recorder.ts";
import type { Context } from "./context.ts";
import { describeRun, recordTarget } from "./record-flag.ts";

// The commands import these from here.
export { checkRecordFile, RECORD_FLAG } from "./record-flag.ts";

/** A run that is about to write. */
export interface RecordingOptions {
  readonly file: string | undefined;
  /** Courses, or parts of them, with the providers that the run concerns. */
  readonly courses: readonly PlainObject[];
  readonly note?: string | undefined;
  /** The run that this one undoes. */
  readonly undoes?: string;
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
  readonly #writes: (Pick<Write, "action"> & Pick<WriteResult, "status">)[] = [];

  /** Of an undo: how many changes of the undone run remain. */
  left: number | undefined;

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
    return await this.#record(
      { ...describeTarget(body, file), action: "create", body },
      () => this.#client.create(body),
      (creation) => {
        if (creation.outcome === "exists") return { status: "unchanged" };
        const { id } = creation;
        return { status: "done", ...(id === body.id ? {} : { id }) };
      },
    );
  }

  /** As the client's `update`. */
  async update(body: PlainObject, { remote, file }: Written): Promise<void> {
    const before = valuesBefore(body, remote);
    await this.#record({ ...describeTarget(remote, file), action: "update", body, before }, () =>
      this.#client.update(remote.id, body),
    );
  }

  /** As the client's `delete`. */
  async delete({ remote, file }: Written): Promise<void> {
    await this.#record({ ...describeTarget(remote, file), action: "delete", before: remote }, () =>
      this.#client.delete(remote.id),
    );
  }

  /** Ends the record. */
  async end(): Promise<void> {
    const { left } = this;
    const counts = countWrites(this.#writes);
    await this.#recorder.end({ ...counts, ...(left === undefined ? {} : { left }) });
  }

  async #record<Result>(
    write: Write,
    send: () => Promise<Result>,
    toResult: (result: Result) => WriteResult = () => ({ status: "done" }),
  ): Promise<Result> {
    const number = await this.#recorder.before(write);
    const finish = async (result: WriteResult): Promise<void> => {
      this.#writes.push({ action: write.action, status: result.status });
      await this.#recorder.after(number, result);
    };
    try {
      const result = await send();
      await finish(toResult(result));
      return result;
    } catch (thrown) {
      // After any other failure, the write may have taken effect.
      const isCertain = /^(refused|missing|auth|usage)$/.test(asCatalogError(thrown).kind);
      await finish({ status: isCertain ? "failed" : "unknown" });
      throw thrown;
    }
  }
}

/** Runs the work of a command that writes, and records it. */
export async function withRecording<Result>(
  { file, ...run }: RecordingOptions,
  context: Context,
  work: (recording: Recording) => Promise<Result>,
): Promise<Result> {
  const client = await context.client();
  const { clock, messages } = context;
  const recorder = new Recorder(recordTarget(file, context), {
    header: await describeRun(run, context),
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
  const recording = new Recording(client, recorder);
  try {
    return await work(recording);
  } finally {
    await recording.end();
    recorder.close();
  }
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
