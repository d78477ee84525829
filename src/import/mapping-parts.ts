/** Finds the columns that the fields and the function calls of a mapping use. */
import type { ExprNode } from "jsonata";
import { addTo, isList, isObject } from "../base/values.ts";

/** For the name of each field or function, the names of the columns that it uses. */
export type ColumnsByName = ReadonlyMap<string, readonly string[]>;

/** A node `{…}` of JSONata's syntax tree, with its pairs of key and value. */
export type ObjectNode = ExprNode & { lhs: [ExprNode, ExprNode][] };

/** The object that a mapping returns, even under a condition; undefined if there is none, or several. */
export function findResult(node: unknown): ObjectNode | undefined {
  if (isObjectNode(node)) return node;
  if (!isObject(node)) return undefined;
  const { type, expressions, then, else: otherwise } = node;
  if (type === "block" && isList(expressions)) return findResult(expressions.at(-1));
  const [only, ...others] = [then, otherwise].flatMap((branch) => findResult(branch) ?? []);
  return others.length === 0 ? only : undefined;
}

function isObjectNode(node: unknown): node is ObjectNode {
  return isObject(node) && node.type === "unary" && node.value === "{";
}

/** The columns that each field uses: `{"name": titel}` gives `name` → `["titel"]`. */
export function columnsOfFields(result: ObjectNode | undefined): ColumnsByName {
  const fields = (result?.lhs ?? []).map(([key, value]): [string, string[]] => [
    String(key.value),
    [...new Set(columnsIn(value))],
  ]);
  return new Map(fields);
}

/** The columns in the first argument of each function, or in the expression before it: `a ~> $b()`, `a.$b($)`. */
export function columnsOfCalls(mapping: ExprNode): ColumnsByName {
  const calls = new Map<string, string[]>();
  const collect = (node: unknown, supplier: unknown): void => {
    if (isList(node)) for (const each of node) collect(each, supplier);
    if (!isObject(node)) return;
    const { type, procedure } = node;
    if (type === "function" && isObject(procedure)) {
      const [first] = isList(node.arguments) ? node.arguments : [];
      for (const column of columnsIn([first, supplier])) {
        addTo(calls, String(procedure.value), column);
      }
    }
    const inner = type === "apply" || type === "path" ? node : supplier;
    for (const part of Object.values(node)) collect(part, inner);
  };
  collect(mapping, undefined);
  return calls;
}

/** The names that an expression looks up in its row: the first names of its paths. */
function* columnsIn(node: unknown): Generator<string> {
  if (isList(node)) for (const each of node) yield* columnsIn(each);
  if (!isObject(node)) return;
  if (node.type !== "path" || !isList(node.steps)) {
    // The names in a filter belong to the filtered values, not to the row.
    for (const [key, part] of Object.entries(node)) if (key !== "predicate") yield* columnsIn(part);
    return;
  }
  const [first, second] = node.steps;
  const step = isRow(first) ? second : first;
  if (isObject(step) && step.type === "name") yield String(step.value);
  else yield* columnsIn(step);
}

function isRow(step: unknown): boolean {
  return isObject(step) && step.type === "variable" && (step.value === "" || step.value === "$");
}
