/** What a program may use of the process that it runs in, of others, and of its user. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The processes of this machine. */
export interface Processes {
  /** The id of this process. */
  readonly ownId: number;
  /** Whether a process with this id exists. */
  readonly isRunning: (id: number) => boolean;
}

/** Who runs the program and where, as records of runs name it. */
export interface Author {
  /** The user's name; the numeric id of one that the system does not list. */
  readonly user: string;
  readonly host: string;
}

/** The user who runs the program, as the system has it. */
export interface User {
  /** 0 for root. */
  readonly id: number;
  /** The home folder in the system's list of users, whatever `HOME` is. */
  readonly home: string | undefined;
}
