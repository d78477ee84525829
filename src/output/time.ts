/** Formats times relative to now, without loading locale data. */
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i;

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
 * How long before or after `now` a time is: `3 weeks ago`, `in 2 days`, `just now`. Undefined if the
 * text is not an ISO 8601 time with an offset.
 */
export function relativeTime(text: string, now: number): string | undefined {
  const time = parseTime(text);
  return time === undefined ? undefined : formatDistance(time.at - now);
}

/** The time to the minute, then how long ago: `2026-01-31 12:00 +00:00 (3 weeks ago)`. */
export function detailedTime(text: string, now: number): string | undefined {
  const time = parseTime(text);
  return time === undefined ? undefined : `${time.clock} (${formatDistance(time.at - now)})`;
}

interface Time {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  /** Date, time and offset as given. */
  readonly clock: string;
}

function parseTime(text: string): Time | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, minutes, seconds = "", zone = ""] = match;
  const date = `${year}-${month}-${day}`;
  const offset = normalizeOffset(zone);
  const at = Date.parse(`${date}T${minutes}${seconds.slice(0, 3)}${offset}`);
  // Date accepts 31 February as a day of March.
  const midnight = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.getUTCDate() === Number(day);
  return Number.isNaN(at) || !isDay ? undefined : { at, clock: `${date} ${minutes} ${offset}` };
}

/** The offset as `+00:00`, from any ISO 8601 notation. */
function normalizeOffset(zone: string): string {
  if (zone.toUpperCase() === "Z") return "+00:00";
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}`;
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
