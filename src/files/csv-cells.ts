/** Reads the text of a cell as the value that the schema expects. */
import type { Shape } from "../course/shape.ts";
import { type JsonValue, readJson, type ValueBudget } from "./json.ts";

const NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/**
 * The value of a cell by the shape of its field; undefined if it is not the JSON that it needs to be.
 * Text that is no number or boolean stays text, for the checker to report.
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
