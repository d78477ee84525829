/** Describes the process, its user and the clock, so that tests can replace them. */
import { setTimeout as wait } from "node:timers/promises";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of CI services: of most; of Azure Pipelines, Jenkins (two) and TeamCity. */
const CI_VARIABLES = ["CI", "TF_BUILD", "BUILD_ID", "BUILD_NUMBER", "TEAMCITY_VERSION"];

/** Whether catalog runs in a CI service, which may provide a terminal without a user. */
export function isUnattended(environment: Environment): boolean {
  return CI_VARIABLES.some((name) => {
    const { [name]: value = "" } = environment;
    return value !== "" && !(name === "CI" && value === "false");
  });
}

/** The variable that is set for a command that runs against a sandbox which ends with the command. */
export const SANDBOX_VARIABLE = "CATALOG_SANDBOX";

/** The user and the machine that a run is recorded with. */
export interface Author {
  /** The user's name; the numeric id if the system does not list the user. */
  readonly user: string;
  readonly host: string;
}

/** A source of time and randomness. All times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since an unspecified moment. Never jumps, unlike `now`, so that it can measure durations. */
  monotonic(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason if it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A signal that is aborted after `milliseconds`. The process may end before. */
  timeout(milliseconds: number): AbortSignal;
  /** A random number from 0 (included) to 1 (excluded). */
  random(): number;
  /** A random UUID, version 4, in lowercase. */
  uuid(): string;
}

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
