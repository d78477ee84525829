/** Regression tests for problems that fuzzing found. */
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/files/json.ts";
import { parseYaml } from "../../src/files/yaml.ts";
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
        message: expect.stringMatching(/ must be a complete URL, such as \S+$/),
      });
    },
  );

  test("an invalid base URL that contains no key is shown", async () => {
    const wrong = resolveInProject({ user: JSON.stringify({ baseUrl: "ftp://a.example" }) });
    await expect(wrong).rejects.toThrow('must be an http or https URL, not "ftp://a.example"');
  });
});

test("an unknown name of a setting is shown", async () => {
  for (const name of ["production-2026-11", "staging2", "courses_of_the_academy"]) {
    const wrong = resolveInProject({ files: { ".catalogrc": `profiles: {${name}: 1}` } });
    await expect(wrong).rejects.toThrow(`profiles.${name} in `);
  }
});

describe("positions of YAML values", () => {
  test("parseYaml gives an alias the value of the last anchor of its name, even inside another value", async () => {
    const { positions } = await parseYaml("- &b\n  - &b\n    x: 1\n- *b\n");
    const last = (await positions()).place({ document: 0, item: 1 });
    expect(last?.entries?.map(({ name }) => name)).toEqual(["x"]);
  });

  test("parseYaml gives an empty key a position inside the text", async () => {
    const text = "- ?\n";
    const root = (await (await parseYaml(text)).positions()).place({ document: 0, item: 0 });
    expect(root?.entries?.[0]?.key.end).toBeLessThanOrEqual(text.length);
  });
});

test("parseJson gives an empty text no positions", async () => {
  const { documents, positions } = await parseJson(" \n");
  expect(documents).toEqual([]);
  expect((await positions()).place({ document: 0 })).toBeUndefined();
});
