/** Counts, for each column, the values that the functions of a mapping understood and did not understand. */
import {
  escapeLine,
  formatNumber,
  listSome,
  pluralize,
  truncate,
  truncateJson,
} from "../base/text.ts";
import { addTo, countEach } from "../base/values.ts";

/** A value of a column that was given to a function. */
export interface CountedValue {
  readonly column: string;
  readonly value: unknown;
  readonly isUnderstood: boolean;
}

/** How many of the values of each column were understood and used, and the other values, the most frequent first. */
export function countByColumn(values: readonly CountedValue[]) {
  const columns = new Map<string, CountedValue[]>();
  for (const value of values) addTo(columns, value.column, value);
  return [...columns].map(([column, own]) => {
    const others = own.filter(({ isUnderstood }) => !isUnderstood);
    const counts = countEach(others.map(({ value }) => shorten(value)));
    const notUnderstood = [...counts].map(([value, count]) => ({ value, count }));
    notUnderstood.sort((one, other) => other.count - one.count);
    return { column, used: own.length - others.length, of: own.length, notUnderstood };
  });
}

/** A short form of a value that is the same for equal values. */
function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  return typeof value === "object" ? truncate(JSON.stringify(value)) : value;
}

/** A sentence about a column: `Dauer: used 83 of 107 values; not understood: "16 UE" (13) and "2 Tage" (11).` */
export function describeColumn({
  column,
  used,
  of,
  notUnderstood,
}: ReturnType<typeof countByColumn>[number]): string {
  const values = notUnderstood.map(
    ({ value, count }) => `${truncateJson(value)} (${formatNumber(count)})`,
  );
  const counts = `used ${formatNumber(used)} of ${pluralize(of, "value")}`;
  return `${escapeLine(truncate(column))}: ${counts}; not understood: ${listSome(values)}.`;
}
