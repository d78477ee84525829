/** The table of exit codes by kind of error. */
import type { ErrorKind } from "../base/errors.ts";

/** The exit code of each kind. */
const EXIT = {
  interrupted: 130,
  usage: 2,
  auth: 4,
  unreachable: 6,
  file: 3,
  missing: 5,
  refused: 1,
  output: 1,
  internal: 1,
} as const satisfies Record<ErrorKind, number>;

/** The kind that determines the exit code if there are several: the first one in this list. */
const PRECEDENCE: readonly ErrorKind[] = [
  "interrupted",
  "usage",
  "auth",
  "unreachable",
  "file",
  "missing",
  "refused",
  "output",
  "internal",
];

/** The exit codes in that order, without 2: a usage error is never combined with another. */
export const PRECEDENT_CODES: readonly number[] = [
  ...new Set(PRECEDENCE.filter((kind) => kind !== "usage").map((kind) => EXIT[kind])),
];

/** The exit code of a run with errors of these kinds; 0 for none. */
export function exitCode(kinds: readonly ErrorKind[]): number {
  const worst = PRECEDENCE.find((kind) => kinds.includes(kind));
  return worst === undefined ? 0 : EXIT[worst];
}
