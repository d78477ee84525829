/** Formats times relative to now, without loading locale data. */
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})[\d:.]*(Z|[+-]\d{2}:\d{2})$/;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each unit with its length in milliseconds, the longest first. */
const UNITS: readonly (readonly [name: string, length: number])[] = [
  ["year", 365.25 * DAY],
  ["month", 30.44 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
];

/**
 * How long before or after `now` an ISO 8601 time with an offset is: `3 weeks ago`, `in 2 days`.
 */
export function relativeTime(text: string, now: number): string | undefined {
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : formatDistance(at - now);
}

/** The time to the minute, then how long ago: `2026-01-31 12:00 +00:00 (3 weeks ago)`. */
export function detailedTime(text: string, now: number): string | undefined {
  const relative = relativeTime(text, now);
  const [, date, clock, offset] = TIME.exec(text) ?? [];
  return relative && `${date} ${clock} ${offset === "Z" ? "+00:00" : offset} (${relative})`;
}

function formatDistance(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  const unit = UNITS.find(([, least]) => length >= least);
  if (unit === undefined) return "just now";
  const [name, one] = unit;
  const amount = Math.floor(length / one);
  const words = `${amount} ${name}${amount === 1 ? "" : "s"}`;
  return milliseconds < 0 ? `${words} ago` : `in ${words}`;
}
