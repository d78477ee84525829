/** Builds the package: program, library, types, JSON Schema and manual page. */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { licenseText } from "./tools/scripts/licenses.mjs";
import { rawText } from "./tools/scripts/raw-text.mjs";
import { withSources } from "./tools/scripts/sources.mjs";
import { substitutions } from "./tools/scripts/substitutions.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

const shared = {
  platform: "node",
  // A warning fails the build: for example, of a dynamic import that is loaded statically elsewhere.
  onLog: (level, log) => {
    if (level === "warn") throw new Error(log.message);
  },
  // jsonc-parser's main file is UMD, which cannot be bundled.
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "node20.18", define: { CATALOG_VERSION: JSON.stringify(version) } },
};
const style = { minify: true, comments: { legal: false, annotation: false, jsdoc: false } };

await rm("dist", { recursive: true, force: true });

// CommonJS starts faster than ES modules: see CONTRIBUTING.md, "Start-up".
const program = await build({
  ...shared,
  plugins: [substitutions(), rawText()],
  input: { main: "src/main.ts" },
  // Lets other chunks import from main.cjs, which would otherwise be split into seven files.
  preserveEntrySignatures: "allow-extension",
  output: {
    ...style,
    dir: "dist",
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
  },
});
const library = await build({
  ...shared,
  plugins: [substitutions(), rawText()],
  input: { index: "src/index.ts" },
  output: { ...style, dir: "dist", format: "esm", chunkFileNames: "library/[name]-[hash].js" },
});

const modules = [...program.output, ...library.output].flatMap((output) =>
  output.type === "chunk" ? output.moduleIds : [],
);
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licenseText(modules));

const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
execFileSync(process.execPath, [tsc, "--project", "tsconfig.types.json"], { stdio: "inherit" });

await writeFile(
  "dist/course.schema.json",
  execFileSync(process.execPath, ["bin/catalog.js", "schema"]),
);
await mkdir("dist/schemas");
await withSources({ "output/shapes.ts": ["SHAPE_NAMES", "shapeSchema"] }, async (shapes) => {
  for (const name of shapes.SHAPE_NAMES) {
    const text = JSON.stringify(shapes.shapeSchema(name), null, 2);
    await writeFile(`dist/schemas/${name}.schema.json`, `${text}\n`);
  }
});
await writeFile(
  "dist/catalog.1",
  await withSources(
    { "cli/command-tree.ts": ["loadAllCommands"], "../tools/documents/man-page.ts": ["manPage"] },
    async ({ loadAllCommands, manPage }) => manPage(await loadAllCommands(), version),
  ),
);
