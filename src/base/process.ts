/** What a program may use of the process that it runs in, of others, and of its user. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The processes of this machine. */
export interface Processes {
  /** The id of this process. */
  readonly ownId: number;
  /** Whether a process with this id exists. */
  readonly isRunning: (id: number) => boolean;
}

/** The user who runs the program, as the system has it. */
export interface User {
  /** 0 for root. */
  readonly id: number;
  /** The home folder in the system's list of users, whatever `HOME` is. */
  readonly home: string | undefined;
}
