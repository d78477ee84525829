/** The columns of a CSV file: field names, or paths such as `prices[0].currency`. */
import { formatNumber, truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES, PROVIDER_KEY } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Shape } from "../course/shape.ts";
import type { Cell, Records } from "./csv-records.ts";
import { MAX_DEPTH, MAX_VALUES } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";

/** A column with a name. */
export interface Column {
  readonly index: number;
  readonly path: Path;
  /** The shape of its values; undefined if it is not a field of a course. */
  readonly shape: Shape | undefined;
}

/** Columns of one file. */
const MOST_COLUMNS = 2_000;
/** Items of one list that columns can fill. */
const MOST_ITEMS = 1_000;

interface Header {
  readonly columns: readonly Column[];
  readonly problems: readonly TextProblem[];
}

/** The columns of the header. A column that repeats another is only reported. */
export function readColumns({ rows, spanOf }: Pick<Records, "rows" | "spanOf">): Header {
  const [header = []] = rows;
  if (header.length > MOST_COLUMNS) {
    const message = `more than ${formatNumber(MOST_COLUMNS)} columns`;
    return failed({ rule: "too-large", message, span: spanOf(0, MOST_COLUMNS) });
  }
  const columns: Column[] = [];
  const problems: TextProblem[] = [];
  for (const [index, cell] of header.entries()) {
    const name = (cell ?? "null").trim();
    if (name === "") continue;
    const path = columnPath(name);
    const earlier = columns.find((column) => overlaps(column.path, path));
    if (earlier === undefined) columns.push({ index, path, shape: shapeAt(path) });
    else {
      const message = `duplicate column ${JSON.stringify(truncate(name))}`;
      const spans = { span: spanOf(0, index), earlier: spanOf(0, earlier.index) };
      problems.push({ rule: "duplicate-key", message, ...spans });
    }
  }
  if (rows.length * countParts(columns.map(({ path }) => path)) > MOST_PARTS) {
    return failed({ rule: "too-large", message: SKIPS_ITEMS, span: spanOf(0, 0) });
  }
  const isEmpty = header.every(isBlank) && rows.length < 2;
  if (isEmpty || columns.some(({ path }) => isField(path[0]))) return { columns, problems };
  const message =
    "no column is a field of a course; to convert the export of another system, use catalog courses import";
  return failed({ rule: "not-a-course", message, span: spanOf(0, 0) });
}

function failed(problem: TextProblem): Header {
  return { columns: [], problems: [problem] };
}

/** The path of a name; a name that is not a path, or not one of a course, is an unknown key. */
export function columnPath(name: string): Path {
  const path = parsePath(name);
  if (path === undefined || path.length > MAX_DEPTH || typeof path[0] !== "string") return [name];
  return path.every((step) => typeof step === "string" || step < MOST_ITEMS) ? path : [name];
}

/** Values of all rows of a file, with objects and lists around them: more than its cells need. */
export const MOST_PARTS = 3 * MAX_VALUES;

export const SKIPS_ITEMS =
  "the columns skip too many list items: number the items of each list from 0";

interface Part {
  readonly inside: Map<string | number, Part>;
  items: number;
}

/** How many values a course with these paths has, with the list items before each of them. */
export function countParts(paths: readonly Path[]): number {
  const root: Part = { inside: new Map(), items: 0 };
  let count = 0;
  for (const path of paths) {
    let part = root;
    for (const step of path) {
      let child = part.inside.get(step);
      if (child === undefined) {
        child = { inside: new Map(), items: 0 };
        part.inside.set(step, child);
        const items = typeof step === "number" ? Math.max(part.items, step + 1) : part.items + 1;
        count += items - part.items;
        part.items = items;
      }
      part = child;
    }
  }
  return count;
}

/** Whether both columns fill the same value: they are equal, or one contains the other. */
function overlaps(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}

function isBlank(cell: Cell): boolean {
  return cell?.trim() === "";
}

/** Whether a column is a field, or a misspelled one, which has its own finding. */
function isField(name: unknown): boolean {
  const folded = String(name)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (folded === PROVIDER_KEY || folded === EXTERNAL_KEY) return true;
  return FIELD_NAMES.some((field) => field === folded);
}
