/** Prints rows as lines for programs: tab-separated values, or ids alone. */
import { escapeLine } from "../base/text.ts";
import { columnsNamed, plainCell } from "./cells.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** The columns separated by tabs, with no header and nothing shortened. */
export function linesFormatter({ columns, fields, out }: RenderOptions): Formatter {
  const readers = columnsNamed(fields ?? columns);
  return {
    rows: (rows) =>
      rows
        .map(
          (row) =>
            `${readers.map(({ read }) => escapeCell(read(row), out.isTerminal)).join("\t")}\n`,
        )
        .join(""),
    end: () => "",
  };
}

/** The id of each row that has one. */
export function idFormatter({ out }: RenderOptions): Formatter {
  return {
    rows: (rows) =>
      rows
        .map(({ id }) => escapeCell(id, out.isTerminal))
        .filter((id) => id !== "")
        .map((id) => `${id}\n`)
        .join(""),
    end: () => "",
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

function escapeCell(value: unknown, isTerminal: boolean): string {
  const text = plainCell(value).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? "");
  return isTerminal ? escapeLine(text) : text;
}
