/** Prints rows as JSON (one document, or one object per line), and JSON safely on a terminal. */
import { escapeLine } from "../base/text.ts";
import { projector } from "./cells.ts";
import { type Formatter, type RenderOptions, rowFormatter } from "./renderer.ts";

/** One array, or with `single` one object, indented by two; keys and values as they came. */
export function jsonFormatter(options: RenderOptions): Formatter {
  const select = projector(options.fields);
  const write = writerFor(options, 2);
  if (options.single === true) return rowFormatter((row) => `${write(select(row))}\n`);
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
  const select = projector(options.fields);
  const write = writerFor(options, 0);
  return rowFormatter((row) => `${write(select(row))}\n`);
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
