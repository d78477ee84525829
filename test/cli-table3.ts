/** Gives cli-table3 the same string-width as the build does: see tools/scripts/string-width.cjs. */
import { createRequire, Module } from "node:module";
import stringWidth from "string-width";

const require = createRequire(import.meta.url);
const path = createRequire(require.resolve("cli-table3")).resolve("string-width");
require.cache[path] = Object.assign(new Module(path), { exports: stringWidth, loaded: true });
