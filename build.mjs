/** Builds what is shipped: the program and the library as lazily loaded parts, and their types. */
import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

await rm("dist", { recursive: true, force: true });
await build({
  input: { main: "src/main.ts", index: "src/index.ts" },
  platform: "node",
  plugins: [
    {
      // cli-table3 brings an older measure of text width, which would misalign some scripts.
      name: "one-text-width",
      resolveId: (source, importer) =>
        source === "string-width" && importer?.includes("cli-table3")
          ? fileURLToPath(new URL("scripts/text-width.cjs", import.meta.url))
          : null,
    },
  ],
  transform: {
    target: "node20.18",
    define: { CATALOG_VERSION: JSON.stringify(version) },
  },
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    comments: { legal: false, annotation: false, jsdoc: false },
    chunkFileNames: "parts/[name]-[hash].js",
  },
});

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
  /package\.json$/,
  "bin/tsc",
);
execFileSync(process.execPath, [tsc, "--project", "tsconfig.types.json"], { stdio: "inherit" });
