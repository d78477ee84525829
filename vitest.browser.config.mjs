import { defineConfig } from "vitest/config";
import { rawText } from "./tools/scripts/raw-text.mjs";

/** The tests of pages in Chromium. */
export default defineConfig({
  plugins: [rawText()],
  test: {
    include: ["test/browser/**/*.test.ts"],
    // Otherwise the style of pages would be empty.
    css: true,
    pool: "threads",
    isolate: false,
    // Each file starts a separate browser.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
