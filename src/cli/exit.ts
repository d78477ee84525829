/** The one table that turns kinds of failure into exit codes (cli.md section 4). */
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

/** Which kind counts when a run met several. */
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

/** The codes in the order in which they count; those that no other one can share are left out. */
export const PRECEDENT_CODES: readonly number[] = [
  ...new Set(PRECEDENCE.filter((kind) => kind !== "usage").map((kind) => EXIT[kind])),
];

/** The exit code of a run that met these kinds of failure; 0 for none. */
export function exitCode(kinds: readonly ErrorKind[]): number {
  const worst = PRECEDENCE.find((kind) => kinds.includes(kind));
  return worst === undefined ? 0 : EXIT[worst];
}
