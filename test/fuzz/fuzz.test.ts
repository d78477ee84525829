/** Every property of fuzz/, looked at for a moment; `npm run fuzz` takes longer. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { PROPERTIES } from "../../tools/fuzz/all.ts";
import { Runner } from "../../tools/fuzz/runner.ts";

/** Whatever has not been tried in so many milliseconds is left for another time. */
const MOMENT = 300;

let runner: Runner;

beforeAll(async () => {
  runner = await Runner.open();
});

afterAll(async () => {
  await runner.close();
});

describe("it holds for a hundred cases, or as many as there is time for", () => {
  test.each(PROPERTIES.map((each) => [each.name, each.says, each] as const))(
    "%s: %s",
    async (_name, _says, { arbitrary, check }) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (value) => await check(value, runner)),
        { numRuns: 100, interruptAfterTimeLimit: MOMENT },
      );
    },
  );
});
