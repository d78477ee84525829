/** Lists the output formats with what each can do, and writes rows in one of them. */
import { type TextKind, UNGUARDED } from "../base/io.ts";
import { escapeJson } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { Formatter, Renderer, RenderOptions } from "./renderer.ts";

/** The layouts of rows, which are loaded when rows are written. All but `blocks` are formats of `--output`. */
const LAYOUTS = {
  table: async (options) => (await import("./table.ts")).tableFormatter(options),
  tsv: async (options) => (await import("./renderer.ts")).tsvFormatter(options),
  json: async (options) => (await import("./renderer.ts")).jsonFormatter(options),
  ndjson: async (options) => (await import("./renderer.ts")).ndjsonFormatter(options),
  yaml: async (options) => (await import("./renderer.ts")).yamlFormatter(options),
  csv: async (options) => (await import("./renderer.ts")).csvFormatter(options),
  xlsx: async (options) => (await import("./workbook.ts")).xlsxFormatter(options),
  id: async () => (await import("./renderer.ts")).idFormatter(),
  /** The default of `get` on a terminal. */
  blocks: async (options) => (await import("./table.ts")).blocksFormatter(options),
} satisfies Record<string, (options: RenderOptions) => Promise<Formatter>>;

/** The name of a format, or of a layout that is only a default. */
export type LayoutName = keyof typeof LAYOUTS;

/** A format of rows that `--output` accepts. */
export type Format = Exclude<LayoutName, "blocks">;

/** The format of a workbook for spreadsheet programs, which is written only if it is complete. */
export const WORKBOOK: Format = "xlsx";

/** Formats in which no escape has the same meaning; the others are `data`. */
const KINDS: Partial<Record<LayoutName, TextKind>> = { tsv: "lines", csv: "verbatim" };

/** The formats of `--output` that print text instead of rows: for people, and annotations for GitHub. */
const TEXT_FORMATS = ["human", "github"] as const;

type TextFormat = (typeof TEXT_FORMATS)[number];

export const ROW_FORMATS = Object.keys(LAYOUTS).filter((name): name is Format => name !== "blocks");

/** The formats that `--output` accepts. */
export const FORMATS: readonly (Format | TextFormat)[] = [...ROW_FORMATS, ...TEXT_FORMATS];

/** What a command prints: what `--output` and `--fields` accept. */
export interface Printed {
  readonly formats: typeof FORMATS;
  /** The fields of the rows; none if what is printed has no rows. */
  readonly columns?: readonly string[];
  /** Whether the rows can have a value at a path below a column; by default, they can. */
  readonly hasPath?: (path: Path) => boolean;
  /** The path that another one may mean. */
  readonly suggestPath?: (path: Path) => string | undefined;
  /** Whether rows are printed only with `--output` or `--json`. */
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

export const REPORT_FORMATS = ["junit", "sarif", "codequality", "markdown", "html"] as const;

/** The formats of the reports of `check`, which can give a table back. */
export const CHECK_REPORTS = [...REPORT_FORMATS, "xlsx", "csv"] as const;

export type ReportFormat = (typeof CHECK_REPORTS)[number];

/** Whether messages and errors are JSON lines, because the reader is a program. */
export function hasJsonMessages(format: unknown): boolean {
  return format === "json" || format === "ndjson";
}

const ROWS_AT_ONCE = 50;

/**
 * Writes rows in a layout, some at once, so that memory does not grow with the text of all rows. Writes nothing before the
 * first row or the end.
 */
export async function createRenderer(
  layout: LayoutName,
  options: RenderOptions,
): Promise<Renderer> {
  const { out } = options;
  // On a terminal, every format is for people.
  const kind = out.isTerminal ? "data" : (KINDS[layout] ?? "data");
  const formatter = await LAYOUTS[layout](options);
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (text.length > 0 && !out.closed) await out.write(text, kind);
  };
  return {
    async rows(batch) {
      for (let start = 0; start < batch.length && !out.closed; start += ROWS_AT_ONCE) {
        await write(await formatter.rows(batch.slice(start, start + ROWS_AT_ONCE)));
      }
    },
    end: async () => await write(out.closed ? "" : await formatter.end()),
  };
}

/** Collects rows; `end` gives the content of a file with all of them. */
export async function createRowFile(format: Format, options: Omit<RenderOptions, "out">) {
  const parts: Uint8Array[] = [];
  const out: RenderOptions["out"] = {
    ...UNGUARDED,
    isTerminal: false,
    columns: Number.POSITIVE_INFINITY,
    closed: false,
    write: async (text, kind) => {
      if (typeof text !== "string") parts.push(text);
      else parts.push(Buffer.from(kind === "verbatim" ? text : escapeJson(text)));
    },
  };
  const renderer = await createRenderer(format, { ...options, out });
  return {
    rows: renderer.rows,
    end: async (): Promise<Uint8Array> => {
      await renderer.end();
      return Buffer.concat(parts);
    },
  };
}
