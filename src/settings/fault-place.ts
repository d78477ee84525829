/** Finds where a config file stops being data. */
import { isObject } from "../base/values.ts";

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place that a YAML reader's error tells, if it tells one. */
export function placeIn(cause: unknown): Place | undefined {
  const mark = isObject(cause) && isObject(cause.mark) ? cause.mark : undefined;
  return typeof mark?.line === "number" && typeof mark.column === "number"
    ? { line: mark.line + 1, column: mark.column + 1 }
    : undefined;
}

/**
 * Where a text stops being JSON. A YAML reader tells it, as JSON's own tells it in words alone;
 * undefined for what only YAML allows.
 */
export async function placeOfFault(text: string): Promise<Place | undefined> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  try {
    load(text, { schema: JSON_SCHEMA });
    return undefined;
  } catch (cause) {
    return placeIn(cause);
  }
}
