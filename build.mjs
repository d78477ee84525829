/** Builds the package: program, library, types, JSON Schema and manual page. */
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { BUNDLE, bundlePlugins, STYLE, VERSION } from "./tools/scripts/bundle-options.mjs";
import { compileCalledFunctions } from "./tools/scripts/eager-functions.mjs";
import { licenseText } from "./tools/scripts/licenses.mjs";
import { withSources } from "./tools/scripts/sources.mjs";

/** The path of a module below `src`. */
const sourceOf = (module) => fileURLToPath(new URL(`src/${module}.ts`, import.meta.url));

await rm("dist", { recursive: true, force: true });

/**
 * The modules of each chunk, which also contains all that they import, unless an earlier chunk does.
 * What short commands load is in few chunks, because each takes up to half a millisecond.
 */
const CHUNKS = {
  start: ["main"],
  run: [
    ...["cli/help", "cli/run", "settings/resolve", "settings/rule-levels"],
    ...["commands/courses/ls", "command-support/results"],
    ...["base/scan-json", "base/links", "files/bytes"],
  ],
  client: ["api/client", "settings/connection"],
  transport: ["api/undici-transport"],
  files: ["course/fields", "command-support/course-files", "commands/courses/check/check"],
};

// CommonJS starts faster than ES modules: see docs/start-up.md.
const program = await build({
  ...BUNDLE,
  plugins: bundlePlugins(),
  input: { main: "src/main.ts" },
  // Lets other chunks import from main.cjs, which would otherwise be split into seven files.
  preserveEntrySignatures: "allow-extension",
  output: {
    ...STYLE,
    dir: "dist",
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: {
      groups: Object.entries(CHUNKS).map(([name, modules], index, all) => ({
        name,
        test: (id) => modules.some((module) => id === sourceOf(module)),
        priority: all.length - index,
      })),
    },
  },
});
const bundled = new Set(program.output.flatMap(({ moduleIds }) => moduleIds ?? []));
for (const module of Object.values(CHUNKS).flat()) {
  if (!bundled.has(sourceOf(module)))
    throw new Error(`CHUNKS names ${module}, which is not bundled`);
}
await compileCalledFunctions();
const library = await build({
  ...BUNDLE,
  plugins: bundlePlugins(),
  input: { index: "src/index.ts" },
  output: { ...STYLE, dir: "dist", format: "esm", chunkFileNames: "library/[name]-[hash].js" },
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
    async ({ loadAllCommands, manPage }) => manPage(await loadAllCommands(), VERSION),
  ),
);
