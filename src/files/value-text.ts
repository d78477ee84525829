/** Writes a value in the style of the text around it: `de`, `'de'` or `"de"`, on one line or as a block. */
import { safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { isBlockText, scalarText, yamlText } from "../base/yaml-text.ts";
import type { FileFormat } from "./parse.ts";

export interface SlotStyle {
  /** Whether the place is inside brackets, as always in JSON. */
  readonly flow: boolean;
  /** The quotation mark of the key, or of a list's first item; empty for no quotes where possible. */
  readonly quote: string;
  /** Finds the indentation of the line with the value, which takes long in a long line. */
  readonly indentation: () => string;
  /** The text that the value replaces, if any. */
  readonly old?: string;
}

interface ValueStyle extends SlotStyle {
  readonly format: FileFormat;
  readonly lineBreak: () => string;
  /** Whether a value in brackets may take several lines. */
  readonly isMultiline: boolean;
}

/** The text of a value. If the value is a YAML block, the text may begin with a line break. */
export function valueText(value: unknown, style: ValueStyle): string {
  const { format, flow, old = "" } = style;
  const isCollection = typeof value === "object" && value !== null;
  if (format === "json" && style.isMultiline && isCollection) return prettyJson(value, style);
  if (flow || format === "json") return flowText(value, style);
  if (/^[[{]/.test(old) && isCollection) return flowText(value, style);
  if (typeof value === "string") return stringText(value, style);
  return isCollection ? blockText(value, style) : scalarText(value, style);
}

function prettyJson(value: object, { indentation, lineBreak }: ValueStyle): string {
  const before = indentation();
  const unit = before.startsWith("\t") ? "\t" : 2;
  return breakLines(safeJson(value, unit), before, lineBreak());
}

function breakLines(text: string, indentation: string, lineBreak: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : indentation + line))
    .join(lineBreak);
}

function flowText(value: unknown, style: ValueStyle): string {
  if (isList(value)) return `[${value.map((item) => flowText(item, style)).join(", ")}]`;
  if (isObject(value)) {
    const { format, quote } = style;
    const entries = Object.entries(value).map(([name, inner]) => {
      const key = format === "json" || quote === '"' ? safeJson(name) : flowKey(name);
      return `${key}: ${flowText(inner, style)}`;
    });
    return `{${entries.join(", ")}}`;
  }
  const isJson = style.format === "json";
  if (typeof value === "string") return quoteString(value, isJson ? '"' : style.quote, true);
  return isJson ? safeJson(value) : scalarText(value, { flow: true });
}

function flowKey(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : safeJson(name);
}

/** Writes a string or a key with the given quotation mark; an empty mark means quotes only if needed. */
export function quoteString(value: string, quote: string, flow: boolean): string {
  if (quote === "'" && /^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]*$/u.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return quote === "" ? scalarText(value, { flow }) : safeJson(value);
}

function stringText(value: string, style: ValueStyle): string {
  const { old = "", quote } = style;
  const header = /^([|>])([-+\d]*)([^\r\n]*)/.exec(old);
  if (header !== null && isBlockText(value) && !/^[ \n]/.test(value)) {
    return blockScalar(value, header, style);
  }
  if (header !== null || (value.includes("\n") && quote === "")) return blockText(value, style);
  return quoteString(value, quote, false);
}

/** Writes a string as a block, with the header and the indentation of the replaced block. */
function blockScalar(
  value: string,
  [, mark, , comment = ""]: RegExpExecArray,
  { old = "", indentation, lineBreak }: ValueStyle,
): string {
  const content = value.replace(/\n+$/, "");
  const after = value.length - content.length;
  const chomping = ["-", "", "+"][Math.min(after, 2)];
  // In a folded block, a single line break means a space.
  const header = `${content.includes("\n") ? "|" : mark}${chomping}${comment}`;
  const inner = /[\r\n]([ ]+)\S/.exec(old)?.[1] ?? `${indentation()}  `;
  const text = `\n${content}${"\n".repeat(Math.max(0, after - 1))}`;
  return header + breakLines(text, inner, lineBreak());
}

/** Writes a value as in new files: objects, lists and long text begin on the next line. */
function blockText(value: unknown, { indentation, lineBreak }: ValueStyle): string {
  const text = yamlText({ k: value }).replace(/^k: ?/, "").replace(/\n$/, "");
  return breakLines(text, indentation(), lineBreak());
}
