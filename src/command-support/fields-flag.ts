/** Checks the names in `--fields`: columns such as `prices`, and paths such as `prices[0].currency`. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest, formatSuggestion } from "../base/suggest.ts";
import { formatPath, type Path, parsePath } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";

/** The parts of a value that a path can name: fields of an object, or elements of a list. */
export interface FieldTree {
  readonly keys?: Readonly<Record<string, FieldTree>>;
  readonly element?: FieldTree;
  readonly any?: boolean;
}

/** Trees by the names of their columns. */
export type FieldTrees = Readonly<Record<string, FieldTree>>;

/** The tree of a value without parts. */
export const NO_FIELDS: FieldTree = {};

/** The tree of a value of unknown structure. */
export const ANY_FIELDS: FieldTree = { any: true };

/** The trees of columns whose values have no parts. */
export function withoutFields(names: readonly string[]): FieldTrees {
  return Object.fromEntries(names.map((name) => [name, NO_FIELDS]));
}

/** The tree of a list of changed fields, with old and new values. */
export const CHANGES_FIELDS: FieldTree = {
  element: {
    keys: {
      path: { element: NO_FIELDS },
      ...{ old: ANY_FIELDS, new: ANY_FIELDS },
      ...{ changedIn: NO_FIELDS, base: ANY_FIELDS },
    },
  },
};

/** The trees of a course's fields. Empty if no name is a path, so the schema need not be loaded. */
export async function courseFieldTrees(names: readonly string[] = []): Promise<FieldTrees> {
  if (!names.some((name) => /[.[]/.test(name))) return {};
  const { FIELDS } = await import("../course/fields.ts");
  return Object.fromEntries(FIELDS.map(({ name, shape }) => [name, treeOf(shape)]));
}

function treeOf(shape: Shape): FieldTree {
  if (shape.kind === "object") {
    return { keys: Object.fromEntries(shape.keys.map((key) => [key.name, treeOf(key.shape)])) };
  }
  return shape.kind === "list" || shape.kind === "paragraphs"
    ? { element: treeOf(shape.of) }
    : NO_FIELDS;
}

/** Requires that each name is a column, or a path that its tree has. @throws CatalogError of kind `usage` */
export function checkFields(
  names: readonly string[] | undefined,
  columns: readonly string[],
  trees: FieldTrees = {},
): void {
  for (const name of names ?? []) checkField(name, columns, trees);
}

function checkField(name: string, columns: readonly string[], trees: FieldTrees): void {
  const [column] = /^[^.[]+/.exec(name) ?? [name];
  if (!columns.includes(column)) {
    throw unknownField(name, closest(column, columns), `Available fields: ${columns.join(", ")}.`);
  }
  const path = parsePath(name);
  if (path === undefined) {
    throw usageError(
      `--fields must be names or paths, not ${JSON.stringify(name)}`,
      "For example: --fields name,prices[0].currency",
    );
  }
  let tree: FieldTree = { keys: { [column]: trees[column] ?? ANY_FIELDS } };
  for (const [index, step] of path.entries()) {
    if (tree.any === true) return;
    const next = typeof step === "number" ? tree.element : ownKey(tree.keys, step);
    if (next === undefined) throw invalidPath(name, path.slice(0, index), step, tree);
    tree = next;
  }
}

function invalidPath(
  name: string,
  before: Path,
  step: string | number,
  { keys, element }: FieldTree,
): CatalogError {
  const parent = formatPath(before);
  if (keys !== undefined) {
    const nearest = closest(String(step), Object.keys(keys));
    const suggestion = nearest === undefined ? undefined : formatPath([...before, nearest]);
    return unknownField(name, suggestion, `Fields of ${parent}: ${Object.keys(keys).join(", ")}.`);
  }
  if (element === undefined) return unknownField(name, parent, "");
  const first = formatPath([...before, 0]);
  return unknownField(
    name,
    ownKey(element.keys, step) === undefined ? undefined : `${first}.${step}`,
    `${parent} is a list, and ${first} is its first element.`,
  );
}

function ownKey<Value>(
  keys: Readonly<Record<string, Value>> | undefined,
  step: string | number,
): Value | undefined {
  return keys !== undefined && Object.hasOwn(keys, step) ? keys[step] : undefined;
}

function unknownField(
  name: string,
  suggestion: string | undefined,
  otherwise: string,
): CatalogError {
  const problem = `unknown field ${JSON.stringify(name)} in --fields`;
  return usageError(problem, formatSuggestion(suggestion, otherwise));
}
