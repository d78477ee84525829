/** Checks every property of tools/fuzz with a few values; `npm run fuzz` checks many. */
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { PROPERTIES } from "../../tools/fuzz/all.ts";
import { Runner } from "../../tools/fuzz/runner.ts";
import { scaleRuns } from "../long.ts";

let runner: Runner;

beforeAll(async () => {
  runner = await Runner.create();
});

afterAll(async () => {
  await runner.close();
});

test.each(PROPERTIES.map((each) => [each.name, each.says, each] as const))(
  "fuzz %s: %s",
  async (_name, _says, { arbitrary, check }) => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (value) => await check(value, runner)),
      { numRuns: scaleRuns(8) },
    );
  },
  240_000,
);
