/** Fits the values that a mapping returns to the types of the fields, where nothing is lost. */
import { isList, isObject, type PlainObject } from "../../../base/values.ts";
import { COURSE_SHAPE } from "../../../course/fields.ts";
import type { Shape } from "../../../course/shape.ts";

/** The course without empty strings and lists, with single values in lists where a list is needed. */
export function fitCourse(course: PlainObject): PlainObject {
  return fitObject(course, COURSE_SHAPE.byName);
}

type Keys = Extract<Shape, { kind: "object" }>["byName"];

function fitObject(object: PlainObject, keys: Keys): PlainObject {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const fitted = fitValue(value, keys.get(name)?.shape);
    if (!isEmpty(fitted)) entries.push([name, fitted]);
  }
  return Object.fromEntries(entries);
}

function isEmpty(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

function fitValue(value: unknown, shape: Shape | undefined): unknown {
  if (value === undefined || value === null) return value;
  switch (shape?.kind) {
    case "string":
      return typeof value === "number" ? String(value) : value;
    case "number":
      return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return value === "true" || value === "false" ? value === "true" : value;
    case "list": {
      const items = isList(value) ? value : [value];
      return items.map((item) => fitValue(item, shape.of)).filter((item) => !isEmpty(item));
    }
    case "object":
      return isObject(value) ? fitObject(value, shape.byName) : value;
    default:
      return value;
  }
}
