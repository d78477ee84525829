/** Describes plain data, as JSON and YAML files hold it. */

/** A mapping of unknown content. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** The steps from a course to one of its values: keys and zero-based list positions. */
export type Path = readonly (string | number)[];

/** Whether a value is a mapping (not null, not a list). */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. Narrows to unknown elements, unlike `Array.isArray`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * A path as people write it: `prices[0].currency`. Keys that are no plain words are quoted, and
 * those that are far too long for a key are cut.
 */
export function formatPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (step.length > LONGEST_KEY) text += `[${JSON.stringify(step.slice(0, LONGEST_KEY))}…]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

const LONGEST_KEY = 80;

/** The value at a path, or undefined where the path leads nowhere; own keys only. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** Calls `build` at the first use and hands out the same result from then on. */
export function memoize<Result>(build: () => Result): () => Result {
  let built: { result: Result } | undefined;
  return () => {
    built ??= { result: build() };
    return built.result;
  };
}
