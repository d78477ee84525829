/** What may be known of the processes of this machine. */

/** The processes of this machine, as far as a program must know them. */
export interface Processes {
  /** The number of this one. */
  readonly own: number;
  /** Whether there is one of that number. */
  readonly isRunning: (id: number) => boolean;
}
