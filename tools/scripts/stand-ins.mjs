/** What the bundle carries in the place of some modules of packages, since it never needs these. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** By the package that asks, and what it asks for: a file beside this one. */
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

/** The plugin that puts them in. */
export const standIns = {
  name: "stand-ins",
  resolveId: (source, importer = "") => {
    const found = STAND_INS.find(
      (standIn) => importer.includes(standIn.importer) && standIn.source.test(source),
    );
    return found === undefined ? null : fileURLToPath(new URL(found.file, import.meta.url));
  },
};

/** Who writes YAML: everybody else reads, and needs no writer. */
const WRITERS = /[\\/]src[\\/](course[\\/]starter|files[\\/]write-yaml|output[\\/]yaml)\.ts$/;
const WRITER = "?writer";

/** The plugin that keeps the half of js-yaml that writes apart from the one that reads. */
export const yamlWriterApart = {
  name: "yaml-writer-apart",
  resolveId: (source, importer = "") =>
    source === "js-yaml" && WRITERS.test(importer)
      ? `${fileURLToPath(import.meta.resolve(source))}${WRITER}`
      : null,
  load: (id) => (id.endsWith(WRITER) ? readFile(id.slice(0, -WRITER.length), "utf8") : null),
};

/**
 * The plugin that tells the bundler what js-yaml does not say: that its tags and schemas, of which we
 * use few, do nothing but be there. To make them all would take a short command a millisecond.
 */
export const yamlSchemasPure = {
  name: "yaml-schemas-pure",
  transform: (code, id) =>
    /[\\/]js-yaml[\\/]/.test(id)
      ? code.replace(/^var \w+ = (?=new Schema\(|\w+\.withTags\(|define\w+Tag\()/gm, `$&${PURE} `)
      : null,
};
const PURE = "/* @__PURE__ */";

/**
 * The plugin that lets undici's parser be read from a file of its own when it is needed: as a text
 * within the code it would be read, and kept among V8's code, twice over.
 */
export const parserApart = {
  name: "parser-apart",
  load(id) {
    const [, name] =
      /undici\/lib\/llhttp\/(llhttp\w*)-wasm\.js$/.exec(id.replaceAll("\\", "/")) ?? [];
    if (name === undefined) return null;
    this.emitFile({ type: "asset", fileName: `parts/${name}.wasm`, source: require(id) });
    return `module.exports = require("node:fs").readFileSync(\`\${__dirname}/${name}.wasm\`);`;
  },
};
