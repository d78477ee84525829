/** Decides, without side effects, when the next request may go off (cli.md section 8, "push"). */
import { backoff } from "./retry-policy.ts";
import {
  idled,
  refused,
  refusedToo,
  resumed,
  type Spacing,
  served,
  UNSPACED,
  widthAt,
} from "./spacing.ts";

interface Span {
  readonly from: number;
  readonly until: number;
}

/** How fast one client asks its service. All times are in milliseconds on the clock. */
export interface Pace {
  /** How many requests may be under way at most, ever. */
  readonly ceiling: number;
  /** How many may be now: 1 to the ceiling. */
  readonly limit: number;
  readonly underWay: number;
  /** How often the service's refusals changed the pace; the requests in between are one wave. */
  readonly wave: number;
  /** How many requests of this wave were taken since the limit last changed. */
  readonly gained: number;
  /** How many waves in a row were refused without one request taken, and since when, if any was. */
  readonly refusals: number;
  readonly refusedSince: number | undefined;
  /** Nothing goes off in the pause that a refusal brought, nor in the gap after each request. */
  readonly pause: Span;
  readonly gap: Span;
  readonly spacing: Spacing;
  /** How many requests the service took altogether. */
  readonly served: number;
  /** When a request last ended. */
  readonly endedAt: number;
}

/** The moment at which a request went off: the time, the wave, and how many had been served. */
export interface Leave {
  readonly at: number;
  readonly wave: number;
  readonly served: number;
}

/** What the service says with 429 or 503. */
export interface Refusal {
  /** What it asks all to wait, at most a minute. */
  readonly retryAfter?: number | undefined;
  /** 0 to 1. */
  readonly random: number;
}

/** What a request came to; `unclear` is everything that says nothing of the pace. */
export type Ending = "served" | "unclear" | Refusal;

/** So much that a timer was late is made up for. */
const LATENESS = 5;
/** After such a time without a request, an earlier refusal says nothing any more. */
const FORGOTTEN = 60_000;

/** As many at once as the ceiling says, until the service refuses one. */
export function fullPace(ceiling: number): Pace {
  return {
    ceiling,
    limit: ceiling,
    underWay: 0,
    wave: 0,
    gained: 0,
    refusals: 0,
    refusedSince: undefined,
    pause: { from: 0, until: 0 },
    gap: { from: 0, until: 0 },
    spacing: UNSPACED,
    served: 0,
    endedAt: 0,
  };
}

/** When the pause ends; now, where there is none. */
export function pauseEnd({ pause }: Pace, now: number): number {
  return endOf(pause, now);
}

function endOf({ from, until }: Span, now: number): number {
  // Before its own beginning it is the clock that was set back, and nobody is to wait for that.
  return now < from ? now : Math.max(now, until);
}

/** How long until the next request may go off; undefined while one that is under way must end first. */
export function waitFor(pace: Pace, now: number): number | undefined {
  if (pace.underWay >= pace.limit) return undefined;
  return Math.max(endOf(pace.pause, now), endOf(pace.gap, now)) - now;
}

/** A request goes off. */
export function leaving(pace: Pace, now: number): { pace: Pace; leave: Leave } {
  const allowed = Math.max(pace.pause.until, pace.gap.until);
  const idle = pace.underWay === 0 ? now - Math.max(allowed, pace.endedAt) : 0;
  const spacing = idled(resumed(pace.spacing), idle);
  const due = Math.min(now, Math.max(allowed, now - LATENESS));
  const gap = { from: now, until: due + widthAt(spacing, now) };
  return {
    pace: { ...pace, underWay: pace.underWay + 1, spacing, gap },
    leave: { at: now, wave: pace.wave, served: pace.served },
  };
}

/** A request ends. */
export function ended(pace: Pace, leave: Leave, ending: Ending, now: number): Pace {
  const rest = { ...pace, underWay: pace.underWay - 1, endedAt: now };
  if (ending === "unclear") return rest;
  if (ending === "served") return taken(rest, leave);
  return slowed(rest, leave, ending, now);
}

/** Back towards the ceiling: one more at once for each whole round that was taken. */
function taken(pace: Pace, { wave }: Leave): Pace {
  const gained = pace.gained + (wave === pace.wave ? 1 : 0);
  const grows = gained >= pace.limit && pace.limit < pace.ceiling;
  return {
    ...pace,
    limit: grows ? pace.limit + 1 : pace.limit,
    gained: grows ? 0 : gained,
    refusals: 0,
    refusedSince: undefined,
    spacing: served(pace.spacing),
    served: pace.served + 1,
  };
}

/** Half as many at once, and a pause for all; what left before the last change only prolongs it. */
function slowed(pace: Pace, leave: Leave, refusal: Refusal, now: number): Pace {
  const { retryAfter = 0, random } = refusal;
  const end = pauseEnd(pace, now);
  const from = end > now ? pace.pause.from : now;
  if (leave.wave !== pace.wave) {
    const until = Math.max(end, now + retryAfter);
    const spacing = refusedToo(pace.spacing, until);
    return { ...pace, pause: { from, until }, spacing };
  }
  const refusals = leave.at - pace.pause.until < FORGOTTEN ? pace.refusals : 0;
  // One refusal may be chance; after a second one without success between, all wait twice as long
  // as a single request would.
  const own = backoff(refusals === 0 ? 1 : refusals + 2, random);
  const until = Math.max(end, now + Math.max(retryAfter, own));
  return {
    ...pace,
    limit: Math.max(1, Math.floor(pace.limit / 2)),
    wave: pace.wave + 1,
    gained: 0,
    refusals: refusals + 1,
    refusedSince: refusals === 0 ? now : pace.refusedSince,
    pause: { from, until },
    spacing: refused(pace.spacing, leave.at, now, until),
  };
}
