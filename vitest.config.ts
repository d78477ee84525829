import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // cli-table3 brings an older measure of text width; the build replaces it the same way.
    alias: { "string-width": fileURLToPath(import.meta.resolve("string-width")) },
  },
  test: {
    include: ["test/**/*.test.ts"],
    server: { deps: { inline: ["cli-table3"] } },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
