/** Prints rows as JSON (one document, or one object per line), and JSON safely on a terminal. */
import { escapeLine } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { columnsNamed, project } from "./cells.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** One array, or with `single` one object, indented by two; keys and values as they came. */
export function jsonFormatter(options: RenderOptions): Formatter {
  const select = selectorFor(options);
  const write = writerFor(options, 2);
  if (options.single === true) {
    return { rows: (rows) => rows.map((row) => `${write(select(row))}\n`).join(""), end: () => "" };
  }
  let before = "[";
  return {
    rows: (rows) => {
      if (rows.length === 0) return "";
      // The list of these rows without its brackets is a part of the list of all rows.
      const text = `${before}${write(rows.map(select)).slice("[".length, -"\n]".length)}`;
      before = ",";
      return text;
    },
    end: () => (before === "[" ? "[]\n" : "\n]\n"),
  };
}

/** One object per line. */
export function ndjsonFormatter(options: RenderOptions): Formatter {
  const select = selectorFor(options);
  const write = writerFor(options, 0);
  return {
    rows: (rows) => rows.map((row) => `${write(select(row))}\n`).join(""),
    end: () => "",
  };
}

function selectorFor({ fields }: RenderOptions): (row: PlainObject) => PlainObject {
  if (fields === undefined) return (row) => row;
  const columns = columnsNamed(fields);
  return (row) => project(row, columns);
}

function writerFor({ out }: RenderOptions, indent: number): (value: unknown) => string {
  return (value) => {
    const json = JSON.stringify(value, null, indent);
    return out.isTerminal ? terminalJson(json) : json;
  };
}

/**
 * The same JSON with every character that must not reach a terminal raw written as `\u202e`. Outside
 * ASCII, JSON has characters only inside strings, where the escape means the same.
 */
export function terminalJson(json: string): string {
  return json.replace(/[^\n\u0020-\u007e]+/g, (run) =>
    escapeLine(run) === run ? run : run.replace(/[^\n]/gu, escapeCharacter),
  );
}

function escapeCharacter(character: string): string {
  if (escapeLine(character) === character) return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A longer text is not for people, and formatting it would take many times its memory. */
const MAX_LENGTH = 2_000_000;
/** Deeper levels are not indented further: the text may consist of brackets only. */
const MAX_INDENTATION = 32;

/**
 * A JSON text with one value per line, indented by two. Token by token, so that numbers and repeated
 * keys stay as they came. Undefined if the text is not JSON or is very long.
 */
export function prettyJson(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !isJson(text)) return undefined;
  let depth = 0;
  let pretty = "";
  const lineBreak = (): string => `\n${"  ".repeat(Math.min(depth, MAX_INDENTATION))}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{[]\s*[\]}]|[^\s"]/g)) {
    if (token === "{" || token === "[") {
      depth++;
      pretty += token + lineBreak();
    } else if (token === "}" || token === "]") {
      depth--;
      pretty += lineBreak() + token;
    } else if (token === ",") pretty += token + lineBreak();
    else if (token === ":") pretty += ": ";
    else pretty += token.startsWith('"') ? token : token.replace(/\s+/g, "");
  }
  return pretty;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
