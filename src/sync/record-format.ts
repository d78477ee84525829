/**
 * The record of a run: JSON Lines. The first one is the header, the last one has the counts; between
 * them is a line before each write and one with its result after it. What is not a record, or a
 * damaged one, is refused with its place.
 */
import * as z from "zod/mini";
import { attempt, CatalogError } from "../base/errors.ts";
import { RECORD_VERSION } from "../base/own-files.ts";
import type { Author, Environment } from "../base/process.ts";
import { scanJson } from "../base/scan-json.ts";
import { formatPath, isObject, isUuid, type PlainObject } from "../base/values.ts";
import { readShape, type SavedStep, savedStep } from "./saved-plan.ts";

const text = z.string();

/** The first line of a record. */
const recordHeader = z.object({
  formatVersion: z.literal(RECORD_VERSION),
  /** The name of the run, unique in the history. */
  run: text,
  /** When the first write began, as ISO 8601. */
  time: text,
  /** The words of the command: `courses push`. */
  command: text,
  baseUrl: text,
  /** The ids of the providers whose courses are written. */
  providers: z.array(text),
  /** Who started the run, and on which machine. */
  ...{ user: z.optional(text), host: z.optional(text) },
  /** The account that started a job of GitHub Actions or GitLab CI, its commit and its page. */
  ...{ actor: z.optional(text), commit: z.optional(text), runUrl: z.optional(text) },
  /** The service and the account, as the run named them. */
  target: z.optional(text),
  /** The text of `--note`. */
  note: z.optional(text),
  /** The run that this one undoes. */
  undoes: z.optional(text),
});

export type RecordHeader = Readonly<z.output<typeof recordHeader>>;

/** Everything of a header but what the recorder adds. */
export type RunDescription = Omit<RecordHeader, "formatVersion" | "run" | "time">;

const count = z.int().check(z.nonnegative());

/** How many writes of a run had each result, failures of every action together. */
const runEnd = z.object({
  ...{ created: count, updated: count, deleted: count, failed: count, unknown: count },
  /** Of an undo: how many changes of the undone run remain. */
  left: z.optional(count),
});

/** What the last line of the record of a run says that was not killed. */
export type RunEnd = Readonly<z.output<typeof runEnd>>;

/** What the first and the last line of a record say. */
export interface RunSummary {
  readonly header: RecordHeader;
  readonly end: RunEnd;
}

/** What is known after a write. */
const writeResult = z.object({
  /**
   * `done`; `failed` if the service rejected it; `unchanged` if the course to be created existed
   * already; `unknown` if it may have taken effect.
   */
  status: z.enum(
    ["done", "failed", "unchanged", "unknown"],
    "must be done, failed, unchanged or unknown",
  ),
  /** The id of the course at the service, in either case, if that is not the one that was sent. */
  id: z.optional(
    z.string("must be a UUID").check(z.refine(isUuid, "must be a UUID"), z.toLowerCase()),
  ),
});

export type WriteResult = Readonly<z.output<typeof writeResult>>;

/** A write with its result, and the id at the service; `unknown` also if the run ended before it. */
export type RecordedWrite = SavedStep & Pick<WriteResult, "status">;

/** A record that has been read. */
export interface RunRecord {
  readonly header: RecordHeader;
  /** In the order in which they began. */
  readonly writes: readonly RecordedWrite[];
  /** Missing if the run was killed. */
  readonly end?: RunEnd;
  /** The number of a last line that is incomplete, and not used. */
  readonly cutLine?: number;
}

/** Who started this run: the user of this machine and, in CI, the account, commit and page of the job. */
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

/** Counts writes by their results. */
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
 * The record in a string.
 *
 * @param name the name of its file, for messages
 * @param ids of the courses whose writes are needed: what else has the form of a write is not parsed
 * @throws CatalogError of kind `usage`
 */
export function parseRecord(content: string, name: string, ids?: ReadonlySet<string>): RunRecord {
  const lines = content.split("\n");
  const last = lines.pop() ?? "";
  // Of a run that was killed, the last line may be cut: a write that was not sent, or a result.
  const isCut = last !== "" && parseJson(last) === undefined;
  if (last !== "" && !isCut) lines.push(last);
  const [first = "", ...rest] = lines;
  const header = parseHeader(first, name);
  const writes = new Map<number, RecordedWrite>();
  let end: RunEnd | undefined;
  // A result with another id can make any write one of the needed.
  const isNeeded = ids === undefined || OTHER_ID.test(content) ? () => true : chooseLines(ids);
  for (const [index, line] of rest.entries()) {
    if (!isNeeded(line)) continue;
    const damaged = (problem: string): CatalogError => damagedRecord(name, index + 2, problem);
    const value = parseJson(line);
    if (!isObject(value)) throw damaged("it is not the JSON of an object");
    if (end !== undefined) throw damaged("the record has ended before it");
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

const OTHER_ID = /\n\{"write":\d+,"status":"[a-z]+","id":/;
const WRITE = /^\{"write":(\d+),"action":"[a-z]+","id":"([\da-f-]{36})"/;
const RESULT = /^\{"write":(\d+),"status":"[a-z]+"\}$/;

/** Whether a line is needed: not a write of another course, nor its result. */
function chooseLines(ids: ReadonlySet<string>): (line: string) => boolean {
  const others = new Set<string>();
  return (line) => {
    const [, number = "", id] = WRITE.exec(line) ?? RESULT.exec(line) ?? [];
    if (id !== undefined && !ids.has(id)) others.add(number);
    return !others.has(number);
  };
}

/** Adds a write, or the result of one. */
function addLine(
  value: PlainObject,
  writes: Map<number, RecordedWrite>,
  damaged: (problem: string) => CatalogError,
): void {
  const { write: number } = value;
  if (typeof number !== "number") throw damaged("it has no number of a write");
  const parse = <Shape>(shape: z.ZodMiniType<Shape>): Shape => {
    const read = readShape(shape, value);
    if ("value" in read) return read.value;
    throw damaged(`${formatPath(read.path) || "it"} ${read.problem}`);
  };
  const write = writes.get(number);
  if ("action" in value) {
    if (write !== undefined) throw damaged(`write ${number} appears twice`);
    writes.set(number, { ...parse(savedStep), status: "unknown" });
  } else {
    if (write === undefined) throw damaged(`there is no write ${number} before its result`);
    const { status, id = write.id } = parse(writeResult);
    writes.set(number, { ...write, id, status });
  }
}

/** The counts of the last line of a record; undefined if it is another line, as that of a killed run. */
export function parseEnd(line: string): RunEnd | undefined {
  const value = parseJson(line);
  return isObject(value) ? endIn(value) : undefined;
}

function endIn({ end }: PlainObject): RunEnd | undefined {
  return z.safeParse(runEnd, end).data;
}

/** The first line of a record. @throws CatalogError of kind `usage` */
export function parseHeader(line: string, name: string): RecordHeader {
  const value = parseJson(line);
  if (!isObject(value) || !("formatVersion" in value) || !("run" in value)) {
    throw damagedRecord(name, 1, "it is not the header of a record", {
      advice: 'Pass a run of "catalog history", or a file that --record wrote.',
    });
  }
  const { formatVersion } = value;
  if (formatVersion !== RECORD_VERSION) {
    const message = `its format version is ${JSON.stringify(formatVersion)}, not ${RECORD_VERSION}`;
    throw damagedRecord(name, 1, message, { advice: "Use the version of catalog that wrote it." });
  }
  const { data } = z.safeParse(recordHeader, value);
  if (data === undefined) throw damagedRecord(name, 1, "its header is incomplete");
  return data;
}

/** More than the courses that a service returns have. Millions of keys take seconds and a gigabyte. */
const LIMITS = { depth: 2000, values: Number.POSITIVE_INFINITY, keys: 100_000 };

/** A line as JSON; undefined if it is not JSON, or deeper or wider than any that a run writes. */
function parseJson(line: string): unknown {
  const { deep, wide } = scanJson(line, LIMITS);
  if (deep !== undefined || wide !== undefined) return undefined;
  return attempt(() => JSON.parse(line));
}

/** A record that cannot be used, with the place. */
export function damagedRecord(
  name: string,
  line: number,
  problem: string,
  facts: { readonly advice?: string } = {},
): CatalogError {
  const message = `line ${line} of the record cannot be used: ${problem}`;
  return new CatalogError("usage", message, { file: name, line, column: 1, ...facts });
}
