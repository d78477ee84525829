/** Prints rows for other programs: as tab-separated values, as ids, as CSV (RFC 4180), YAML and JSON. */
import type { Options } from "csv-stringify/sync";
import { protectCell } from "../base/spreadsheet-cells.ts";
import { escapeLine } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { columnsNamed, plainCell, projector } from "./cells.ts";
import { type Formatter, type RenderOptions, rowFormatter } from "./renderer.ts";

/** The columns separated by tabs, with no header and nothing shortened. */
export function linesFormatter(options: RenderOptions): Formatter {
  const { columns, fields, out, isForPeople = out.isTerminal } = options;
  const readers = columnsNamed(fields ?? columns);
  return rowFormatter((row) => {
    const cells = readers.map(({ read }) => {
      const value = read(row);
      // In a table, null without quotes clears.
      return value === "null" ? '"null"' : escapeCell(value, isForPeople);
    });
    return `${cells.join("\t")}\n`;
  });
}

/** The id of each row that has one. */
export function idFormatter({ out }: RenderOptions): Formatter {
  return rowFormatter(({ id }) => {
    const text = escapeCell(id, out.isTerminal);
    return text === "" ? "" : `${text}\n`;
  });
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

/**
 * CSV: a header, then one record per row; lists and objects as JSON, null as an empty cell. Reading it
 * gives the same values. A spreadsheet may interpret them as formulas, unless `isCsvSafe` is set.
 */
export async function csvFormatter(options: RenderOptions): Promise<Formatter> {
  const { stringify } = await import("csv-stringify/sync");
  const { out, fields, allColumns } = options;
  const columns = columnsNamed(fields ?? allColumns);
  const cell = (value: unknown): string => {
    const text = protectCell(plainCell(value), options.isCsvSafe === true);
    return out.isTerminal ? escapeLine(text) : text;
  };
  const layout: Options = {
    record_delimiter: "\r\n",
    // Many readers accept either character alone as the end of a record; null without quotes clears.
    quoted_match: /[\r\n]|^null$/,
    // Most readers skip an empty line.
    quoted_empty: columns.length === 1,
  };
  let header: string[][] = [columns.map(({ name }) => cell(name))];
  const records = (rows: readonly string[][]): string => {
    const all = [...header, ...rows];
    header = [];
    return stringify(all, layout);
  };
  return {
    rows: (rows) =>
      rows.length === 0
        ? ""
        : records(rows.map((row) => columns.map(({ read }) => cell(read(row))))),
    end: () => (header.length > 0 ? records([]) : ""),
  };
}

/**
 * A YAML sequence, or with `single` one object, that YAML 1.1 and 1.2 read in the same way. Courses are
 * written as in a course file, unless `fields` selects some of their values.
 */
export async function yamlFormatter(options: RenderOptions): Promise<Formatter> {
  const { fileCourse } = await import("../files/write.ts");
  const { yamlText } = await import("../base/yaml-text.ts");
  const { out, fields, isCourse = false, single = false } = options;
  const select =
    isCourse && fields === undefined ? (row: PlainObject) => fileCourse(row) : projector(fields);
  const write = (row: PlainObject): string => {
    const json = JSON.stringify(select(row));
    const safe = out.isTerminal ? terminalJson(json) : json;
    // JSON is YAML, too, and its escapes are safe on a terminal.
    const flow = single ? `${safe}\n` : `- ${safe}\n`;
    if (safe !== json) return flow;
    const shown: unknown = JSON.parse(json);
    const block = yamlText(single ? shown : [shown]);
    // Where an escape has to replace a workflow command, only JSON has one with the same meaning.
    return out.neutralize(block) === block ? block : flow;
  };
  let empty = !single;
  return {
    rows: (rows) => {
      if (rows.length > 0) empty = false;
      return rows.map(write).join("");
    },
    end: () => (empty ? "[]\n" : ""),
  };
}

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
