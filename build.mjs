/** Builds the package: program, library, types, JSON Schemas. */
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { BUNDLE, STYLE } from "./tools/scripts/bundle-options.mjs";
import { licenseText } from "./tools/scripts/licenses.mjs";

await rm("dist", { recursive: true, force: true });

// A file of each part that commands load as a whole, with all that it imports: many small files take longer to load.
const PARTS = ["main", "program/run", "program/context", "commands/courses/ls", "files/load"];
const GROUPS = PARTS.map((part) => ({
  name: part.replaceAll("/", "-"),
  test: new RegExp(`/src/${part}\\.ts$`),
}));

// CommonJS starts faster than ES modules: see docs/contributing/start-up.md.
const program = await build({
  ...BUNDLE,
  input: { main: "src/main.ts" },
  output: {
    ...STYLE,
    dir: "dist",
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: { groups: GROUPS },
  },
});
const library = await build({
  ...BUNDLE,
  input: { index: "src/index.ts" },
  output: { ...STYLE, dir: "dist", format: "esm", chunkFileNames: "library/[name]-[hash].js" },
});

// What the program contains as text, for its worker thread.
const workers = await build({
  ...BUNDLE,
  input: ["src/files/workbook-worker.ts"],
  write: false,
});

const modules = [program, library, workers]
  .flatMap(({ output }) => output)
  .flatMap((output) => (output.type === "chunk" ? output.moduleIds : []));
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licenseText(modules));

const tsc = fileURLToPath(new URL("bin/tsc", import.meta.resolve("typescript/package.json")));
execFileSync(process.execPath, [tsc, "--project", "tsconfig.types.json"], { stdio: "inherit" });

await writeFile(
  "dist/course.schema.json",
  execFileSync(process.execPath, ["bin/catalog.js", "schema"]),
);
await mkdir("dist/schemas");
for (const name of ["partial", "defaults"]) {
  const text = execFileSync(process.execPath, ["bin/catalog.js", "schema", name]);
  await writeFile(`dist/schemas/${name}.schema.json`, text);
}
