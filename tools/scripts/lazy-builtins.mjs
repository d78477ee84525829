/**
 * The rolldown plugin that loads modules of Node.js where they are first used. In a bundle of one file, all of
 * them would be loaded at the start: see docs/contributing/start-up.md.
 */
import { isBuiltin } from "node:module";

const PREFIX = "\0builtin-";

export function lazyBuiltins() {
  return {
    name: "lazy-builtins",
    resolveId(source, importer = "") {
      if (!isBuiltin(source)) return null;
      if (importer.startsWith(PREFIX)) return { id: source, external: true };
      return `${PREFIX}${source.replace(/^node:/, "")}.cjs`;
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const name = `node:${id.slice(PREFIX.length, -".cjs".length)}`;
      return `module.exports = require(${JSON.stringify(name)});`;
    },
  };
}
