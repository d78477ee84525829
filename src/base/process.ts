/** What a program may use of the process that it runs in, and of others. */

/** The environment's variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The processes of this machine. */
export interface Processes {
  /** The id of this process. */
  readonly ownId: number;
  /** Whether a process with this id exists. */
  readonly isRunning: (id: number) => boolean;
}
