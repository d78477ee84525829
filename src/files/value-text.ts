/** Writes a value in the style of the text around it: `de`, `'de'` or `"de"`, on one line or as a block. */
import { safeJson } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { isBlockText, scalarText, yamlText } from "../base/yaml-text.ts";
import type { FileFormat } from "./parse.ts";

/** The style of the place of a value. */
export interface Slot {
  readonly format: FileFormat;
  readonly isInBrackets: boolean;
  /** Whether the value is an item of a block list. */
  readonly isItem?: boolean;
  /** The quotation mark of the old value, or of the key; empty for no quotes where possible. */
  readonly quote: string;
  /** The indentation of the key or the dash. */
  readonly indentation: string;
  readonly lineBreak: string;
  /** Whether values in brackets may take several lines. */
  readonly isMultiline: boolean;
  /** The text that the value replaces, if any. */
  readonly old?: string;
}

/** The text of a value. If the value is a block, the text may begin with a line break. */
export function writeValue(value: unknown, slot: Slot): string {
  const { format, indentation, isInBrackets, isItem = false, lineBreak, quote, old = "" } = slot;
  const isCollection = typeof value === "object" && value !== null;
  const breakLines = (text: string): string =>
    text.replace(/\n(?!\n|$)/g, `\n${indentation}`).replaceAll("\n", lineBreak);
  if (format === "json") {
    const unit = indentation.startsWith("\t") ? "\t" : 2;
    return isCollection && slot.isMultiline
      ? breakLines(safeJson(value, unit))
      : flowText(value, '"');
  }
  if (isInBrackets) return flowText(value, quote);
  const [header = "", mark, comment = ""] = /^([|>])[-+\d]*([^\r\n]*)/.exec(old) ?? [];
  const isText = typeof value === "string";
  if (isText && header !== "" && isBlockText(value) && !/^[ \n]/.test(value)) {
    const content = value.replace(/\n+$/, "");
    const after = value.length - content.length;
    // In a folded block, a single line break means a space.
    const style = content.includes("\n") ? "|" : mark;
    const inner = /[\r\n]([ ]+)\S/.exec(old)?.[1] ?? `${indentation}  `;
    const lines = `${content}${"\n".repeat(Math.max(0, after - 1))}`.replace(/^(?=.)/gm, inner);
    return `${style}${["-", "", "+"][Math.min(after, 2)]}${comment}\n${lines}`.replaceAll(
      "\n",
      lineBreak,
    );
  }
  const isPlain =
    !isCollection && !(isText && (value.includes("\n") || header !== "") && !/["']/.test(quote));
  if (isPlain)
    return isText ? writeString(value, quote, false) : scalarText(value, { flow: false });
  const text =
    isItem && !isText ? yamlText([value]).slice(2) : yamlText({ k: value }).replace(/^k: ?/, "");
  return breakLines(text.replace(/\n$/, ""));
}

/** A key, with the quotation mark of another key. */
export function writeKey(name: string, quote: string | undefined, isInBrackets: boolean): string {
  return writeString(name, quote ?? '"', isInBrackets);
}

/** Writes a string with the given quotation mark; another character means quotes only if needed. */
function writeString(value: string, quote: string, flow: boolean): string {
  if (quote === "'" && /^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffe\uffff]*$/u.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return /["']/.test(quote) ? safeJson(value) : scalarText(value, { flow });
}

/** A value in brackets on one line. */
function flowText(value: unknown, quote: string): string {
  if (isList(value)) return `[${value.map((item) => flowText(item, quote)).join(", ")}]`;
  if (!isObject(value))
    return typeof value === "string"
      ? writeString(value, quote, true)
      : scalarText(value, { flow: true });
  const entries = Object.entries(value).map(([name, inner]) => {
    const key = quote !== '"' && /^[A-Za-z_][\w-]*$/.test(name) ? name : safeJson(name);
    return `${key}: ${flowText(inner, quote)}`;
  });
  return `{${entries.join(", ")}}`;
}
