/** What a program may use of the process that it runs in, of others, of its user, and of time. */
import { setTimeout as wait } from "node:timers/promises";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a CI service runs the program, which may provide a terminal without a user. */
export function isUnattended({ CI = "" }: Environment): boolean {
  return CI !== "" && CI !== "false";
}

/** The processes that this one can see: those of its machine or container. */
export interface Processes {
  /** The id of this process. */
  readonly ownId: number;
  /** Whether a process with this id exists. */
  readonly isRunning: (id: number) => boolean;
  /** What tells them from those of other containers, which may have the same ids; only on Linux. */
  readonly namespace?: string | undefined;
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

/** A source of time and randomness. All times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since any moment. Unlike `now`, it never jumps: it measures durations and deadlines. */
  monotonic(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that is aborted after `milliseconds`; it does not make the process wait for that. */
  timeout(milliseconds: number): AbortSignal;
  /** Evenly distributed from 0 (included) to 1 (excluded). */
  random(): number;
  /** A random UUID, version 4, in lower case. */
  uuid(): string;
}

/** The machine's clock and randomness. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.now()),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  random: () => Math.random(),
  uuid: () => globalThis.crypto.randomUUID(),
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, signal === undefined ? {} : { signal });
  },
};
