import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { rawText } from "./tools/scripts/raw-text.mjs";

export default defineConfig({
  plugins: [rawText()],
  test: {
    include: ["test/**/*.test.ts"],
    // These need Chromium: npm run test:browser.
    exclude: ["test/browser/**"],
    globalSetup: ["test/left-out.ts"],
    setupFiles: ["test/cli-table3.ts", "test/random.ts"],
    // Tests of the built program wait for child processes; meanwhile another worker uses the core.
    maxWorkers: availableParallelism() + 1,
    // Otherwise the style of pages would be empty.
    css: true,
    pool: "threads",
    // No module keeps state, so that test files can share what is loaded.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 20_000,
  },
});
