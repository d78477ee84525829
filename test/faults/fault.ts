/** What a fault is, and how a command may end with one. */
import type { CommandName, Part } from "./commands.ts";
import type { InjectorName } from "./injectors.ts";
import type { RouteName } from "./routes.ts";

/** How a command ends. */
export interface Outcome {
  /** The exit code. */
  readonly code: 0 | 1 | 4 | 6;
  /** How often the affected request is sent. */
  readonly attempts: number;
  /** How often the course is looked up after the request was sent. */
  readonly lookUps: number;
  /** Whether the affected request took effect, exactly once. */
  readonly isDone: boolean;
  /** Whether the message says that it may have taken effect. */
  readonly isUncertain?: true;
  /** Text in the message; that of the fault by default. */
  readonly says?: string;
}

/** How often a request is sent that fails every time. */
export const ALL_ATTEMPTS = 7;

/** Success after this many attempts and look-ups. */
export function succeeds(sends = 1, lookUps = 0): Outcome {
  return { code: 0, attempts: sends, lookUps, isDone: true };
}

/** Failure; the service did nothing. */
export function fails(code: 1 | 4 | 6, sends = 1, says?: string, lookUps = 0): Outcome {
  return {
    code,
    attempts: sends,
    lookUps,
    isDone: false,
    ...(says === undefined ? {} : { says }),
  };
}

/** Failure with an unknown outcome; the message says so. */
export function uncertain(isDone: boolean, sends = 1, lookUps = 0): Outcome {
  return { code: 6, attempts: sends, lookUps, isDone, isUncertain: true };
}

/** The response is printed unchanged, even if it is not the service's. */
export function printsResponse(): Outcome {
  return { code: 0, attempts: 1, lookUps: 0, isDone: false };
}

/** A group of faults, with a test file of its own. */
export type Group = "connection" | "body" | "status" | "behavior" | "route";

/** A fault, and the outcome of each kind of request. */
export interface Fault {
  readonly group: Group;
  /** What happens, as a sentence; the row headings of the page. */
  readonly title: string;
  readonly injector: InjectorName;
  /** `once`: only the first targeted request; `on`: that one and every one after it; `all`: every one. */
  readonly lasts: "once" | "on" | "all";
  /** The commands that it affects; all by default. */
  readonly only?: readonly CommandName[];
  /** Text in the message of a command that fails; `null` if none fails. */
  readonly says: string | null;
  /** The service's hint, which every message except a warning repeats. */
  readonly hint?: string;
  /** The total time of the pauses between attempts, in seconds. */
  readonly pauses?: readonly [minimum: number, maximum: number];
  /** A request that is never retried. */
  readonly alone: Outcome;
  readonly read: Outcome;
  readonly create: Outcome;
  readonly change: Outcome;
  /** The same as `change` by default. */
  readonly delete?: Outcome;
  /** Where `catalog api` differs from `alone`, because it prints responses without interpreting them. */
  readonly rawRead?: Outcome;
  readonly rawChange?: Outcome;
}

/** A fault on the route to the service, which affects every request. */
export interface RouteFault {
  readonly group: "route";
  readonly title: string;
  readonly route: RouteName;
  readonly says: string | null;
  /** The outcome of the first request, if it is retried. */
  readonly first: Outcome;
}

/** The outcome of a request with a fault. */
export function outcomeOf(fault: Fault, part: Part): Outcome {
  switch (part) {
    case "read":
    case "optional":
      return fault.read;
    case "create":
      return fault.create;
    case "change":
      return fault.change;
    case "delete":
      return fault.delete ?? fault.change;
    case "ask":
      return fault.alone;
    case "raw read":
      return fault.rawRead ?? fault.alone;
    case "raw change":
      return fault.rawChange ?? fault.alone;
  }
}
