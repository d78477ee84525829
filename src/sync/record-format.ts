/**
 * Parses undo records, which are JSON Lines. The first line is the header. Each
 * change of a course has a line before its request, and a line with the result after it. The last line has the
 * counts; it is missing from the record of a killed run:
 *
 *     {"formatVersion":1,"run":"20261123-…","time":"…","command":"courses push","baseUrl":"…","providers":["…"]}
 *     {"write":1,"action":"create","id":"0b6e…","name":"Knitting",…,"body":{"id":"0b6e…","name":"Knitting",…}}
 *     {"write":1,"status":"done"}
 *     {"end":{"created":1,"updated":0,"deleted":0,"failed":0,"unknown":0}}
 */
import * as z from "zod/mini";
import { attempt, CatalogError } from "../base/errors.ts";
import type { Author, Environment } from "../base/process.ts";
import { formatPath, isObject, type PlainObject } from "../base/values.ts";
import { readShape, type SavedStep, savedStep } from "./saved-plan.ts";

/** The format version of undo records; a record with another version cannot be read. */
export const RECORD_VERSION = 1;

const text = z.string();

const recordHeader = z.object({
  formatVersion: z.literal(RECORD_VERSION),
  /** The name of the run, unique in the history. */
  run: text,
  /** When the first change began, in ISO 8601. */
  time: text,
  /** The words of the command: `courses push`. */
  command: text,
  baseUrl: text,
  /** The ids of the providers whose courses the run changes. */
  providers: z.array(text),
  /** The user who started the run, and the machine. */
  ...{ user: z.optional(text), host: z.optional(text) },
  /** For a job of GitHub Actions or GitLab CI: the account that started the job, the commit, and the job's page. */
  ...{ actor: z.optional(text), commit: z.optional(text), runUrl: z.optional(text) },
  /** The service and the account, in the words that the run showed. */
  target: z.optional(text),
  note: z.optional(text),
  /** For an undo: the name of the run that it undoes. */
  undoes: z.optional(text),
});

export type RecordHeader = Readonly<z.output<typeof recordHeader>>;

/** The part of a header that the recorder does not add. */
export type RunDescription = Omit<RecordHeader, "formatVersion" | "run" | "time">;

const count = z.int().check(z.nonnegative());

/** The counts of changes by result; failures of all actions are counted together. */
const runEnd = z.object({
  ...{ created: count, updated: count, deleted: count, failed: count, unknown: count },
  /** For an undo: how many changes of the undone run remain. */
  left: z.optional(count),
});

export type RunEnd = Readonly<z.output<typeof runEnd>>;

/** The first and the last line of an undo record. */
export interface RunSummary {
  readonly header: RecordHeader;
  readonly end: RunEnd;
}

const writeResult = z.object({
  /**
   * - `done`: the change was made
   * - `failed`: the service rejected the change
   * - `unchanged`: the course to be created existed already
   * - `unknown`: the change may have taken effect
   */
  status: z.enum(
    ["done", "failed", "unchanged", "unknown"],
    "must be done, failed, unchanged or unknown",
  ),
});

export type WriteResult = Readonly<z.output<typeof writeResult>>;

/** A change with its result. Without a recorded result, the status is `unknown`. */
export type RecordedWrite = SavedStep & WriteResult;

export interface RunRecord {
  readonly header: RecordHeader;
  /** In the order in which the changes began. */
  readonly writes: readonly RecordedWrite[];
  /** Absent if the run was killed. */
  readonly end?: RunEnd;
  /** The number of the last line, if that line is incomplete and therefore ignored. */
  readonly cutLine?: number;
}

/** The facts for a header about the start of a run: user and machine and, in CI, account, commit and page of the job. */
export function describeOrigin(
  author: Author,
  environment: Environment,
): Pick<RecordHeader, "user" | "host" | "actor" | "commit" | "runUrl"> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
  const { GITHUB_RUN_ID: job, CI_JOB_URL } = environment;
  const isGitHub = server && repository && job;
  const actor = environment.GITHUB_ACTOR || environment.GITLAB_USER_LOGIN;
  const commit = environment.GITHUB_SHA || environment.CI_COMMIT_SHA;
  const runUrl = isGitHub ? `${server}/${repository}/actions/runs/${job}` : CI_JOB_URL;
  return {
    user: author.user,
    host: author.host,
    ...(actor ? { actor } : {}),
    ...(commit ? { commit } : {}),
    ...(runUrl ? { runUrl } : {}),
  };
}

/** Counts changes by their results. */
export function countWrites(writes: readonly RecordedWrite[]): RunEnd {
  const counts = { created: 0, updated: 0, deleted: 0, failed: 0, unknown: 0 };
  for (const { action, status } of writes) {
    if (status === "done") counts[DONE[action]]++;
    else if (status !== "unchanged") counts[status]++;
  }
  return counts;
}

const DONE = { create: "created", update: "updated", delete: "deleted" } as const;

/**
 * Parses an undo record (example at the top of this file).
 *
 * @param name the name of the file, for messages
 * @throws CatalogError of kind `usage` for a damaged record or another file
 */
export function parseRecord(content: string, name: string): RunRecord {
  const lines = content.split("\n");
  const last = lines.pop() ?? "";
  // A killed run may leave an incomplete last line: a change that was not sent, or a result.
  const isCut = last !== "" && parseJson(last) === undefined;
  if (last !== "" && !isCut) lines.push(last);
  const [first = "", ...rest] = lines;
  const header = parseHeader(first, name);
  const writes = new Map<number, RecordedWrite>();
  let end: RunEnd | undefined;
  for (const [index, line] of rest.entries()) {
    const damaged = (problem: string): CatalogError => damagedRecord(name, index + 2, problem);
    const value = parseJson(line);
    if (!isObject(value)) throw damaged("this line is not a JSON object");
    if (end !== undefined) throw damaged("this line follows the end of the record");
    end = endIn(value);
    if (end === undefined) addLine(value, writes, damaged);
  }
  return {
    header,
    writes: [...writes.values()],
    ...(end === undefined ? {} : { end }),
    ...(isCut ? { cutLine: lines.length + 1 } : {}),
  };
}

/** Adds a change, or the result of a change that was added before. */
function addLine(
  value: PlainObject,
  writes: Map<number, RecordedWrite>,
  damaged: (problem: string) => CatalogError,
): void {
  const { write: number } = value;
  if (typeof number !== "number") throw damaged("write must be a number");
  const parse = <Shape>(shape: z.ZodMiniType<Shape>): Shape => {
    const read = readShape(shape, value);
    if ("value" in read) return read.value;
    throw damaged(`${formatPath(read.path) || "this line"} ${read.problem}`);
  };
  const write = writes.get(number);
  if ("action" in value) {
    if (write !== undefined) throw damaged(`write ${number} appears twice`);
    writes.set(number, { ...parse(savedStep), status: "unknown" });
  } else {
    if (write === undefined)
      throw damaged(`this is the result of write ${number}, which is missing`);
    const { status } = parse(writeResult);
    writes.set(number, { ...write, status });
  }
}

/** Parses the counts of the last line: `{"end":{"created":1,…}}`; undefined for another line, as after a killed run. */
export function parseEnd(line: string): RunEnd | undefined {
  const value = parseJson(line);
  return isObject(value) ? endIn(value) : undefined;
}

function endIn({ end }: PlainObject): RunEnd | undefined {
  return z.safeParse(runEnd, end).data;
}

/** Parses the first line of an undo record. @throws CatalogError of kind `usage` if it is not a header */
export function parseHeader(line: string, name: string): RecordHeader {
  const value = parseJson(line);
  if (!isObject(value) || !("formatVersion" in value) || !("run" in value)) {
    const advice = 'Pass a run from "catalog history", or a file that --record wrote.';
    throw recordError(name, 1, "this is not an undo record", advice);
  }
  const { formatVersion } = value;
  if (formatVersion !== RECORD_VERSION) {
    const message = `this undo record has format version ${JSON.stringify(formatVersion)}, but this version of catalog reads only ${RECORD_VERSION}`;
    throw recordError(name, 1, message, "Use the version of catalog that wrote the record.");
  }
  const { data } = z.safeParse(recordHeader, value);
  if (data === undefined) throw damagedRecord(name, 1, "the first line is incomplete");
  return data;
}

/** Parses a line as JSON; undefined if it is not JSON. */
function parseJson(line: string): unknown {
  return attempt(() => JSON.parse(line));
}

/** The error of a damaged undo record, at a line. */
export function damagedRecord(name: string, line: number, problem: string): CatalogError {
  return recordError(name, line, `the undo record is damaged: ${problem}`);
}

function recordError(name: string, line: number, message: string, advice?: string): CatalogError {
  return new CatalogError("usage", message, { file: name, line, column: 1, advice });
}
