/** Prints rows as YAML that means the same to readers of version 1.1 and 1.2. */
import type { PlainObject } from "../base/values.ts";
import { columnsNamed, project } from "./cells.ts";
import { terminalJson } from "./json.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** A sequence, item by item, or with `single` one object. Long text becomes block scalars. */
export async function yamlFormatter(options: RenderOptions): Promise<Formatter> {
  const { dump } = await import("js-yaml");
  const { out, fields, single = false } = options;
  const columns = fields === undefined ? undefined : columnsNamed(fields);
  const write = (row: PlainObject): string => {
    const shown = columns === undefined ? row : project(row, columns);
    const json = JSON.stringify(shown);
    const safe = out.isTerminal ? terminalJson(json) : json;
    // JSON is YAML, too: its escapes are safe on a terminal, and long text needs less memory.
    if (json.length > MAX_DUMPED || safe !== json) return single ? `${safe}\n` : `- ${safe}\n`;
    return dump(single ? shown : [shown], { noRefs: true, skipInvalid: true });
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

/** Characters of a row, as JSON. */
const MAX_DUMPED = 500_000;
