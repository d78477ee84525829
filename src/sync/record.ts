/** The record of a run: JSON Lines, one before each write and one with its result after it. */
import type { RECORD_VERSION } from "../base/file-start.ts";
import type { PlainObject } from "../base/values.ts";
import {
  type Change,
  describeCreation,
  describeDeletion,
  diffCourses,
} from "../course/difference.ts";
import type { Course } from "../course/request-body.ts";

/** The first line of a record. */
export interface RecordHeader {
  readonly formatVersion: typeof RECORD_VERSION;
  /** The name of the run, unique in the history. */
  readonly run: string;
  /** When the first write began, as ISO 8601. */
  readonly time: string;
  /** The words of the command: `courses push`. */
  readonly command: string;
  readonly baseUrl: string;
  /** The ids of the providers whose courses are written. */
  readonly providers: readonly string[];
  readonly note?: string;
  readonly undoes?: string;
}

/** What a line before a write says about the course. */
interface Target {
  readonly id: string;
  readonly name: string | null;
  readonly url: string | null;
  /** The course file, if there is one. */
  readonly file?: string;
}

/** A write that is about to be sent. */
export type Write = Target &
  (
    | { readonly action: "create"; readonly body: PlainObject }
    | {
        readonly action: "update";
        readonly body: PlainObject;
        /** The values of the same fields before. */
        readonly before: PlainObject;
      }
    | {
        readonly action: "delete";
        readonly before: Course;
      }
  );

/**
 * The result of a write: `done`; `failed` if the service rejected it; `unchanged` if the course to
 * be created existed already; `unknown` without a response.
 */
export type WriteStatus = "done" | "failed" | "unchanged" | "unknown";

/** A write with its result; `unknown` also if the run ended before it. */
export type RecordedWrite = Write & { readonly status: WriteStatus };

/** A record that has been read. */
export interface RunRecord {
  readonly header: RecordHeader;
  /** In the order in which they began. */
  readonly writes: readonly RecordedWrite[];
  /** The number of a last line that is incomplete, and not used. */
  readonly cutLine?: number;
}

/** The part of a write that names the course. */
export function describeTarget(
  course: PlainObject & { readonly id: string },
  file?: string,
): Target {
  const { id, name, url } = course;
  return {
    id,
    name: typeof name === "string" ? name : null,
    url: typeof url === "string" ? url : null,
    ...(file === undefined ? {} : { file }),
  };
}

/** The present values of the fields of a body; null if they are not set. */
export function valuesBefore(body: PlainObject, remote: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.keys(body).map((name) => [name, Object.hasOwn(remote, name) ? remote[name] : null]),
  );
}

/** How many writes of a record had each result; failures of every action together. */
export function countWrites({ writes }: RunRecord) {
  const count = (action: Write["action"]): number =>
    writes.filter((write) => write.action === action && write.status === "done").length;
  const withStatus = (status: WriteStatus): number =>
    writes.filter((write) => write.status === status).length;
  return {
    created: count("create"),
    updated: count("update"),
    deleted: count("delete"),
    failed: withStatus("failed"),
    unknown: withStatus("unknown"),
  };
}

/** The changes of a write: old and new values. */
export function describeChanges(write: Write): Change[] {
  switch (write.action) {
    case "create":
      return describeCreation(write.body);
    case "update":
      return diffCourses(write.body, write.before);
    case "delete":
      return describeDeletion(write.before);
  }
}
