/**
 * The record of a run: JSON Lines. The first one is the header, the last one has the counts; between
 * them is a line before each write and one with its result after it.
 */
import type { RECORD_VERSION } from "../base/own-files.ts";
import type { Author, Environment } from "../base/process.ts";
import type { Course } from "../course/request-body.ts";
import type { SavedStep } from "./saved-step.ts";

/** Who or what started a run; records of older versions do not say so. */
interface Origin extends Partial<Author> {
  /** The account that started a job of GitHub Actions or GitLab CI, its commit and its page. */
  readonly actor?: string;
  readonly commit?: string;
  readonly runUrl?: string;
}

/** The first line of a record. */
export interface RecordHeader extends Origin {
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
  /** The service and the account, as the run named them. */
  readonly target?: string;
  /** The text of `--note`. */
  readonly note?: string;
  /** The run that this one undoes. */
  readonly undoes?: string;
}

/** Everything of a header but what the recorder adds. */
export type RunDescription = Omit<RecordHeader, "formatVersion" | "run" | "time">;

/** How many writes of a run had each result; failures of every action together. */
export interface WriteCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly failed: number;
  readonly unknown: number;
}

/** The last line of the record of a run that was not killed. */
export interface RunEnd extends WriteCounts {
  /** Of an undo: how many changes of the undone run remain. */
  readonly left?: number;
}

/** What the first and the last line of a record say. */
export interface RunSummary {
  readonly header: RecordHeader;
  readonly end: RunEnd;
}

/**
 * The result of a write: `done`; `failed` if the service rejected it; `unchanged` if the course to
 * be created existed already; `unknown` if it may have taken effect.
 */
export const WRITE_STATUSES = ["done", "failed", "unchanged", "unknown"] as const;

export type WriteStatus = (typeof WRITE_STATUSES)[number];

/** What is known after a write. */
export interface WriteResult {
  readonly status: WriteStatus;
  /** The id of the course at the service, if that is not the one that was sent. */
  readonly id?: string;
  /** The course as the service stores it, if it was read. */
  readonly stored?: Course;
}

/** A write with its result, and the id at the service; `unknown` also if the run ended before it. */
export type RecordedWrite = SavedStep & Omit<WriteResult, "id">;

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
export function describeOrigin(author: Author, environment: Environment): Origin {
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
export function countWrites(
  writes: readonly Pick<RecordedWrite, "action" | "status">[],
): WriteCounts {
  const count = (action: SavedStep["action"]): number =>
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
