/** Lists the output formats with what each can do, and writes rows in one of them. */
import { maskValue } from "../base/secrets.ts";
import type { PlainObject } from "../base/values.ts";
import { blocksFormatter } from "./blocks.ts";
import {
  csvFormatter,
  idFormatter,
  jsonFormatter,
  ndjsonFormatter,
  tsvFormatter,
  yamlFormatter,
} from "./data-formats.ts";
import type { Formatter, Renderer, RenderOptions } from "./renderer.ts";
import { tableFormatter } from "./table.ts";

/** How a layout is created, and what it can do. */
interface Layout {
  readonly create: (options: RenderOptions) => Formatter | Promise<Formatter>;
  /** Whether the text is written at the end; other layouts write rows as they arrive, in constant memory. */
  readonly collects?: boolean;
  /** Whether workflow commands are kept, because the format has no escape with the same meaning. */
  readonly isVerbatim?: boolean;
  /** Whether the layout is a workbook for spreadsheet programs, which is written only if it is complete. */
  readonly isWorkbook?: boolean;
}

const TABLE = {
  table: { create: tableFormatter, collects: true },
  tsv: { create: tsvFormatter, isVerbatim: true },
  json: { create: jsonFormatter },
  ndjson: { create: ndjsonFormatter },
  yaml: { create: yamlFormatter },
  csv: { create: csvFormatter, isVerbatim: true },
  xlsx: {
    create: async (options) => (await import("./workbook.ts")).xlsxFormatter(options),
    collects: true,
    isVerbatim: true,
    isWorkbook: true,
  },
  id: { create: idFormatter },
} satisfies Record<string, Layout>;

/** The layout that `--output` does not accept: the default of `get` on a terminal. */
const DEFAULTS = {
  blocks: { create: blocksFormatter },
} satisfies Record<string, Layout>;

/** A format of rows that `--output` accepts. */
export type Format = keyof typeof TABLE;

/** The formats of `--output` that print text instead of rows: for people, and annotations for GitHub. */
const TEXT_FORMATS = ["human", "github"] as const;

export type TextFormat = (typeof TEXT_FORMATS)[number];

/** The name of a format, or of a layout that is only a default. */
export type LayoutName = Format | keyof typeof DEFAULTS;

const ROW_FORMATS = Object.keys(TABLE) as readonly Format[];

/** The formats that `--output` accepts. */
export const FORMATS: readonly (Format | TextFormat)[] = [...ROW_FORMATS, ...TEXT_FORMATS];

/** What a command prints: what `--output` and `--fields` accept. */
export interface Printed {
  readonly formats: typeof FORMATS;
  /** The fields of the rows; none if what is printed has no rows. */
  readonly columns?: readonly string[];
  /** Whether the command prints rows only with `--output`. */
  readonly onRequest?: boolean;
}

/** The formats that commands print, by what they print. */
export const PRINTED_FORMATS = {
  courses: ROW_FORMATS,
  results: ["table", "tsv", "json", "ndjson", "csv", "id"],
  problems: ["human", "json", "github"],
  differences: ["human", "json", "ndjson", "id"],
  records: ["table", "tsv", "json", "ndjson", "csv"],
} as const satisfies Record<string, readonly (Format | TextFormat)[]>;

export const JSON_FORMAT: Format = "json";

export const REPORT_FORMATS = [
  ...(["junit", "sarif", "codequality"] as const),
  ...(["markdown", "html"] as const),
] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

const LAYOUTS: Readonly<Record<LayoutName, Layout>> = { ...TABLE, ...DEFAULTS };

/** The capabilities of a format, or of a layout that is only a default. */
export function capabilitiesOf(format: LayoutName): Omit<Layout, "create"> {
  return LAYOUTS[format];
}

/** Whether messages and errors are JSON lines, because the reader is a program. */
export function hasJsonMessages(format: Format | TextFormat | undefined): boolean {
  return format === "json" || format === "ndjson";
}

/** The layout if `--output` is missing. @param kind `single` for rows that were requested by name, as `get` does */
export function defaultLayout(kind: "list" | "single", isTerminal: boolean): LayoutName {
  if (kind === "list") return isTerminal ? "table" : "tsv";
  return isTerminal ? "blocks" : JSON_FORMAT;
}

const BUFFERED = 64 * 1024;
const ROWS_AT_ONCE = 16;

/**
 * Writes rows in a layout, at the end of each batch. If the text of a batch becomes long, a part of it is
 * written earlier, so that memory does not grow with the number of rows. Writes nothing before the first
 * row or the end.
 */
export async function createRenderer(
  layout: LayoutName,
  options: RenderOptions,
): Promise<Renderer> {
  const { out, isReport = false, isForPeople = out.isTerminal } = options;
  // On a terminal, every format is for people.
  const { create, isVerbatim } = LAYOUTS[layout];
  const kind = isVerbatim && !isForPeople ? "verbatim" : "data";
  const formatter = await create(options);
  const shown = (row: PlainObject): PlainObject =>
    isReport ? (maskValue(row, out.mask) as PlainObject) : row;
  return {
    async rows(batch) {
      let text = "";
      for (let start = 0; start < batch.length && !out.closed; start += ROWS_AT_ONCE) {
        text += await formatter.rows(batch.slice(start, start + ROWS_AT_ONCE).map(shown));
        if (text.length >= BUFFERED) {
          await out.write(text, kind);
          text = "";
        }
      }
      if (text !== "") await out.write(text, kind);
    },
    async end() {
      if (out.closed) return;
      const text = await formatter.end();
      if (text.length > 0) await out.write(text, kind);
    },
  };
}
