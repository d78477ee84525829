/** Loads values from the sources, bundled in memory: Node.js 20 cannot load TypeScript. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { rawText } from "./raw-text.mjs";

const ENTRY = "sources-entry";

/**
 * @param wanted the names to load, by the path of their file below src/
 * @param use called with the values by their names; the bundle exists until `use` ends
 * @returns the result of `use`
 */
export async function withSources(wanted, use) {
  const code = Object.entries(wanted).map(([file, names]) => {
    const path = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
    return `export { ${names.join(", ")} } from ${JSON.stringify(path)};`;
  });
  const folder = await mkdtemp(join(tmpdir(), "catalog-sources-"));
  try {
    await build({
      input: ENTRY,
      platform: "node",
      resolve: { mainFields: ["module", "main"] },
      plugins: [
        rawText(),
        {
          name: "entry",
          resolveId: (source) => (source === ENTRY ? ENTRY : null),
          load: (id) => (id === ENTRY ? code.join("\n") : null),
        },
      ],
      output: {
        dir: folder,
        format: "esm",
        entryFileNames: "[name].mjs",
        chunkFileNames: "[name]-[hash].mjs",
      },
      logLevel: "silent",
    });
    return await use(await import(pathToFileURL(join(folder, `${ENTRY}.mjs`)).href));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
