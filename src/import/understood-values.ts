/** Counts, by column, the values that the functions of a mapping understood, and those that they did not. */
import {
  cutText,
  escapeName,
  formatNumber,
  listSome,
  truncate,
  truncateJson,
} from "../base/text.ts";
import { isObject } from "../base/values.ts";

/** What was understood of a column. */
export interface ColumnReport {
  readonly column: string;
  /** How many values were used, of how many. */
  readonly used: number;
  readonly of: number;
  /** The most frequent first. */
  readonly notUnderstood: readonly { readonly value: unknown; readonly count: number }[];
}

/** Different values of a column that are remembered, and characters of one that are shown. */
const MOST_VALUES = 1000;
const LONGEST_VALUE = 60;

/** The columns of all rows. */
export class UnderstoodValues {
  readonly #columns = new Map<string, { used: number; of: number; others: Map<unknown, number> }>();

  /** Adds a row. @param understood the columns that were used, and whether their values were understood */
  add(row: unknown, understood: ReadonlyMap<string, boolean>): void {
    for (const [name, isUnderstood] of understood) {
      const value = shorten(isObject(row) ? row[name] : undefined);
      const column = this.#columns.get(name) ?? { used: 0, of: 0, others: new Map() };
      this.#columns.set(name, column);
      column.of++;
      if (isUnderstood) column.used++;
      else if (column.others.size < MOST_VALUES || column.others.has(value)) {
        column.others.set(value, (column.others.get(value) ?? 0) + 1);
      }
    }
  }

  /** All columns that functions used. */
  reports(): ColumnReport[] {
    return [...this.#columns].map(([column, { used, of, others }]) => {
      const values = [...others].map(([value, count]) => ({ value, count }));
      const notUnderstood = values.sort((one, other) => other.count - one.count);
      return { column, used, of, notUnderstood };
    });
  }
}

/** A value that takes little memory, and is the same for equal objects. */
function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  return typeof value === "object" ? truncate(JSON.stringify(value)) : value;
}

/** `Dauer: 83 of 107 values are used; not understood: "16 UE" (13), "2 Tage" (11)`, as a sentence. */
export function describeColumn({ column, used, of, notUnderstood }: ColumnReport): string {
  const values = notUnderstood.map(
    ({ value, count }) => `${shortValue(value)} (${formatNumber(count)})`,
  );
  const counts = `${formatNumber(used)} of ${formatNumber(of)} values ${used === 1 ? "is" : "are"} used`;
  return `${escapeName(truncate(column))}: ${counts}; not understood: ${listSome(values)}.`;
}

/** A value for a sentence. */
export function shortValue(value: unknown): string {
  return truncateJson(typeof value === "string" ? cutText(value, LONGEST_VALUE) : value);
}
