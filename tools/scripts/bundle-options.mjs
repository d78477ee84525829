/** How everything that users run is bundled. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rawText } from "./raw-text.mjs";

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

/** The version of the package. */
export const VERSION = version;

/** Options of a rolldown bundle. */
export const BUNDLE = {
  platform: "node",
  // A warning fails the build: for example, of a dynamic import that is loaded statically elsewhere.
  onLog: (level, log) => {
    if (level === "warn") throw new Error(log.message);
  },
  // How long the build takes depends on the machine, and is no mistake.
  checks: { bundlerTimings: false },
  plugins: [rawText()],
  resolve: {
    // jsonc-parser's main file is UMD, which cannot be bundled.
    mainFields: ["module", "main"],
    alias: {
      // cosmiconfig's loaders run JavaScript and TypeScript; ours read data.
      "./loaders": false,
      // undici's HTTP/2, which is off: it would load node:http2 at every start. See docs/contributing/start-up.md.
      "./client-h2.js": false,
      // cli-table3 measures as we do, and colors nothing itself.
      "string-width": fileURLToPath(new URL("string-width.cjs", import.meta.url)),
      "@colors/colors/safe": false,
    },
  },
  transform: { target: "node20.18", define: { CATALOG_VERSION: JSON.stringify(version) } },
};

/** Options of its output. */
export const STYLE = {
  minify: true,
  comments: { legal: false, annotation: false, jsdoc: false },
};
