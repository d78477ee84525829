import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detailedTime, relativeTime } from "../../src/output/cells.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function relative(milliseconds: number): string | undefined {
  return relativeTime(new Date(NOW + milliseconds).toISOString(), NOW);
}

test.each([
  [0, "just now"],
  [-59_000, "just now"],
  [59_000, "just now"],
  [-MINUTE, "1 minute ago"],
  [-59 * MINUTE, "59 minutes ago"],
  [-60 * MINUTE, "1 hour ago"],
  [-DAY + MINUTE, "23 hours ago"],
  [-DAY, "1 day ago"],
  [-6.9 * DAY, "6 days ago"],
  [-7 * DAY, "1 week ago"],
  [-21 * DAY, "3 weeks ago"],
  [-30 * DAY, "4 weeks ago"],
  [-31 * DAY, "1 month ago"],
  [-364 * DAY, "11 months ago"],
  [-366 * DAY, "1 year ago"],
  [-3653 * DAY, "10 years ago"],
  [2 * DAY, "in 2 days"],
  [90 * MINUTE, "in 1 hour"],
])("relativeTime shows %i milliseconds from now as %s", (milliseconds, words) => {
  expect(relative(milliseconds)).toBe(words);
});

describe("valid times", () => {
  test.each([
    "2026-01-31T12:00:00+00:00",
    "2026-01-31T12:00:00.123456Z",
    "2026-01-31T12:00Z",
    "2026-01-31T13:00:00+01:00",
  ])("relativeTime reads %s as now", (text) => {
    expect(relativeTime(text, NOW)).toBe("just now");
  });

  test.each([
    ["2026-01-10T12:00:59.5Z", "2026-01-10 12:00 +00:00 (2 weeks ago)"],
    ["2026-01-31T13:30:00+05:30", "2026-01-31 13:30 +05:30 (4 hours ago)"],
  ])("detailedTime shows %s as %s", (text, words) => {
    expect(detailedTime(text, NOW)).toBe(words);
  });
});

test.each([
  "",
  "yesterday",
  "2026-01-31",
  "2026-01-31T12:00:00",
  "2026-13-01T12:00:00Z",
  "2026-01-31T25:00:00Z",
  "2026-01-31T12:00:00+99:99",
  " 2026-01-31T12:00:00Z",
  "2026-01-31T12:00:00Z\n",
])("relativeTime and detailedTime return undefined for %j", (text) => {
  expect([relativeTime(text, NOW), detailedTime(text, NOW)]).toEqual([undefined, undefined]);
});

test("relativeTime never describes a nearer time as further away", () => {
  const length = (words: string | undefined): number => {
    const [, amount = "0", unit = "none"] = /(\d+) (\w+?)s? ago/.exec(words ?? "") ?? [];
    return (
      ["none", "minute", "hour", "day", "week", "month", "year"].indexOf(unit) * 1000 + +amount
    );
  };
  const past = fc.integer({ min: 0, max: 4000 * DAY });
  fc.assert(
    fc.property(past, past, (one, other) => {
      const [near, far] = one < other ? [one, other] : [other, one];
      expect(length(relative(-near))).toBeLessThanOrEqual(length(relative(-far)));
    }),
  );
});
