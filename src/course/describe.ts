/** Names values and shapes in the words of messages. */
import { joinList } from "../base/text.ts";
import { isList } from "../base/values.ts";
import type { Shape } from "./shape.ts";

/**
 * What was probably meant by a value of the wrong type: a number or boolean where a text belongs
 * only lacks its quotation marks, and the reverse.
 */
export function repairedText(value: unknown, expected: string): string | undefined {
  const isPlain = typeof value === "boolean" || Number.isFinite(value);
  if (expected === "a text" && isPlain) {
    return JSON.stringify(String(value));
  }
  if (typeof value !== "string" || value.trim() === "") return undefined;
  if (expected === "true or false" && /^(true|yes|on)$/i.test(value)) return "true";
  if (expected === "true or false" && /^(false|no|off)$/i.test(value)) return "false";
  if (expected.endsWith("number") && /^-?\d+(\.\d+)?$/.test(value)) return value;
  return undefined;
}

/** A value as a message speaks of it: `a list`, `true`. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "a text";
    case "number":
      return Number.isFinite(value) ? "a number" : "no finite number";
    case "boolean":
      return String(value);
    default:
      return "a mapping";
  }
}

/** What a shape takes, as a message speaks of it: `one of a or b`. */
export function nameOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "a text";
    case "choice":
      return `one of ${joinList(shape.values)}`;
    case "number":
      return shape.whole ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "paragraphs":
      return "a text or a list of texts";
    case "list":
      return "a list";
    case "object":
      return `a mapping that describes ${shape.known.owner}`;
  }
}
