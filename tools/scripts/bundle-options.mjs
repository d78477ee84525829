/** The options with which all programs for users are bundled. */
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
  // A warning fails the build, for example about a dynamic import that is a static import elsewhere.
  onLog: (level, log) => {
    if (level === "warn") throw new Error(log.message);
  },
  // Except warnings about a slow build, which depends on the machine.
  checks: { bundlerTimings: false },
  plugins: [rawText()],
  resolve: {
    // jsonc-parser's main file is UMD, which cannot be bundled.
    mainFields: ["module", "main"],
    alias: {
      // cosmiconfig's loaders run JavaScript and TypeScript, but config files contain only data.
      "./loaders": false,
      // Only the agent and the request of undici are used (docs/contributing/start-up.md).
      undici$: fileURLToPath(new URL("undici.cjs", import.meta.url)),
      // HTTP/2 of undici is off, and would load node:http2 at every start (docs/contributing/start-up.md).
      "./client-h2.js": false,
      // The published build for browsers is written without object spread, which Node.js 20 runs slowly.
      "js-yaml": fileURLToPath(import.meta.resolve("js-yaml/browser")),
      // cli-table3 must measure text as we do, and needs no colors.
      "string-width": fileURLToPath(new URL("string-width.cjs", import.meta.url)),
      "@colors/colors/safe": false,
      // commander starts programs only for subcommands that are separate programs.
      "node:child_process": false,
    },
  },
  transform: { target: "node20.18", define: { CATALOG_VERSION: JSON.stringify(version) } },
};

/** Options of the output of a bundle. */
export const STYLE = {
  minify: true,
  comments: { legal: false, annotation: false, jsdoc: false },
};
