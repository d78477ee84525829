/** Bundles the properties of fuzz/ with the sources: Node.js 20 cannot load TypeScript. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

/** Where packages are found from, so that none of them is bundled. */
const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * @param use is given the URL of a module that exports the properties, which is there until it ends
 * @returns what `use` returns
 */
export async function withProperties(use) {
  const folder = await mkdtemp(join(PACKAGES, ".fuzz-"));
  try {
    await build({
      input: fileURLToPath(new URL("../fuzz/entry.ts", import.meta.url)),
      platform: "node",
      external: /^[\w@]/,
      plugins: [
        {
          name: "places",
          // What reads files beside itself is to find them from where it was written.
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
