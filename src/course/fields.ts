/** The fields of a course, and what is at a path in a course. */
import { usageError } from "../base/errors.ts";
import { closest, formatSuggestion } from "../base/text.ts";
import { formatPath, type Path, parsePath } from "../base/values.ts";
import { COURSE } from "./schema.ts";
import { type Key, objectShape, partShape, type Shape } from "./shape.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "./special-fields.ts";

export const COURSE_SHAPE = objectShape(COURSE);

/** Every field, in the documented order. */
export const FIELDS: readonly Key[] = COURSE_SHAPE.keys.filter(
  ({ name }) => name !== PROVIDER_KEY && name !== EXTERNAL_KEY,
);

export const FIELD_NAMES: readonly string[] = FIELDS.map(({ name }) => name);

/** The fields that a client may send, in the documented order. */
export const WRITABLE_FIELDS: readonly Key[] = FIELDS.filter((field) => !field.readOnly);

/** The field of a name; undefined if there is none. `key` and `provider` are not fields. */
export function findField(name: string): Key | undefined {
  return FIELDS.find((field) => field.name === name);
}

/** The key at the end of a path such as `prices[0].type`; undefined if no object has such a key. */
export function keyAt(path: Path): Key | undefined {
  const parent = shapeAt(path.slice(0, -1));
  const name = path.at(-1);
  return parent?.kind === "object" ? parent.byName.get(String(name)) : undefined;
}

/** The shape of the value at a path; undefined after a key that its object does not have. */
export function shapeAt(path: Path): Shape | undefined {
  let shape: Shape | undefined = COURSE_SHAPE;
  for (const step of path) shape = partShape(shape, step);
  return shape;
}

/** The values of a closed list, at the path of a value: `["level", 0]` gives beginner, intermediate and advanced. */
export function choicesAt(path: Path): readonly string[] {
  const shape = shapeAt(path);
  return shape?.kind === "enum" ? shape.values : [];
}

/** The path that the name of a column or a key means. A name that is not a path inside a course is one unknown field. */
export function namedPath(name: string): Path {
  if (COURSE_SHAPE.byName.has(name)) return [name];
  const path = parsePath(name) ?? [];
  const parent = shapeAt(path.slice(0, -1));
  const last = path.at(-1) ?? 0;
  const isPath =
    typeof last === "string" ? parent?.kind === "object" : partShape(parent, last) !== undefined;
  return isPath ? path : [name];
}

/** Whether the value at a path is any text, and not a code or a URL. */
export function isFreeText(path: Path): boolean {
  const shape = shapeAt(path);
  return shape?.kind === "string" ? shape.format === undefined : shape?.kind === "paragraphs";
}

/** The path with its first unknown name corrected: `prices[0].currency` for `prices[0].curency`; undefined if none is near. */
export function suggestPath(path: Path): string | undefined {
  const unknown = path.findIndex((_, index) => shapeAt(path.slice(0, index + 1)) === undefined);
  const parent = unknown === -1 ? undefined : shapeAt(path.slice(0, unknown));
  const names = parent?.kind === "object" ? parent.keys.map(({ name }) => name) : [];
  const near = closest(String(path[unknown]), names);
  return near && formatPath([...path.slice(0, unknown), near, ...path.slice(unknown + 1)]);
}

/** The path of a value that can be set. @throws CatalogError of kind `usage` */
export function writablePath(text: string, flag: string): Path {
  const path = parsePath(text.trim()) ?? [];
  const [field] = path;
  if (field === undefined || shapeAt(path) === undefined) {
    throw usageError(
      `unknown field ${JSON.stringify(text)} in ${flag}`,
      formatSuggestion(suggestPath(path), "For example: prices[0].currency"),
    );
  }
  if (findField(String(field))?.readOnly !== true) return path;
  throw usageError(`${flag} cannot change ${field}, which only the service sets`);
}
