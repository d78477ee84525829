/** The rolldown plugin for imports that end in `?raw`: the text of a file, as Vite imports it for the tests. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";

const SUFFIX = "?raw";

export function rawText() {
  return {
    name: "raw-text",
    resolveId(source, importer = "") {
      if (!source.endsWith(SUFFIX)) return null;
      if (source.startsWith(".")) return resolve(dirname(importer), source);
      const file = createRequire(importer).resolve(source.slice(0, -SUFFIX.length));
      return `${file}${SUFFIX}`;
    },
    load(id) {
      if (!id.endsWith(SUFFIX)) return null;
      const text = readFileSync(id.slice(0, -SUFFIX.length), "utf8");
      return { code: `export default ${JSON.stringify(text)};`, moduleType: "js" };
    },
  };
}
