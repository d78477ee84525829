/** Prints rows as YAML that means the same to readers of version 1.1 and 1.2. */
import type { DumpOptions, ScalarStyleRule } from "js-yaml";
import { escapeLine } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { columnsNamed, project } from "./cells.ts";
import { terminalJson } from "./json.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** A sequence, item by item, or with `single` one object. Long text becomes block scalars. */
export async function yamlFormatter(options: RenderOptions): Promise<Formatter> {
  const { dump, DEFAULT_SCALAR_STYLE_RULES, SCALAR_STYLE } = await import("js-yaml");
  const { out, fields, single = false } = options;
  const columns = fields === undefined ? undefined : columnsNamed(fields);
  const quoteUnsafe: ScalarStyleRule = (layout) => {
    if (!isSafe(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
  };
  const dumping: DumpOptions = {
    noRefs: true,
    skipInvalid: true,
    scalarStyleRules: [
      ...(out.isTerminal ? [quoteUnsafe] : []),
      ...Object.values(DEFAULT_SCALAR_STYLE_RULES),
    ],
  };
  const write = (row: PlainObject): string => {
    const shown = columns === undefined ? row : project(row, columns);
    const value = single ? shown : [shown];
    const text = longAsJson(value) ?? dump(value, dumping);
    // Unsafe characters are in double quotes now, where the escapes are those of JSON.
    return out.isTerminal ? terminalJson(text) : text;
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

/** The value as JSON, which is also YAML, if js-yaml could run out of stack on its long texts. */
function longAsJson(value: PlainObject | readonly PlainObject[]): string | undefined {
  const json = JSON.stringify(value);
  if (json.length <= MAX_DUMPED) return undefined;
  return isObject(value) ? `${json}\n` : `- ${json.slice(1, -1)}\n`;
}

const MAX_DUMPED = 500_000;

function isSafe(text: string): boolean {
  const spaced = text.replaceAll("\n", " ");
  return escapeLine(spaced) === spaced;
}
