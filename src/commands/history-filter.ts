/** The flags that select the runs that `catalog history` lists. */
import { usageError } from "../base/errors.ts";
import { type Flag, type FlagValues, nonEmpty, wholeNumber } from "../command-support/arguments.ts";
import type { RunSummary } from "../sync/record-format.ts";

export const RUN_FILTER_FLAGS = [
  {
    name: "since",
    value: "<date|age>",
    parse: parseMoment,
    description:
      "only runs since a date (from midnight on this machine), a time in ISO 8601, or an age: 12h, 30d, 2w",
  },
  {
    name: "until",
    value: "<date|age>",
    parse: parseMoment,
    description: "only runs before a date, a time or an age",
  },
  {
    name: "command",
    value: "<words>",
    parse: nonEmpty,
    description: 'only runs of this command, such as push or "courses push"',
  },
  {
    name: "limit",
    value: "<n>",
    parse: wholeNumber(1),
    description: "list at most n runs, the newest",
  },
] as const satisfies readonly Flag[];

type RunFilter = FlagValues<typeof RUN_FILTER_FLAGS>;

const HOUR = 60 * 60 * 1000;
const AGES: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** A moment, in milliseconds since 1970. @param now the present, in the same unit */
type Moment = (now: number) => number;

/** Reads `2026-01-31` (midnight on this machine), `2026-01-31T12:00Z` (a time) or `30d` (an age). */
function parseMoment(text: string, flag: string): Moment {
  const [, amount, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text.trim()) ?? [];
  const age = Number(amount) * (AGES[unit] ?? Number.NaN);
  if (!Number.isNaN(age)) return (now) => now - age;
  const [, date = "", clock = "T00:00"] =
    /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i.exec(
      text.trim(),
    ) ?? [];
  const time = Date.parse(`${date}${clock.replace(" ", "T").toUpperCase()}`);
  // Date.parse accepts February 30 as a day of March.
  const isDay = new Date(Date.parse(date)).getUTCDate() === Number(date.slice(8));
  if (isDay && !Number.isNaN(time)) return () => time;
  throw usageError(
    `--${flag} must be a date, a time or an age, not ${JSON.stringify(text)}`,
    `For example: --${flag} 2026-01-31, --${flag} 2026-01-31T12:00Z or --${flag} 30d`,
  );
}

/** The runs that the flags select. @param runs the newest first @param now in milliseconds since 1970 */
export function selectRuns<Run extends RunSummary>(
  runs: readonly Run[],
  { since, until, command, limit }: RunFilter,
  now: number,
): Run[] {
  const [from, to] = [since?.(now), until?.(now)];
  const words = command?.split(/\s+/).join(" ");
  return runs
    .filter(({ header }) => {
      const time = Date.parse(header.time);
      // A time that cannot be parsed is NaN, and matches neither comparison.
      if (from !== undefined && !(time >= from)) return false;
      if (to !== undefined && !(time < to)) return false;
      return words === undefined || ` ${header.command} `.includes(` ${words} `);
    })
    .slice(0, limit);
}
