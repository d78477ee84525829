/** What a fault is, and what a command may come to when one strikes it. */
import type { BlowName } from "./blows.ts";
import type { Part } from "./commands.ts";
import type { WayName } from "./ways.ts";

/** What a command comes to. */
export interface Outcome {
  /** The exit code. */
  readonly code: 0 | 1 | 4 | 6;
  /** How often the struck request is sent. */
  readonly sends: number;
  /** How often the id of a new course is looked up. */
  readonly lookUps: number;
  /** Whether the service did what the struck request asks for, in the end and once. */
  readonly isDone: boolean;
  /** Whether the message says that it may have been done. */
  readonly isUnsure?: true;
  /** Words of the message; those of the fault if left out. */
  readonly says?: string;
}

/** It ends well, after so many tries, and look-ups between them. */
export function done(sends = 1, lookUps = 0): Outcome {
  return { code: 0, sends, lookUps, isDone: true };
}

/** It fails, and the service did nothing. */
export function fails(code: 1 | 4 | 6, sends = 1, says?: string): Outcome {
  return { code, sends, lookUps: 0, isDone: false, ...(says === undefined ? {} : { says }) };
}

/** It fails, and cannot know whether the service did it: the message says so. */
export function unsure(isDone: boolean, sends = 1, lookUps = 0): Outcome {
  return { code: 6, sends, lookUps, isDone, isUnsure: true };
}

/** It fails, although the status told that the service did it: the message names the status. */
export function answered(): Outcome {
  return { code: 6, sends: 1, lookUps: 0, isDone: true, says: "which is HTTP 20" };
}

/** The answer is shown as it came, and nobody asks whose it is. */
export function shown(): Outcome {
  return { code: 0, sends: 1, lookUps: 0, isDone: false };
}

/** A group of faults, under a heading of the page. */
export type Group = "connection" | "body" | "status" | "way";

/** A fault: what happens, and what each kind of request comes to. */
export interface Fault {
  readonly group: Group;
  /** What happens, as a sentence; the rows of the page. */
  readonly title: string;
  readonly blow: BlowName;
  /** `once`: the first request of its kind; `on`: that one, and every request after it. */
  readonly lasts: "once" | "on";
  /** Words of the message of whoever fails; those of `null` never fail. */
  readonly says: string | null;
  /** The service's own words, which every message but a warning repeats. */
  readonly hint?: string;
  /** The pauses that a request with repetitions makes, together, in seconds: at least and at most. */
  readonly pauses?: readonly [least: number, most: number];
  /** A request that is sent once, whatever comes. */
  readonly alone: Outcome;
  readonly read: Outcome;
  readonly create: Outcome;
  readonly change: Outcome;
  /** As a change if left out. */
  readonly delete?: Outcome;
  /** Where `catalog api` sees something else than `alone`: the answer is shown, not understood. */
  readonly rawRead?: Outcome;
  readonly rawChange?: Outcome;
}

/** Something wrong on the way to the service, which every request meets from the first one on. */
export interface WayFault {
  readonly group: "way";
  readonly title: string;
  readonly way: WayName;
  readonly says: string | null;
  /** How often the first request is sent where it is repeated; what it comes to. */
  readonly first: Outcome;
}

/** The outcome of a part under a fault of its own. */
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
    case "silent":
      return fault.alone;
    case "raw read":
      return fault.rawRead ?? fault.alone;
    case "raw change":
      return fault.rawChange ?? fault.alone;
  }
}
