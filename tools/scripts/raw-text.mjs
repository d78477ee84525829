/**
 * The plugin of rolldown and Vite for two kinds of imports: `?raw` is the text of a file, and `?bundle` is the text of
 * a script that contains a file with all of its imports, and that a worker thread can run.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { build } from "rolldown";

const IMPORT = /^(?<file>\..*|\/.*|[A-Za-z]:.*)\?(?<kind>raw|bundle)$/;

export function rawText() {
  return {
    name: "raw-text",
    enforce: "pre",
    resolveId(source, importer = "") {
      return IMPORT.test(source) ? resolve(dirname(importer), source) : null;
    },
    async load(id) {
      const { file, kind } = IMPORT.exec(id)?.groups ?? {};
      if (file === undefined) return null;
      const text = kind === "raw" ? await readFile(file, "utf8") : await bundle(file);
      return { code: `export default ${JSON.stringify(text)};`, moduleType: "js" };
    },
  };
}

async function bundle(file) {
  const { output } = await build({
    input: file,
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20.18" },
    plugins: [rawText()],
    output: { format: "cjs", minify: true, codeSplitting: false },
    write: false,
  });
  return output[0].code;
}
