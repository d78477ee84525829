/** Whether the tests of the built program would notice a key in an output. */
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { start } from "./rig.ts";

const PRINT = ["-e", 'console.error("so", process.argv[1], "it is")'];

test.fails.each([
  [
    "that of its environment",
    "planted.fedcba9876543210",
    { environment: { CATALOG_API_KEY: "planted.fedcba9876543210" } },
  ],
  ["one that it was told of", "planted.fedcba9876543210", { keys: ["planted.fedcba9876543210"] }],
  ["the sandbox's", DEFAULT_KEY.slice(8), {}],
])("a process that shows a key fails its test: %s", async (_, shown, options) => {
  await (await start(process.execPath, [...PRINT, shown], options)).ended;
});

test.fails("so does one whose end nobody waits for", async () => {
  const running = await start(process.execPath, [...PRINT, DEFAULT_KEY]);
  await running.tells(/it is/);
});

test("one that shows none does not", async () => {
  const ended = await (await start(process.execPath, [...PRINT, "nothing"])).ended;
  expect(ended.stderr).toBe("so nothing it is\n");
});
