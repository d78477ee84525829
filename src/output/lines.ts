/** Lays rows out as lines for programs: tab-separated values, or ids alone. */
import { escapeLine } from "../base/text.ts";
import { plainCell } from "./cell.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { columnsNamed } from "./select.ts";

/** The columns separated by tabs, with no header and nothing cut (cli.md section 11). */
export function linesFormatter({ columns, fields, out }: RenderOptions): Formatter {
  const readers = columnsNamed(fields ?? columns);
  return {
    rows: (rows) =>
      rows
        .map((row) => `${readers.map(({ read }) => field(read(row), out.isTerminal)).join("\t")}\n`)
        .join(""),
    end: () => "",
  };
}

/** The id of each row that has one. */
export function idFormatter({ out }: RenderOptions): Formatter {
  return {
    rows: (rows) =>
      rows
        .map(({ id }) => field(id, out.isTerminal))
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

function field(value: unknown, isTerminal: boolean): string {
  const text = plainCell(value).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? "");
  return isTerminal ? escapeLine(text) : text;
}
