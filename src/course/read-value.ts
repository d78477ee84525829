/**
 * Reads what people and programs write as the value of a field: `60` is the number 60 or the string "60", by the shape of
 * the field. What does not fit stays as it is, and the checks of the course report it.
 */
import { attempt } from "../base/errors.ts";
import { splitList } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { partShape, type Shape } from "./shape.ts";
import { readDecimal } from "./string-formats.ts";

/**
 * Who wrote a value: the author of a course file, who gets it as a fix; a cell of a table, which separates the items of a
 * list; a flag, which may be JSON; or a program, whose values only have other types.
 */
export type Dialect = "file" | "table" | "flag" | "program";

/** A value in the type of its shape; the same value, if it does not fit. */
export function readValue(value: unknown, shape: Shape | undefined, dialect: Dialect): unknown {
  if (shape === undefined || value === null || value === undefined) return value;
  if (dialect === "flag" && typeof value === "string") return readFlag(value, shape);
  if (shape.kind === "list") {
    if (isList(value)) return value.map((item) => readValue(item, shape.of, dialect));
    const isSplit = typeof value === "string" && (dialect === "table" || isCode(shape.of));
    const items = isSplit ? splitList(value, /[,;]/) : [value];
    return items.map((item) => readValue(item, shape.of, dialect));
  }
  if (shape.kind === "object" && isObject(value)) {
    const parts = Object.entries(value).map(([name, part]) => {
      return [name, readValue(part, partShape(shape, name), dialect)];
    });
    return Object.fromEntries(parts);
  }
  if (typeof value === "number") return shape.kind === "string" ? String(value) : value;
  return typeof value === "string" ? readText(value, shape, dialect) : value;
}

function readText(text: string, shape: Shape, dialect: Dialect): unknown {
  const isTable = dialect === "table";
  if (shape.kind === "boolean") return readBoolean(text, dialect) ?? text;
  if (shape.kind === "number") {
    const hasComma = isTable || dialect === "file";
    const digits = hasComma ? (readDecimal(text.replace(/^\s*[-+]/, "")) ?? text) : text;
    const isNegative = /^\s*-/.test(text) && digits !== text;
    if (!NUMBER.test(digits)) return text;
    return isNegative ? -Number(digits) : Number(digits);
  }
  const isAmount = shape.kind === "string" && shape.format === "amount";
  return isTable && isAmount ? (readDecimal(text) ?? text) : text;
}

/** Also as JavaScript writes numbers, with an exponent. */
const NUMBER = /^\s*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$/i;

/** Spreadsheets write TRUE, and people yes. */
function readBoolean(text: string, dialect: Dialect): boolean | undefined {
  const word = dialect === "program" ? text : text.trim().toLowerCase();
  const words =
    dialect === "file" ? [/^(?:true|yes|on)$/, /^(?:false|no|off)$/] : [/^true$/, /^false$/];
  return words[0]?.test(word) ? true : words[1]?.test(word) ? false : undefined;
}

/** JSON if it fits the shape, else text: `49.90` is text in a string. A single value fits a list. */
function readFlag(text: string, shape: Shape): unknown {
  const json = attempt((): unknown => JSON.parse(text));
  if (json === null) return null;
  if (shape.kind === "list") return isList(json) ? json : [readFlag(text, shape.of)];
  const isText = shape.kind === "string" || shape.kind === "enum" || shape.kind === "paragraphs";
  const fits = typeof json === "string" || (shape.kind === "paragraphs" && isList(json));
  return isText && !fits ? text : (json ?? text);
}

/** Whether the values of a shape are codes, which have neither spaces nor commas. */
function isCode(shape: Shape): boolean {
  return shape.kind === "enum" || (shape.kind === "string" && shape.format === "language");
}
