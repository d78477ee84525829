/** Modules of packages that the bundle replaces. Their packages are pinned to exact versions. */

/** Each by the package that imports it, what it imports, and the code that it gets instead. */
const SUBSTITUTIONS = [
  // Safety: configuration is data, so the loaders that run JavaScript and TypeScript are left out.
  { importer: "cosmiconfig", source: "./loaders", code: "module.exports = {};" },
  // Start-up: these load parts of Node.js that we never use. docs/start-up.md has the measurements.
  { importer: "commander", source: "node:child_process", code: "module.exports = {};" },
  { importer: "undici", source: "./client-h2.js", code: "module.exports = {};" },
  // It opens standard error at once, to find out whether that shows colors.
  {
    ...{ importer: "undici", source: "node:assert" },
    code: 'module.exports = (ok, message = "assertion failed") => { if (!ok) throw message instanceof Error ? message : new Error(message); };',
  },
  // undici only uses the default of a setting from it: 16 KiB of response headers.
  {
    ...{ importer: "undici", source: "node:http" },
    code: "module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} };",
  },
];

const ID = /^\0substitution-(\d+)\.cjs$/;

/**
 * The rolldown plugin that replaces them.
 *
 * @throws Error at the end of a bundle that includes such a package but does not import the module: the
 *   package has changed, and the substitution must be checked
 */
export function substitutions() {
  const bundled = new Set();
  const replaced = new Set();
  return {
    name: "substitutions",
    resolveId(source, importer = "") {
      const path = importer.replaceAll("\\", "/");
      const index = SUBSTITUTIONS.findIndex(({ importer: name }, index) => {
        if (!path.includes(`/node_modules/${name}/`)) return false;
        bundled.add(index);
        return SUBSTITUTIONS[index].source === source;
      });
      if (index === -1) return null;
      replaced.add(index);
      return `\0substitution-${index}.cjs`;
    },
    load(id) {
      const [, index] = ID.exec(id) ?? [];
      return index === undefined ? null : SUBSTITUTIONS[index].code;
    },
    buildEnd() {
      const [missing] = [...bundled].filter((index) => !replaced.has(index));
      if (missing === undefined) return;
      const { importer, source } = SUBSTITUTIONS[missing];
      throw new Error(`${importer} no longer imports ${source}: check the substitution`);
    },
  };
}
