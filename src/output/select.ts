/** Takes values out of rows by the names that `--fields` holds. */
import { type PlainObject, parsePath, valueAt } from "../base/values.ts";

/** Takes one value out of a row; undefined where the row has none. */
type Reader = (row: PlainObject) => unknown;

/** A column: what it is called, and how its value is found. */
export interface Column {
  readonly name: string;
  readonly read: Reader;
}

/** The columns of those names: keys of a row, or paths into it such as `prices[0].currency`. */
export function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name) => ({ name, read: readerOf(name) }));
}

/** A row cut down to some columns, as JSON and YAML show it; what is missing is null. */
export function project(row: PlainObject, columns: readonly Column[]): PlainObject {
  return Object.fromEntries(columns.map(({ name, read }) => [name, read(row) ?? null]));
}

function readerOf(name: string): Reader {
  const path = parsePath(name);
  return (row) => {
    // A service may give a key that looks like a path.
    if (Object.hasOwn(row, name)) return row[name];
    return path === undefined ? undefined : valueAt(row, path);
  };
}
