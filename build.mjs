/** Builds what is shipped: program and library as lazy parts, types, schema and manual page. */
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { licenseText } from "./scripts/licenses.mjs";
import { withSources } from "./scripts/sources.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

await rm("dist", { recursive: true, force: true });
const { output } = await build({
  input: { main: "src/main.ts", index: "src/index.ts" },
  platform: "node",
  plugins: [
    {
      name: "stand-ins",
      resolveId: (source, importer = "") => {
        // cli-table3 brings an older measure of text width, which would misalign some scripts.
        if (source === "string-width" && importer.includes("cli-table3")) {
          return standIn("text-width.cjs");
        }
        return source === "./loaders" && importer.includes("cosmiconfig")
          ? standIn("no-loaders.cjs")
          : null;
      },
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

const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licenseText(modules));

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
  /package\.json$/,
  "bin/tsc",
);
execFileSync(process.execPath, [tsc, "--project", "tsconfig.types.json"], { stdio: "inherit" });

await writeFile(
  "dist/course.schema.json",
  execFileSync(process.execPath, ["bin/catalog.js", "schema"]),
);

const page = await withSources(
  { "cli/reference.ts": ["loadReference"], "cli/reference-man.ts": ["manPage"] },
  async ({ loadReference, manPage }) => manPage(await loadReference(), version),
);
await writeFile("dist/catalog.1", page);

function standIn(name) {
  return fileURLToPath(new URL(`scripts/${name}`, import.meta.url));
}
