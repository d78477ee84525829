/** Names the formats of `--output`, and chooses one where none is asked for (cli.md section 3). */

/** The formats that `--output` takes. */
export const FORMATS = ["table", "json", "ndjson", "yaml", "csv", "id"] as const;

/** A format that can be asked for. */
export type Format = (typeof FORMATS)[number];

/** A way to lay out rows: a format, tab-separated lines, or a readable block a row. */
export type Layout = Format | "lines" | "blocks";

/**
 * The layout where no format was asked for.
 *
 * @param kind `single` for things asked for by name, as `get` does
 */
export function defaultLayout(kind: "list" | "single", isTerminal: boolean): Layout {
  if (kind === "list") return isTerminal ? "table" : "lines";
  return isTerminal ? "blocks" : "json";
}
