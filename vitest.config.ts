import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Some tests wait for child processes, so that a worker a core keeps all cores busy.
    maxWorkers: "100%",
    pool: "threads",
    // No module keeps state, so that test files can share what is loaded.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
