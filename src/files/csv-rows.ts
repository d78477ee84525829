/** The course that a row of a CSV file describes, and the positions of its values. */
import type { Path, PlainObject } from "../base/values.ts";
import type { Shape } from "../course/shape.ts";
import type { Column } from "./csv-columns.ts";
import { type JsonValue, readJson, type ValueBudget } from "./json.ts";
import type { PlacedEntry, PlacedNode, Span } from "./position.ts";

type Row = readonly (string | null)[];

/** A course, and the indexes of the columns whose cells are not the JSON that they need to be. */
interface RowCourse {
  readonly course: PlainObject;
  readonly invalid: readonly number[];
}

/** The course of a row, without the fields whose cells are empty. */
export function rowCourse(row: Row, columns: readonly Column[], budget: ValueBudget): RowCourse {
  const course = {};
  const invalid: number[] = [];
  for (const column of columns) {
    const cell = row[column.index];
    if (cell === undefined || cell === "") continue;
    const read = cell === null ? { value: null } : cellValue(cell, column.shape, budget);
    if (read === undefined) invalid.push(column.index);
    else setValue(course, column.path, read.value);
  }
  return { course, invalid };
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/**
 * The value of a cell by the shape of its field; undefined if it is not the JSON that it needs to be.
 * Text that is not a number or a boolean remains text, for the checker to report.
 *
 * @param budget for the values of all cells
 */
export function cellValue(
  text: string,
  shape: Shape | undefined,
  budget?: ValueBudget,
): JsonValue | undefined {
  switch (shape?.kind) {
    case "number":
      return { value: NUMBER.test(text.trim()) ? Number(text) : text };
    // Spreadsheets write them in capitals.
    case "boolean":
      return { value: BOOLEAN.test(text.trim()) ? text.trim().toLowerCase() === "true" : text };
    case "object":
      return readJson(text.trim(), budget);
    case "list":
      return shape.of.kind === "object" || JSON_LIST.test(text)
        ? readJson(text.trim(), budget)
        : { value: splitList(text, shape.of) };
    case "paragraphs":
      return (JSON_LIST.test(text) ? readJson(text.trim(), budget) : undefined) ?? { value: text };
    default:
      return { value: text };
  }
}

const JSON_LIST = /^\s*\[/;

function splitList(text: string, shape: Shape): unknown[] {
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts.filter((part) => part !== "").map((part) => cellValue(part, shape)?.value);
}

/** An object or a list that is being built. */
type Growing = Record<string | number, unknown>;

/** Sets the value at a path of a mutable object, with the objects and lists on the way to it. */
export function setValue(root: object, path: Path, value: unknown): void {
  let parent = root as Growing;
  const last = path.length - 1;
  for (let index = 0; index < last; index++) {
    const step = path[index] ?? "";
    const next = path[index + 1] ?? "";
    const found = Object.hasOwn(parent, step) ? parent[step] : undefined;
    const child = typeof found === "object" && found !== null ? found : emptyFor(next);
    if (child !== found) define(parent, step, child);
    // Items that no column fills are objects without keys.
    if (Array.isArray(child) && typeof next === "number") {
      while (child.length < next) child.push({});
    }
    parent = child as Growing;
  }
  define(parent, path[last] ?? "", value);
}

function emptyFor(step: string | number): object {
  return typeof step === "number" ? [] : {};
}

/** Defines an own property, whatever its name. */
function define(object: Growing, step: string | number, value: unknown): void {
  if (step !== "__proto__") {
    object[step] = value;
    return;
  }
  const descriptor = { value, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(object, step, descriptor);
}

/** Finds the span of a cell in one row, and in the header. */
export interface RowSpans {
  readonly cell: (column: number) => Span;
  readonly header: (column: number) => Span;
}

/** The positions of a row's values: all cells, also empty ones, which are missing values. */
export function placeRow(columns: readonly Column[], spans: RowSpans): PlacedNode {
  const entries: GrowingNode["entries"] = [];
  for (const { index, path } of columns) {
    const span = spans.cell(index);
    let node: GrowingNode = { span, entries };
    for (const step of path) {
      node =
        typeof step === "number"
          ? itemOf(node, step, span)
          : entryOf(node, step, span, spans.header(index));
    }
  }
  const end = spans.cell(Number.MAX_SAFE_INTEGER).end;
  return { span: { start: spans.cell(0).start, end }, entries, isRow: true };
}

/** A position to which parts are added. */
interface GrowingNode {
  readonly span: Span;
  entries?: (PlacedEntry & { readonly value: GrowingNode })[];
  items?: GrowingNode[];
}

function itemOf(node: GrowingNode, index: number, span: Span): GrowingNode {
  node.items ??= [];
  while (node.items.length <= index) node.items.push({ span });
  return node.items[index] ?? node;
}

function entryOf(node: GrowingNode, name: string, span: Span, key: Span): GrowingNode {
  node.entries ??= [];
  const found = node.entries.find((entry) => entry.name === name);
  if (found !== undefined) return found.value;
  const value: GrowingNode = { span };
  node.entries.push({ name, key, value });
  return value;
}
