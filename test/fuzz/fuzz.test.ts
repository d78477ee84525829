/** Every property of fuzz/, looked at for a moment; `npm run fuzz` takes longer. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { PROPERTIES } from "../../tools/fuzz/all.ts";
import { Door } from "../../tools/fuzz/door.ts";

/** Whatever has not been tried in so many milliseconds is left for another time. */
const MOMENT = 300;

let door: Door;

beforeAll(async () => {
  door = await Door.open();
});

afterAll(async () => {
  await door.close();
});

describe("it holds for a hundred cases, or as many as there is time for", () => {
  test.each(PROPERTIES.map((each) => [each.name, each.says, each] as const))(
    "%s: %s",
    async (_name, _says, { arbitrary, check }) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (value) => await check(value, door)),
        { numRuns: 100, interruptAfterTimeLimit: MOMENT },
      );
    },
  );
});
