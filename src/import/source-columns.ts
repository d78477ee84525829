/** The columns of source rows: paths of keys, with samples of their values. */
import { escapeControls, safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";
import { foldName } from "./column-names.ts";

/** A column, or a key inside objects, of source rows. */
export interface SourceColumn {
  readonly path: readonly string[];
  /** The path as JSONata writes it. */
  readonly expression: string;
  /** The path and its last key, folded. */
  readonly names: readonly [string, string];
  readonly values: readonly unknown[];
  readonly isTable: boolean;
}

/** What the user says about columns, because their names and values do not. */
export interface Answers {
  /** The values that mean published, of the column with this expression. */
  readonly status?: { readonly column: string; readonly published: readonly string[] };
  /** The hours of units of durations. */
  readonly hours?: Readonly<Record<string, number>>;
}

/** What is known besides the column for which an expression is written. */
export interface Surroundings {
  readonly columns: readonly SourceColumn[];
  /** Called for other columns that the expression uses. */
  readonly use: (column: SourceColumn) => void;
  readonly answers: Answers;
}

/** An expression of JSONata for a field, and what its user should know. */
export interface Written {
  readonly expression: string;
  readonly note?: string | undefined;
}

const MOST_ROWS = 200;
const MOST_DEPTH = 4;

/** The columns of the first rows, in their order. */
export function sourceColumns(files: readonly SourceRows[]): SourceColumn[] {
  const columns = new Map<string, { path: string[]; values: unknown[]; isTable: boolean }>();
  const add = (value: unknown, path: string[], isTable: boolean): void => {
    if (isObject(value) && path.length < MOST_DEPTH) {
      for (const [key, inner] of Object.entries(value)) add(inner, [...path, key], isTable);
      return;
    }
    const key = JSON.stringify(path);
    const column = columns.get(key) ?? { path, values: [], isTable };
    if (value !== null && value !== undefined && value !== "") column.values.push(value);
    columns.set(key, column);
  };
  for (const { rows, isTable } of files) {
    for (const { value } of rows.slice(0, MOST_ROWS)) if (isObject(value)) add(value, [], isTable);
  }
  return [...columns.values()].map(({ path, values, isTable }) => ({
    path,
    expression: path.map(stepText).join("."),
    names: [foldName(path.join(" ")), foldName(nameOf({ path }))],
    values,
    isTable,
  }));
}

const KEYWORDS = new Set(["and", "or", "in", "true", "false", "null", "function"]);

function stepText(key: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);
  if (isPlain) return key;
  // Only a string has escapes; after `$.` it is a name.
  return escapeControls(key) === key ? `\`${key.replaceAll("`", "")}\`` : `$.${safeJson(key)}`;
}

/** The name of the column: the last key of its path. */
export function nameOf({ path }: Pick<SourceColumn, "path">): string {
  return path.at(-1) ?? "";
}

/** The values that are strings, and those of lists. */
export function textsOf({ values }: SourceColumn): string[] {
  return values
    .flatMap((value) => (isList(value) ? value : [value]))
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String);
}

/** The different values as texts, without the spaces around them. */
export function distinctTexts(column: SourceColumn): string[] {
  return [...new Set(textsOf(column).map((text) => text.trim()))].filter((text) => text !== "");
}

/** A few different values for a comment. */
export function sampleOf({ values }: SourceColumn): string {
  return listSamples(
    values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
  );
}

/** A few different texts for a comment. */
export function listSamples(texts: readonly string[]): string {
  const samples = [...new Set(texts)].slice(0, 3).map((text) => {
    const line = text.replace(/\s+/g, " ").replaceAll("*/", "* /");
    return line.length > 40 ? `${line.slice(0, 39)}…` : line;
  });
  return samples.join(" | ");
}
