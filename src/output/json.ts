/** Lays rows out as JSON: one document, or one object a line. */
import type { PlainObject } from "../base/values.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { terminalJson } from "./json-text.ts";
import { columnsNamed, project } from "./select.ts";

/** One array, or with `single` the one object; every key as it came, indented by two. */
export function jsonFormatter(options: RenderOptions): Formatter {
  const shown = shownBy(options);
  const write = writer(options, 2);
  if (options.single === true) {
    return { rows: (rows) => rows.map((row) => `${write(shown(row))}\n`).join(""), end: () => "" };
  }
  let before = "[";
  return {
    rows: (rows) => {
      if (rows.length === 0) return "";
      // Without its brackets a list of some rows is a part of the list of all.
      const text = `${before}${write(rows.map(shown)).slice("[".length, -"\n]".length)}`;
      before = ",";
      return text;
    },
    end: () => (before === "[" ? "[]\n" : "\n]\n"),
  };
}

/** One object a line, as they come. */
export function ndjsonFormatter(options: RenderOptions): Formatter {
  const shown = shownBy(options);
  const write = writer(options, 0);
  return {
    rows: (rows) => {
      let text = "";
      for (const row of rows) text += `${write(shown(row))}\n`;
      return text;
    },
    end: () => "",
  };
}

/** What is shown of a row. */
function shownBy({ fields }: RenderOptions): (row: PlainObject) => PlainObject {
  if (fields === undefined) return (row) => row;
  const columns = columnsNamed(fields);
  return (row) => project(row, columns);
}

function writer({ out }: RenderOptions, indent: number): (value: unknown) => string {
  return (value) => {
    const json = JSON.stringify(value, null, indent);
    return out.isTerminal ? terminalJson(json) : json;
  };
}
