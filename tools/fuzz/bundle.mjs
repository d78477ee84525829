/** Bundles the properties with the sources, because Node.js 20 cannot load TypeScript. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { rawText } from "../scripts/raw-text.mjs";

/** The folder of the bundle, next to the packages, so that the bundle can import them. */
const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * @param use called with the URL of a module that exports the properties, and that exists until `use` ends
 * @returns the result of `use`
 */
export async function withProperties(use) {
  const folder = await mkdtemp(join(PACKAGES, ".fuzz-"));
  try {
    await build({
      input: fileURLToPath(new URL("./entry.ts", import.meta.url)),
      platform: "node",
      resolve: { mainFields: ["module", "main"] },
      external: /^[\w@]/,
      plugins: [
        rawText(),
        {
          name: "places",
          // Modules that read files next to themselves must find them from the bundle.
          transform: (code, id) =>
            code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
        },
      ],
      output: { dir: folder, format: "esm", entryFileNames: "entry.mjs" },
      logLevel: "silent",
    });
    return await use(pathToFileURL(join(folder, "entry.mjs")).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
