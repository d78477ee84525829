/** Counts, for each column, the values that the functions of a mapping understood and did not understand. */
import { escapeLine, formatNumber, listSome, truncate, truncateJson } from "../base/text.ts";

/** How many values of a column were understood. */
export interface ColumnReport {
  readonly column: string;
  /** The number of values that were understood and used. */
  readonly used: number;
  /** The number of all values. */
  readonly of: number;
  /** The other values, the most frequent first. */
  readonly notUnderstood: readonly { readonly value: unknown; readonly count: number }[];
}

/** A value of a column that was given to a function. */
export interface CountedValue {
  readonly column: string;
  readonly value: unknown;
  readonly isUnderstood: boolean;
}

export class UnderstoodValues {
  readonly #columns = new Map<string, { used: number; of: number; others: Map<unknown, number> }>();

  add(values: readonly CountedValue[]): void {
    for (const { column: name, value, isUnderstood } of values) {
      const column = this.#columns.get(name) ?? { used: 0, of: 0, others: new Map() };
      const short = shorten(value);
      this.#columns.set(name, column);
      column.of++;
      if (isUnderstood) column.used++;
      else column.others.set(short, (column.others.get(short) ?? 0) + 1);
    }
  }

  reports(): ColumnReport[] {
    return [...this.#columns].map(([column, { used, of, others }]) => {
      const values = [...others].map(([value, count]) => ({ value, count }));
      const notUnderstood = values.sort((one, other) => other.count - one.count);
      return { column, used, of, notUnderstood };
    });
  }
}

/** A short form of a value that is the same for equal values. */
function shorten(value: unknown): unknown {
  if (typeof value === "string") return truncate(value);
  return typeof value === "object" ? truncate(JSON.stringify(value)) : value;
}

/** A sentence about a column: `Dauer: 83 of 107 values are used; not understood: "16 UE" (13) and "2 Tage" (11).` */
export function describeColumn({ column, used, of, notUnderstood }: ColumnReport): string {
  const values = notUnderstood.map(
    ({ value, count }) => `${truncateJson(value)} (${formatNumber(count)})`,
  );
  const counts = `${formatNumber(used)} of ${formatNumber(of)} values ${used === 1 ? "is" : "are"} used`;
  return `${escapeLine(truncate(column))}: ${counts}; not understood: ${listSome(values)}.`;
}
