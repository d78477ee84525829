/** Lays rows out as JSON: one document, or one object a line. */
import type { Mapping } from "../base/values.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { terminalJson } from "./json-text.ts";
import { columnsNamed, project } from "./select.ts";

/** One array, or with `single` the one object; every key as it came, indented by two. */
export function jsonFormatter(options: RenderOptions): Formatter {
  const write = writer(options, 2);
  if (options.single === true) {
    return { rows: (rows) => rows.map((row) => `${write(row)}\n`).join(""), end: () => "" };
  }
  let before = "[";
  return {
    rows: (rows) => {
      let text = "";
      for (const row of rows) {
        // Line breaks inside strings are escaped: every one seen here is layout.
        text += `${before}\n  ${write(row).replaceAll("\n", "\n  ")}`;
        before = ",";
      }
      return text;
    },
    end: () => (before === "[" ? "[]\n" : "\n]\n"),
  };
}

/** One object a line, as they come. */
export function ndjsonFormatter(options: RenderOptions): Formatter {
  const write = writer(options, 0);
  return { rows: (rows) => rows.map((row) => `${write(row)}\n`).join(""), end: () => "" };
}

function writer({ fields, out }: RenderOptions, indent: number): (row: Mapping) => string {
  const columns = fields === undefined ? undefined : columnsNamed(fields);
  return (row) => {
    const shown = columns === undefined ? row : project(row, columns);
    const json = JSON.stringify(shown, null, indent);
    return out.isTerminal ? terminalJson(json) : json;
  };
}
