/** Builds what is shipped: the program and the library as lazily loaded parts, and their types. */
import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/main.ts", "src/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.18",
  minify: true,
  legalComments: "linked",
  define: { CATALOG_VERSION: JSON.stringify(version) },
  // Packages in the older module format ask for the system's modules with `require`.
  inject: ["scripts/require.mjs"],
  // cli-table3 brings an older measure of text width; the tests replace it the same way.
  alias: { "string-width": fileURLToPath(import.meta.resolve("string-width")) },
  chunkNames: "parts/[name]-[hash]",
  logLevel: "warning",
});

const tsc = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace(/package\.json$/, "bin/tsc");
execFileSync(process.execPath, [tsc, "--project", "tsconfig.types.json"], { stdio: "inherit" });
