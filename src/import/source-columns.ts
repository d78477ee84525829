/** The columns of source rows: paths of keys, with samples of their values. */
import { escapeControls, safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import type { SourceRows } from "../files/rows.ts";

/** A column, or a key inside objects, of source rows. */
export interface SourceColumn {
  readonly path: readonly string[];
  /** The path as JSONata writes it. */
  readonly expression: string;
  /** The path and its last key, simplified: without case, punctuation and marks of letters. */
  readonly names: readonly [string, string];
  readonly values: readonly unknown[];
  readonly isTable: boolean;
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
    names: [simplify(path.join("")), simplify(path.at(-1) ?? "")],
    values,
    isTable,
  }));
}

/** A name without its unit in brackets, case, punctuation, marks and the prefix of Moodle's own fields. */
function simplify(name: string): string {
  return name
    .replace(/\s*[([][^()[\]]*[)\]]\s*$/, "")
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/^(?:acf)?customfield/, "");
}

const KEYWORDS = new Set(["and", "or", "in", "true", "false", "null", "function"]);

function stepText(key: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(key) && !KEYWORDS.has(key);
  if (isPlain) return key;
  // Only a string has escapes; after `$.` it is a name.
  return escapeControls(key) === key ? `\`${key.replaceAll("`", "")}\`` : `$.${safeJson(key)}`;
}

/** The words of lines of a table. */
export const words = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split(" "));

/** The values that are strings, and those of lists. */
export function textsOf({ values }: SourceColumn): string[] {
  return values
    .flatMap((value) => (isList(value) ? value : [value]))
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String);
}

/** A few different values for a comment. */
export function sampleOf({ values }: SourceColumn): string {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const samples = [...new Set(texts)].slice(0, 3).map((text) => {
    const line = text.replace(/\s+/g, " ").replaceAll("*/", "* /");
    return line.length > 40 ? `${line.slice(0, 39)}…` : line;
  });
  return samples.join(" | ");
}
