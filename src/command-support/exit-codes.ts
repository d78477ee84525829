/** What the exit codes mean, and which one a run ends with. */
import { CatalogError, COURSE_NOT_FOUND, type ErrorKind } from "../base/errors.ts";
import type { StopSignal } from "./context.ts";

/** Every exit code with its meaning. */
export const EXIT_CODES = {
  0: "success",
  1: "the service rejected the request, or some of the items failed",
  2: "usage or configuration error: unknown command or flag, invalid value, missing setting, a question answered with no, or one that needs a terminal",
  3: "a course file is invalid or unreadable",
  4: "API key missing or rejected",
  5: COURSE_NOT_FOUND,
  6: "the service could not be reached or kept failing",
  7: "diff --exit-code: there are differences; --on-drift stop: the catalog was changed since the base",
  129: "stopped by SIGHUP, because its terminal was closed",
  130: "stopped by Ctrl-C",
  143: "stopped by SIGTERM",
} as const;

/** A code that a run can end with. */
export type ExitCode = keyof typeof EXIT_CODES;

/** The codes of every command that uses the service. */
export const SERVICE_EXITS: readonly ExitCode[] = [1, 4, 6];

/** The codes of a run that a signal stopped. */
export const STOP_CODES = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const satisfies Record<StopSignal, ExitCode>;

/** The exit code of each kind. If there are several kinds, the first in this order decides. */
const CODES = {
  interrupted: 130,
  cancelled: 2,
  usage: 2,
  auth: 4,
  unreachable: 6,
  file: 3,
  missing: 5,
  refused: 1,
  output: 1,
  internal: 1,
  drift: 7,
} as const satisfies Record<ErrorKind, ExitCode>;

const PRECEDENCE = Object.keys(CODES) as ErrorKind[];

/** The exit code of a run with errors of these kinds; 0 for none. */
export function exitCode(kinds: readonly ErrorKind[]): number {
  const worst = PRECEDENCE.find((kind) => kinds.includes(kind));
  return worst === undefined ? 0 : CODES[worst];
}

/** Ends a run whose failures were reported already. */
export class ReportedError extends CatalogError {
  constructor(kind: ErrorKind) {
    super(kind, "");
  }
}
