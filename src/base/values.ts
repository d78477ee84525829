/** Checks, reads and addresses plain data: the values of JSON and YAML files. */
import { usageError } from "./errors.ts";

export type PlainObject = Readonly<Record<string, unknown>>;

/** The steps from a value to an inner value, keys and zero-based list indexes: `["prices", 0, "currency"]`. */
export type Path = readonly (string | number)[];

/** Whether a value is an object: neither null nor a list. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object with an id, as the service's courses and providers are. */
export function hasId(value: unknown): value is PlainObject & { readonly id: string } {
  return isObject(value) && typeof value.id === "string";
}

/** Whether a value is a list. Narrows to unknown elements, unlike `Array.isArray`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A value as text. `String` fails for an object whose `toString` is not a function, which a service may send. */
export function asText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** Formats a path: `prices[0].currency`, or `["a b"]` for a key with other characters. Long keys are cut. */
export function formatPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (step.length > 80) text += `[${JSON.stringify(step.slice(0, 80))}…]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** The names of the fields that change, each once. */
export function changedFields(changes: readonly { readonly path: Path }[]): string[] {
  return [...new Set(changes.map(({ path }) => formatPath(path.slice(0, 1))))];
}

/** Parses a path: `prices[0].currency` gives `["prices", 0, "currency"]`; undefined if the string is not a path. */
export function parsePath(text: string): Path | undefined {
  const step = /(?:^|\.)([^.[\]]+)|\[(\d+)\]/y;
  const path: (string | number)[] = [];
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, key, index] = match;
    path.push(key ?? Number(index));
  }
  return path;
}

/** The value at a path, or undefined if there is none. Inherited keys such as `toString` do not count. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

export interface FoundValue<Value> {
  readonly path: Path;
  readonly value: Value;
}

/**
 * The first of some paths that begins like a path, for as many of its steps as possible, and how many these are: for the path
 * `["video", "url"]`, of `["name"]` and `["video", "id"]` it is the second one, with one step.
 */
export function nearestPath(path: Path, paths: readonly Path[]) {
  for (let { length } = path; length > 0; length--) {
    const start = path.slice(0, length);
    const index = paths.findIndex((each) => start.every((step, at) => step === each[at]));
    if (index !== -1) return { index, length };
  }
  return undefined;
}

/** The value itself and all inner values that satisfy a condition, in order. */
export function findValues<Value>(
  root: unknown,
  condition: (value: unknown) => value is Value,
  path: Path = [],
): FoundValue<Value>[] {
  const found: FoundValue<Value>[] = [];
  const steps: (string | number)[] = [...path];
  const visit = (value: unknown): void => {
    if (condition(value)) found.push({ path: [...steps], value });
    if (typeof value !== "object" || value === null) return;
    const keys = isList(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      steps.push(key);
      visit((value as Record<string | number, unknown>)[key]);
      steps.pop();
    }
  };
  visit(root);
  return found;
}

/** How many equal elements two lists have at their starts and at their ends: `[a, b, c]` and `[a, c]` have 1 and 1. */
export function commonEnds(
  one: readonly unknown[],
  other: readonly unknown[],
  isEqual: (one: unknown, other: unknown) => boolean,
) {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && isEqual(one[start], other[start])) start++;
  let end = 0;
  while (end < shorter - start && isEqual(one.at(-1 - end), other.at(-1 - end))) end++;
  return { start, end };
}

/** A function that calls `build` once, and always returns that result. */
export function memoize<Result>(build: () => Result): () => Result {
  let built: { result: Result } | undefined;
  return () => {
    built ??= { result: build() };
    return built.result;
  };
}

/** How often each of the items occurs. */
export function countEach<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Adds a value to the list of a key, and creates a missing list. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The source of a regular expression for a UUID in uppercase or lowercase. */
export const UUID_PATTERN =
  "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$";

const UUID = new RegExp(UUID_PATTERN);

/** Whether the value is a UUID of any version with hyphens, in uppercase or lowercase. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && UUID.test(value);
}

/** Parses the number of a setting or a flag, from `minimum` to `maximum`. @throws CatalogError of kind `usage` */
export function numberFrom(
  minimum: number,
  maximum: number,
  kind: "a number" | "a whole number" = "a whole number",
): (text: string, origin: string) => number {
  const form = kind === "a number" ? /^\d*\.?\d+$/ : /^\d+$/;
  return (text, origin) => {
    const value = form.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const range = `from ${minimum} to ${maximum}`;
    throw usageError(`${origin} must be ${kind} ${range}, not ${JSON.stringify(text)}`);
  };
}
