/** Columns and keys whose names are paths, such as `prices[0].price`, and the values that they give a course. */
import {
  type FoundValue,
  isList,
  isObject,
  type Path,
  type PlainObject,
  valueAt,
} from "../base/values.ts";
import { namedPath } from "../course/fields.ts";
import type { FindPlace } from "./diagnostic.ts";
import { LIMITS } from "./limits.ts";

/** Checks of each path, in order, whether it fits those before it: `prices[0].price` after `prices` is repeated. */
export function fitPaths(): (path: Path) => "yes" | "repeated" | "skips" {
  /** The values that paths fill, and the values that they fill at least in part. */
  const [whole, parts] = [new Set<string>(), new Set<string>()];
  let skipped = 0;
  return (path) => {
    const keys = path.map((_, at) => JSON.stringify(path.slice(0, at + 1)));
    const own = keys.at(-1) ?? "";
    if (parts.has(own) || keys.some((key) => whole.has(key))) return "repeated";
    let skips = skipped;
    for (const [at, step] of path.entries()) {
      if (typeof step !== "number") continue;
      const near = [step, step - 1].map((item) => JSON.stringify([...path.slice(0, at), item]));
      if (!near.some((key) => parts.has(key))) skips += step;
    }
    if (skips > LIMITS.skipped) return "skips";
    whole.add(own);
    for (const key of keys) parts.add(key);
    skipped = skips;
    return "yes";
  };
}

/**
 * The course that keys with paths mean: `{ "prices[0].price": "9" }` becomes `{ prices: [{ price: "9" }] }`. Keys that do not
 * fit the other keys stay as they are, as unknown fields.
 */
export function expandKeys(course: PlainObject) {
  const named = Object.keys(course).map((name) => ({ name, path: namedPath(name) }));
  const inside = named.filter(({ path }) => path.length > 1);
  if (inside.length === 0) return { value: course, keys: inside };
  const fitOf = fitPaths();
  for (const { path } of named) if (path.length === 1) fitOf(path);
  const keys = inside.filter(({ path }) => fitOf(path) === "yes");
  const used = new Set(keys.map(({ name }) => name));
  const value = Object.fromEntries(Object.entries(course).filter(([name]) => !used.has(name)));
  for (const { name, path } of keys) setValue(value, path, course[name]);
  return { value, keys };
}

/** Finds the places of values that keys with paths give: at the key that has the value, or the most of its path. */
export function placeByKeys(
  place: FindPlace,
  keys: ReturnType<typeof expandKeys>["keys"],
): FindPlace {
  return async (path, at) => {
    for (let { length } = path; length > 0; length--) {
      const isNear = ({ path: own }: (typeof keys)[number]): boolean =>
        path.slice(0, length).every((step, index) => index >= own.length || step === own[index]);
      const key = keys.find(isNear);
      if (key === undefined) continue;
      const rest = path.slice(key.path.length);
      return await place([key.name, ...rest], rest.length === 0 && at === "parent" ? "value" : at);
    }
    return await place(path, at);
  };
}

/**
 * A course with other values at some paths, where null removes the value: of the course `{ video: { type: "vimeo", id: "1" } }`,
 * `["video", "id"]` changes nothing but the id. An item of a list goes with its last value.
 */
export function withParts(course: PlainObject, parts: readonly FoundValue<unknown>[]): PlainObject {
  const names = [...new Set(parts.map(({ path: [name] }) => String(name)))];
  const changed = Object.fromEntries(names.map((name) => [name, filled(valueAt(course, [name]))]));
  for (const { path, value } of parts) {
    // What is absent needs no place to be cleared in.
    if ((value ?? valueAt(changed, path) ?? null) !== null) setValue(changed, path, value);
  }
  const after = names.map((name) => [name, filled(changed[name], valueAt(course, [name]))]);
  return { ...course, ...Object.fromEntries(after) };
}

/** A copy without null in lists and objects. @param before a list, whose items are left out if nothing of them is left */
function filled(value: unknown, before?: unknown): unknown {
  if (isList(value)) {
    const items = value.map((item) => filled(item));
    const isEmpty = (item: unknown): boolean => isObject(item) && Object.keys(item).length === 0;
    const old = isList(before) ? filled(before) : [];
    const isGone = (item: unknown, index: number): boolean =>
      item === null || (isEmpty(item) && isList(old) && index in old && !isEmpty(old[index]));
    return items.filter((item, index) => !isGone(item, index));
  }
  if (!isObject(value)) return value ?? null;
  const entries = Object.entries(value).map(([name, each]) => [name, filled(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => each !== null));
}

/**
 * Sets the value at a path of a mutable object, and creates the objects and lists on the way: for the path
 * `["prices", 1, "price"]`, `{}` becomes `{ prices: [{}, { price: value }] }`.
 */
export function setValue(root: object, [step = "", ...rest]: Path, value: unknown): void {
  if (Array.isArray(root)) while (root.length < Number(step)) root.push({});
  const parent = root as Record<string | number, unknown>;
  const found = Object.hasOwn(parent, step) ? parent[step] : undefined;
  const empty = typeof rest[0] === "number" ? [] : {};
  const inner = typeof found === "object" && found !== null ? found : empty;
  const facts = { enumerable: true, writable: true, configurable: true };
  // Also defines the name `__proto__`.
  Object.defineProperty(parent, step, { value: rest.length === 0 ? value : inner, ...facts });
  if (rest.length > 0) setValue(inner, rest, value);
}
