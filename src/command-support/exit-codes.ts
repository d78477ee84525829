/** What the exit codes mean (cli.md section 4). */

/** Every exit code with its meaning. */
export const EXIT_CODES = {
  0: "done",
  1: "the service refused, or some of the items failed",
  2: "usage or configuration: an unknown word, a bad value, a missing setting, a question nobody could answer",
  3: "a course file is invalid or unreadable",
  4: "no API key, or it was refused",
  5: "no such course, or it is not yours",
  6: "the service could not be reached, or kept failing",
  7: "diff --exit-code: there are differences",
  130: "stopped by Ctrl-C",
  143: "stopped by SIGTERM",
} as const;

/** A code that a run can end with. */
export type ExitCode = keyof typeof EXIT_CODES;

/** The codes of every command that asks the service. */
export const SERVICE_EXITS: readonly ExitCode[] = [1, 4, 6];

/** The codes of a run that a signal ended. */
export const STOP_CODES = { SIGINT: 130, SIGTERM: 143 } as const satisfies Record<string, ExitCode>;
