/** Finds out from the expression of a mapping which columns its fields and its calls of functions use. */
import type { ExprNode } from "jsonata";
import { addTo, isList, isObject } from "../base/values.ts";

/** The names of the columns that each field, or each function, uses. */
export type ColumnsByName = ReadonlyMap<string, readonly string[]>;

/** A node `{…}`: its pairs of key and value. */
export type ObjectNode = ExprNode & { lhs: [ExprNode, ExprNode][] };

/** The object that a mapping returns, also one that depends on a condition; undefined if there is none, or several. */
export function findResult(node: unknown): ObjectNode | undefined {
  if (isObjectNode(node)) return node;
  if (!isObject(node)) return undefined;
  const { type, expressions, then, else: otherwise } = node;
  if (type === "block" && isList(expressions)) return findResult(expressions.at(-1));
  if (type !== "condition") return undefined;
  const [only, ...others] = [then, otherwise].flatMap((branch) => findResult(branch) ?? []);
  return others.length === 0 ? only : undefined;
}

function isObjectNode(node: unknown): node is ObjectNode {
  return isObject(node) && node.type === "unary" && node.value === "{";
}

/** The columns that the value of each field uses. */
export function columnsOfFields(result: ObjectNode | undefined): ColumnsByName {
  const fields = (result?.lhs ?? []).map(([key, value]): [string, string[]] => [
    String(key.value),
    [...new Set(columnsIn(value))],
  ]);
  return new Map(fields);
}

/** The columns in the first argument of each function, also one that `~>` or a step before it supplies. */
export function columnsOfCalls(mapping: ExprNode): ColumnsByName {
  const calls = new Map<string, string[]>();
  collectCalls(mapping, [], calls);
  return calls;
}

function collectCalls(
  node: unknown,
  supplied: readonly string[],
  calls: Map<string, string[]>,
): void {
  if (isList(node)) for (const each of node) collectCalls(each, supplied, calls);
  if (!isObject(node)) return;
  const { type, procedure, lhs, rhs, steps } = node;
  if (type === "function" && isObject(procedure)) {
    const [first] = isList(node.arguments) ? node.arguments : [];
    for (const column of [...columnsIn(first), ...supplied]) {
      addTo(calls, String(procedure.value), column);
    }
  }
  if (type === "apply") {
    collectCalls(lhs, supplied, calls);
    collectCalls(rhs, [...columnsIn(lhs)], calls);
  } else if (type === "path" && isList(steps)) {
    const [first, ...others] = steps;
    collectCalls(first, supplied, calls);
    collectCalls(others, [...columnsIn(node)], calls);
  } else {
    for (const part of Object.values(node)) collectCalls(part, supplied, calls);
  }
}

/** The names that an expression looks up in its row: the first names of its paths. */
function* columnsIn(node: unknown): Generator<string> {
  if (isList(node)) for (const each of node) yield* columnsIn(each);
  if (!isObject(node)) return;
  if (node.type !== "path" || !isList(node.steps)) {
    // In a filter, names are those of the values that are filtered.
    for (const [key, part] of Object.entries(node)) if (key !== "predicate") yield* columnsIn(part);
    return;
  }
  const [first, second] = node.steps;
  const step = isRow(first) ? second : first;
  if (isObject(step) && step.type === "name") yield String(step.value);
  else yield* columnsIn(step);
}

/** Whether a step is `$` or `$$`. */
function isRow(step: unknown): boolean {
  return isObject(step) && step.type === "variable" && (step.value === "" || step.value === "$");
}
