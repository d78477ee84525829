/** Checks that the tests of the built program detect a key in an output. */
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { start } from "./rig.ts";

const PRINT = ["-e", 'console.error("so", process.argv[1], "it is")'];

test.fails.each([
  [
    "the key of its environment",
    "planted.fedcba9876543210",
    { environment: { CATALOG_API_KEY: "planted.fedcba9876543210" } },
  ],
  ["a key of its options", "planted.fedcba9876543210", { keys: ["planted.fedcba9876543210"] }],
  ["the sandbox's key", DEFAULT_KEY.slice(8), {}],
])("a built process that prints a key fails its test: %s", async (_, shown, options) => {
  await (await start(process.execPath, [...PRINT, shown], options)).ended;
});

test.fails("a built process that prints a key fails its test even if the process is not awaited", async () => {
  const running = await start(process.execPath, [...PRINT, DEFAULT_KEY]);
  await running.waitForStderr(/it is/);
});

test("a built process whose output contains no key does not fail its test", async () => {
  const ended = await (await start(process.execPath, [...PRINT, "nothing"])).ended;
  expect(ended.stderr).toBe("so nothing it is\n");
});
