/**
 * Learns, without side effects, how far apart requests must be so that a service with a limit of so
 * many a second takes them all (cli.md section 8, "push"). All times are in milliseconds.
 */

/** What was learned, and what is being measured. */
export interface Spacing {
  /** From one request to the next, when it was last set; 0 where none is needed. */
  readonly width: number;
  /** From when on it shrinks again, and how long that takes. */
  readonly since: number;
  readonly fading: number;
  /** How often in a row requests were refused although they kept their distance. */
  readonly misses: number;
  readonly measured: Measured;
  /** The refusals that ended the measurement, until the lesson is drawn from them. */
  readonly wave?: Wave;
}

interface Measured {
  /** When the measurement began, later by whatever time nobody asked for anything. */
  readonly start: number;
  /** How much of the time since then was pauses. */
  readonly paused: number;
  /** How many requests the service took, and how many it refused. */
  readonly served: number;
  readonly refused: number;
}

interface Wave {
  /** When the request that was refused first had gone off. */
  readonly left: number;
  /** The pause that all make for it. */
  readonly from: number;
  readonly until: number;
  /** What came of the requests that were under way beside it. */
  readonly served: number;
  readonly refused: number;
}

/** A width is down to 1/e after this long without a refusal, and gone soon after. */
const FADING = 16_000;
/** Where the refusals come when they are expected, it fades slower from time to time. */
const SLOWER = 1.5;
const SLOWEST_FADING = 60_000;
/** A narrower width is less than a timer can keep. */
const NARROWEST = 1;
/** Wider than the average that the service took, so that it takes this, too. */
const MARGIN = 1.05;
/** From a width that was refused to the next one, and the least where it had faded. */
const WIDER = 1.2;
const LEAST_WIDER = 1.1;
/** What is left of a width that has not yet faded to speak of. */
const UNFADED = 0.97;
/** After so many refusals in a row that the width does not explain, it is given up. */
const MOST_MISSES = 3;

/** Nothing learned yet. */
export const UNSPACED: Spacing = {
  width: 0,
  since: 0,
  fading: FADING,
  misses: 0,
  measured: { start: 0, paused: 0, served: 0, refused: 0 },
};

/** The distance to keep now: for a while hardly less than what was learned, then soon none. */
export function widthAt({ width, since, fading }: Spacing, now: number): number {
  const faded = width * Math.exp(-((Math.max(0, now - since) / fading) ** 3));
  return faded < NARROWEST ? 0 : faded;
}

/** The service took a request. */
export function served(spacing: Spacing): Spacing {
  const { measured, wave } = spacing;
  return {
    ...spacing,
    measured: { ...measured, served: measured.served + 1 },
    ...(wave === undefined ? {} : { wave: { ...wave, served: wave.served + 1 } }),
  };
}

/** The service refused a request that had gone off at `left`, as the first of its wave: a pause for all. */
export function refused(spacing: Spacing, left: number, from: number, until: number): Spacing {
  const { measured } = spacing;
  return {
    ...spacing,
    measured: { ...measured, refused: measured.refused + 1 },
    wave: { left, from, until, served: 0, refused: 0 },
  };
}

/** It refused another one of the same wave, and the pause lasts until `until`. */
export function refusedToo(spacing: Spacing, until: number): Spacing {
  const { measured, wave } = spacing;
  // An answer that comes when the pause is over comes too late to be counted.
  if (wave === undefined) return spacing;
  return {
    ...spacing,
    measured: { ...measured, refused: measured.refused + 1 },
    wave: { ...wave, until, refused: wave.refused + 1 },
  };
}

/** Nobody asked for anything for a while: time that the service did not need. */
export function idled(spacing: Spacing, duration: number): Spacing {
  const { measured } = spacing;
  return { ...spacing, measured: { ...measured, start: measured.start + Math.max(0, duration) } };
}

/** Draws the lesson from a pause when it is over and the answers of its wave had time to come. */
export function resumed(spacing: Spacing): Spacing {
  const { wave, ...rest } = spacing;
  if (wave === undefined) return spacing;
  const pause = wave.until - wave.from;
  const anew = { start: wave.until, paused: 0, served: 0, refused: 0 };
  const width = widthAt(spacing, wave.from);
  const next = { ...rest, width, since: wave.until, measured: anew };
  if (width > 0) return corrected(spacing, next, pause);

  const { measured } = spacing;
  const paused = measured.paused + pause;
  if (!isTelling(measured, wave)) return { ...next, measured: { ...measured, paused } };
  // Who could ask at full speed for much longer than the pauses was hardly held back by a limit.
  const active = wave.left - measured.start - measured.paused;
  if (active > 2 * paused) return next;
  const average = (wave.left - measured.start + pause) / measured.served;
  return { ...next, width: Math.min(pause, average * MARGIN), fading: FADING, misses: 0 };
}

/** A single refusal may have any reason, as may one of many; and a few requests make no rate. */
function isTelling({ served, refused }: Measured, wave: Wave): boolean {
  return served >= 3 && refused >= 2 && wave.refused * 3 >= wave.served;
}

/** What follows from a refusal of requests that kept their distance. */
function corrected(spacing: Spacing, next: Spacing, pause: number): Spacing {
  if (next.width < spacing.width * UNFADED) {
    const middle = Math.sqrt(next.width * spacing.width);
    const width = Math.min(Math.max(next.width * LEAST_WIDER, middle), next.width * WIDER);
    const fading = Math.min(SLOWEST_FADING, spacing.fading * SLOWER);
    return { ...next, width: Math.min(spacing.width, width), fading, misses: 0 };
  }
  // Nothing was taken since the last pause: that one was too short, whatever the width.
  if (spacing.measured.served === 0) return next;
  const misses = spacing.misses + 1;
  if (misses >= MOST_MISSES) return { ...next, width: 0, fading: FADING, misses: 0 };
  // Who waits for as long as is asked need not wait longer than that between two requests.
  const width = Math.max(next.width, Math.min(pause, next.width * WIDER));
  return { ...next, width, fading: FADING, misses };
}
