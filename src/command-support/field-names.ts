/** Checks the names that `--fields` holds: columns, and paths into them (cli.md section 2). */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { formatPath, type Path } from "../base/values.ts";
import { FIELDS } from "../course/fields.ts";
import type { Shape } from "../course/shape.ts";
import { pathNamed } from "../output/select.ts";

/** What a value may hold: keys, elements, or, with neither, nothing that a path could lead to. */
export interface Inside {
  readonly keys?: Readonly<Record<string, Inside>>;
  readonly element?: Inside;
  /** Whether it may hold anything at all. */
  readonly any?: boolean;
}

/** A value that holds nothing. */
export const PLAIN: Inside = {};

/** A value that may hold anything. */
export const ANY: Inside = { any: true };

/** What the fields of a course hold, by their names. */
export function insideCourses(): Readonly<Record<string, Inside>> {
  return Object.fromEntries(FIELDS.map(({ name, shape }) => [name, insideOf(shape)]));
}

function insideOf(shape: Shape): Inside {
  switch (shape.kind) {
    case "object":
      return { keys: Object.fromEntries(shape.keys.map((key) => [key.name, insideOf(key.shape)])) };
    case "list":
      return { element: insideOf(shape.of) };
    case "paragraphs":
      return { element: PLAIN };
    default:
      return PLAIN;
  }
}

/**
 * Checks `--fields`: each begins with a column, and goes on only to what that is known to hold.
 *
 * @param inside what columns hold; one that is not in it may hold anything
 * @throws CatalogError of kind `usage`
 */
export function checkFields(
  fields: readonly string[] | undefined,
  known: readonly string[],
  inside: Readonly<Record<string, Inside>> = {},
): void {
  for (const field of fields ?? []) checkField(field, known, inside);
}

function checkField(
  field: string,
  known: readonly string[],
  inside: Readonly<Record<string, Inside>>,
): void {
  const [column] = /^[^.[]+/.exec(field) ?? [field];
  if (!known.includes(column)) {
    const meant = closest(column, known);
    throw unknown(field, meant ?? undefined, `Known are ${known.join(", ")}.`);
  }
  const path = pathNamed(field);
  if (path === undefined) {
    throw usageError(
      `--fields names no field and no path: ${field}`,
      "A path looks like prices[0].currency.",
    );
  }
  const keys = Object.fromEntries(known.map((name) => [name, inside[name] ?? ANY]));
  requireInside(field, path, { keys });
}

/** Follows the path as far as it goes. */
function requireInside(field: string, path: Path, root: Inside): void {
  let value = root;
  for (const [index, step] of path.entries()) {
    if (value.any === true) return;
    const { keys, element } = value;
    const next = typeof step === "number" ? element : ownKey(keys, step);
    if (next === undefined) throw misled(field, path.slice(0, index), step, value);
    value = next;
  }
}

function misled(field: string, before: Path, step: string | number, value: Inside): CatalogError {
  const { keys, element } = value;
  if (keys !== undefined) {
    const meant = closest(String(step), Object.keys(keys));
    const names = `${formatPath(before)} has ${Object.keys(keys).join(", ")}.`;
    return unknown(field, meant === undefined ? undefined : formatPath([...before, meant]), names);
  }
  if (element === undefined) {
    return unknown(field, formatPath(before), `${formatPath(before)} has no parts.`);
  }
  const first = formatPath([...before, 0]);
  return unknown(
    field,
    ownKey(element.keys, step) === undefined ? undefined : `${first}.${step}`,
    `${formatPath(before)} is a list: ${first} is its first element.`,
  );
}

function ownKey<Value>(
  keys: Readonly<Record<string, Value>> | undefined,
  step: string | number,
): Value | undefined {
  return keys !== undefined && Object.hasOwn(keys, step) ? keys[step] : undefined;
}

function unknown(field: string, meant: string | undefined, known: string): CatalogError {
  const next = meant === undefined ? known : `Did you mean ${meant}?`;
  return usageError(`--fields names an unknown field: ${field}`, next);
}
