/** Lists the columns of source rows, which are columns of tables or paths of keys, with their values. */
import { escapeControls, foldCase, safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";

/** A column of a table, or a path of keys in objects. */
export interface SourceColumn {
  readonly path: readonly string[];
  readonly expression: string;
  /** The path and its last key, both folded by `foldName`. */
  readonly names: readonly [string, string];
  readonly values: readonly unknown[];
  readonly isTable: boolean;
}

/** A JSONata expression for a field with a note for the user, or only advice on how the user can write it. */
export type Written =
  | {
      readonly expression: string;
      readonly note?: string | undefined;
      /** Other columns that the expression uses. */
      readonly also?: readonly SourceColumn[];
    }
  | { readonly advice: string };

/** The columns of the rows, in order: `[{"a":{"b":1}}]` gives a column with the path `["a", "b"]`. */
export function sourceColumns(files: readonly SourceRows[]): SourceColumn[] {
  const columns = new Map<string, { path: string[]; values: unknown[]; isTable: boolean }>();
  /** The columns whose values are objects in some of the rows. */
  const objects = new Set<string>();
  const add = (value: unknown, path: string[], isTable: boolean): void => {
    // Deeper values are too many for one mapping.
    if (isObject(value) && path.length < 4) {
      objects.add(JSON.stringify(path));
      for (const [key, inner] of Object.entries(value)) add(inner, [...path, key], isTable);
      return;
    }
    const key = JSON.stringify(path);
    const column = columns.get(key) ?? { path, values: [], isTable };
    if (value !== null && value !== undefined && value !== "") column.values.push(value);
    columns.set(key, column);
  };
  for (const { rows, columns: table } of files) {
    for (const { value } of rows) {
      if (isObject(value)) add(value, [], table !== undefined);
    }
  }
  for (const [key, { values }] of columns) if (objects.has(key)) values.push({});
  return [...columns.values()].map(({ path, values, isTable }) => ({
    path,
    expression: path.map(stepText).join("."),
    names: [foldName(path.join(" ")), foldName(nameOf({ path }))],
    values,
    isTable,
  }));
}

/** Folds a name: drops the unit in brackets, case, spaces, punctuation, and Moodle's prefix: `Duration (h)` gives `duration`. */
export function foldName(name: string): string {
  return foldCase(name.trim())
    .replace(/\s*[([][^()[\]]*[)\]]$/, "")
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .replace(/^(?:acf)?customfield/, "");
}

const KEYWORDS = new Set(["and", "or", "in", "true", "false", "null", "function"]);

function stepText(key: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);
  if (isPlain) return key;
  // JSONata allows escapes only in strings; after `$.` a string is a name.
  const isQuotable = escapeControls(key) === key && !key.includes("`");
  return isQuotable ? `\`${key}\`` : `$.${safeJson(key)}`;
}

/** The name of the column: the last key of its path. */
export function nameOf({ path }: Pick<SourceColumn, "path">): string {
  return path.at(-1) ?? "";
}

/** The values that are strings or numbers, and the items of lists, as strings. */
export function textsOf({ values }: SourceColumn): string[] {
  return values
    .flatMap((value) => (isList(value) ? value : [value]))
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String);
}

/** A few different values of a column, for a comment: `beginner | advanced`. */
export function sampleOf({ values }: SourceColumn): string {
  return listSamples(
    values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
  );
}

/** A few different strings, for a comment. */
export function listSamples(texts: readonly string[]): string {
  const samples = [...new Set(texts)].slice(0, 3).map((text) => {
    const line = text.trim().replace(/\s+/g, " ").replaceAll("*/", "* /");
    return line.length > 40 ? `${line.slice(0, 39)}…` : line;
  });
  return samples.join(" | ");
}
