/**
 * The rolldown plugin that loads modules of Node.js at their first use. Without it, a bundle would load all of them at
 * the start (docs/contributing/start-up.md).
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
