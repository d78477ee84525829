/** Regression tests for problems that fuzzing found. */
import { describe, expect, test } from "vitest";
import { resolveInProject } from "../settings/project.ts";

const KEY = "someone.fedcba9876543210";

describe("an API key instead of the base URL", () => {
  test.each([`:${KEY}`, `${KEY}:`, "someone:fedcba9876543210", `${KEY}:443/x`])(
    "an API key instead of the base URL in a config file is not shown: %j",
    async (baseUrl) => {
      const error = await resolveInProject({ user: JSON.stringify({ baseUrl }) }).catch(
        (thrown) => thrown,
      );
      expect(error).toMatchObject({
        kind: "usage",
        message: expect.stringMatching(/ must be a complete URL without [a-z, ]+$/),
      });
    },
  );
});

test("an unknown name of a setting is shown", async () => {
  for (const name of ["production-2026-11", "staging2", "courses_of_the_academy"]) {
    const wrong = resolveInProject({ files: { ".catalogrc": `profiles: {${name}: 1}` } });
    await expect(wrong).rejects.toThrow(`profiles.${name} in `);
  }
});
