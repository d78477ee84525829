/** The styles of course files in tests of positions. */
import type { Layout } from "./position-writer.ts";

const WORDS = /^\p{L}(?:[\p{L}\p{N}_./-]|:(?=\/)| (?=\p{L}))*$/u;

/** A value in YAML with as few quotes as possible. */
function plain(value: unknown): string {
  const isPlain = typeof value === "string" && !/^(true|false|null)$/i.test(value);
  return isPlain && WORDS.test(value) ? value : JSON.stringify(value);
}

function singleQuoted(value: unknown): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function tagOf(value: unknown): string {
  if (value === null) return "!!null ";
  if (typeof value === "string") return "!!str ";
  if (typeof value === "boolean") return "!!bool ";
  if (typeof value === "number") return Number.isInteger(value) ? "!!int " : "!!float ";
  return Array.isArray(value) ? "!!seq " : "!!map ";
}

const BLOCKS: Layout = { form: "blocks", key: plain, scalar: plain };
const FLOW: Layout = { form: "brackets", key: plain, scalar: plain, gap: " " };
const LINE: Layout = { form: "brackets", key: JSON.stringify, scalar: JSON.stringify };
const TABS: Layout = { ...LINE, indent: "\t", gap: " " };
const CRLF = { newline: "\r\n" };
const LIST = { several: "list" } as const;

/** A named way to write a file. */
export interface Style {
  readonly style: string;
  readonly extension: "yaml" | "json";
  readonly layout: Layout;
}

const yaml = (style: string, manner: Layout): Style => ({
  style,
  extension: "yaml",
  layout: manner,
});
const json = (style: string, manner: Layout): Style => ({
  style,
  extension: "json",
  layout: manner,
});

/** The ways in which people and programs write course files. */
export const STYLES: readonly Style[] = [
  yaml("YAML in blocks", BLOCKS),
  yaml("YAML on one line, after a byte order mark", { ...FLOW, marked: true }),
  json("JSON on one line", LINE),
  json("JSON with tabs, after a byte order mark", { ...TABS, marked: true }),
  yaml("a YAML list", { ...BLOCKS, ...LIST }),
  yaml("a YAML list on one line", { ...FLOW, ...LIST }),
  yaml("a YAML list in brackets over many lines", { ...FLOW, ...LIST, indent: "  " }),
  yaml("a JSON list in a YAML file", { ...TABS, ...LIST }),
  yaml("YAML documents", { ...BLOCKS, several: "documents" }),
  yaml("YAML documents on one line each", { ...FLOW, several: "documents" }),
  yaml("YAML with CRLF", { ...BLOCKS, ...LIST, ...CRLF }),
  yaml("YAML documents with CRLF", { ...BLOCKS, ...CRLF, several: "documents" }),
  yaml("YAML with a byte order mark", { ...BLOCKS, ...LIST, marked: true }),
  yaml("YAML with comments and blank lines", {
    ...BLOCKS,
    ...LIST,
    before: () => "  ",
    after: ["   # 編み物 🧶", "", "# name: no value", ""],
  }),
  yaml("YAML with keys in double quotes", { ...BLOCKS, ...LIST, key: JSON.stringify }),
  yaml("YAML in single quotes", { ...BLOCKS, ...LIST, key: singleQuoted, scalar: singleQuoted }),
  yaml("YAML with explicit keys", { ...BLOCKS, ...LIST, explicitKeys: true }),
  yaml("YAML with anchors of wide characters", { ...BLOCKS, ...LIST, before: () => "&編🧶 " }),
  yaml("YAML with tags", { ...BLOCKS, ...LIST, before: tagOf }),
  yaml("YAML with nothing for null", {
    ...BLOCKS,
    ...LIST,
    scalar: (value) => (value === null ? "" : plain(value)),
    after: ["   # - a: }", "", "# - b: ]", ""],
  }),
  json("a JSON list on one line", { ...LINE, ...LIST }),
  json("a JSON list with tabs and CRLF", { ...TABS, ...LIST, ...CRLF }),
  json("a JSON list with a byte order mark", { ...TABS, ...LIST, marked: true }),
];
