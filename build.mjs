/** Builds what is shipped: program and library as lazy parts, types, schema and manual page. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { licenseText } from "./scripts/licenses.mjs";
import { parts } from "./scripts/parts.mjs";
import { withSources } from "./scripts/sources.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

/** What stands in for a module of a package, by the package and the module's end. */
const STAND_INS = [
  // cli-table3 brings an older measure of text width, which would misalign some scripts.
  { importer: "cli-table3", source: /^string-width$/, file: "text-width.cjs" },
  // It would run commands that are programs of their own; we have none.
  { importer: "commander", source: /^node:child_process$/, file: "nothing.cjs" },
  // For what is never sent (forms) and never spoken (HTTP/2), it would load a quarter of Node.js.
  { importer: "undici", source: /\/web\/fetch\/body\.js$/, file: "nothing.cjs" },
  { importer: "undici", source: /\/client-h2\.js$/, file: "nothing.cjs" },
  { importer: "undici", source: /^node:http$/, file: "http.cjs" },
  { importer: "undici", source: /^node:assert$/, file: "assert.cjs" },
  // Ours read data; code that would run files stays out.
  { importer: "cosmiconfig", source: /^\.\/loaders$/, file: "nothing.cjs" },
];

await rm("dist", { recursive: true, force: true });
const { output } = await build({
  input: { main: "src/main.ts", library: "src/index.ts" },
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  plugins: [
    {
      name: "stand-ins",
      resolveId: (source, importer = "") => {
        const found = STAND_INS.find(
          (standIn) => importer.includes(standIn.importer) && standIn.source.test(source),
        );
        return found === undefined
          ? null
          : fileURLToPath(new URL(`scripts/${found.file}`, import.meta.url));
      },
    },
  ],
  transform: {
    target: "node20.18",
    define: { CATALOG_VERSION: JSON.stringify(version) },
  },
  output: {
    dir: "dist",
    // Node.js starts CommonJS in less time than ES modules: see CONTRIBUTING.md, "Start-up".
    format: "cjs",
    dynamicImportInCjs: false,
    minify: true,
    comments: { legal: false, annotation: false, jsdoc: false },
    entryFileNames: "[name].cjs",
    chunkFileNames: "parts/[name]-[hash].cjs",
    codeSplitting: parts(),
  },
});

// The library is for programs of ES modules, and shares its parts with the program.
const { exports: names } = output.find(({ fileName }) => fileName === "library.cjs");
await writeFile(
  "dist/index.js",
  `import library from "./library.cjs";\nexport const { ${names.join(", ")} } = library;\n`,
);

await build({
  input: { start: "src/start/start.ts" },
  platform: "node",
  transform: {
    target: "node20.18",
    define: {
      CATALOG_COMMANDS: JSON.stringify(
        await withSources({ "cli/registry.ts": ["COMMANDS"] }, words),
      ),
      CATALOG_BUILD: JSON.stringify(buildOf(output)),
    },
  },
  output: { dir: "dist", format: "cjs", minify: true, entryFileNames: "[name].cjs" },
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
/** The words that commands are called by, each with those that may follow it. */
function words({ COMMANDS }) {
  const namesOf = ({ name, alias }) => (alias === undefined ? [name] : [name, alias]);
  return Object.fromEntries(
    COMMANDS.flatMap((entry) =>
      namesOf(entry).map((name) => [name, (entry.commands ?? []).flatMap(namesOf)]),
    ),
  );
}

/** A word that is another one whenever some part of the program is. */
function buildOf(parts) {
  const hash = createHash("sha256");
  for (const { fileName, code = "" } of parts) hash.update(fileName).update(code);
  return hash.digest("hex").slice(0, 16);
}
