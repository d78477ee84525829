/** Builds what is shipped: program and library as lazy parts, types, schema and manual page. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { inAscii } from "./tools/scripts/ascii.mjs";
import { licenseText } from "./tools/scripts/licenses.mjs";
import { parts } from "./tools/scripts/parts.mjs";
import { withSources } from "./tools/scripts/sources.mjs";
import {
  parserApart,
  standIns,
  yamlSchemasPure,
  yamlWriterApart,
} from "./tools/scripts/stand-ins.mjs";

const { version } = JSON.parse(await readFile("package.json", "utf8"));

const shared = {
  platform: "node",
  transform: { target: "node20.18", define: { CATALOG_VERSION: JSON.stringify(version) } },
};
const style = { minify: true, comments: { legal: false, annotation: false, jsdoc: false } };

await rm("dist", { recursive: true, force: true });

// CommonJS starts in less time than ES modules: see CONTRIBUTING.md, "Start-up".
const program = await build({
  ...shared,
  input: { main: "src/main.ts" },
  preserveEntrySignatures: "allow-extension",
  plugins: [standIns, parserApart, yamlWriterApart, yamlSchemasPure],
  output: {
    ...style,
    dir: "dist",
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "parts/[name].cjs",
    chunkFileNames: "parts/[name]-[hash].cjs",
    codeSplitting: parts(),
  },
});
// As `src/start/parts.ts` runs them, which would otherwise have to copy them.
const parted = program.output.map(({ type, fileName, code, source }) => ({
  fileName,
  content: type === "chunk" ? wrapped(code) : source,
}));
for (const { fileName, content } of parted) await writeFile(`dist/${fileName}`, content);

const commands = await withSources({ "cli/command-tree.ts": ["COMMANDS"] }, words);
const known = { CATALOG_COMMANDS: commands, CATALOG_BUILD: buildOf(parted) };
// Each alone, so that neither loads a file that they share.
for (const name of ["start"]) {
  const { output } = await build({
    platform: "node",
    input: { [name]: `src/start/${name}.ts` },
    transform: {
      target: "node20.18",
      define: Object.fromEntries(
        Object.entries(known).map(([word, value]) => [word, JSON.stringify(value)]),
      ),
    },
    output: { ...style, dir: "dist", format: "cjs", entryFileNames: "[name].cjs" },
  });
  if (name === "start") await writeFile("dist/start.cjs", wrapped(output[0].code));
}

const library = await build({
  ...shared,
  input: { index: "src/index.ts" },
  plugins: [standIns],
  output: { ...style, dir: "dist", format: "esm", chunkFileNames: "library/[name]-[hash].js" },
});

const modules = [...program.output, ...library.output].flatMap((part) =>
  part.type === "chunk" ? part.moduleIds : [],
);
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
  { "cli/command-tree.ts": ["loadAllCommands"], "cli/man-page.ts": ["manPage"] },
  async ({ loadAllCommands, manPage }) => manPage(await loadAllCommands(), version),
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

function wrapped(code) {
  return `(function(exports,require,module,__dirname){${inAscii(code)}\n})`;
}

/** A word that is another one whenever some part of the program is. */
function buildOf(parted) {
  const hash = createHash("sha256");
  for (const { fileName, content } of parted) hash.update(fileName).update(content);
  return hash.digest("hex").slice(0, 16);
}
