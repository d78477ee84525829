import { readFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { saveCredentials } from "../../src/settings/saved-key.ts";
import { createProject } from "./project.ts";

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";
const PAIR = { baseUrl: URL, apiKey: KEY };

describe("saveCredentials", () => {
  test("saveCredentials keeps every other setting and profile", async () => {
    const others = { retries: 9, profiles: { a: { timeout: 5 } } };
    const { userFile: path } = await createProject({ user: JSON.stringify(others) });
    const at = { path } as const;
    await saveCredentials(at, PAIR);
    const second = { baseUrl: `${URL}/two`, apiKey: "another.key" };
    await saveCredentials({ ...at, profile: "a" }, second);
    await saveCredentials({ ...at, profile: "__proto__" }, second);
    const saved: unknown = JSON.parse(await readFile(path, "utf8"));
    expect(saved).toEqual(
      JSON.parse(
        JSON.stringify({
          ...{ retries: 9, ...PAIR },
          profiles: { a: { timeout: 5, ...second }, b: second },
        }).replace('"b"', '"__proto__"'),
      ),
    );
    for (const profile of [undefined, "a", "__proto__"]) {
      await saveCredentials({ ...at, profile }, undefined);
    }
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(others);
  });

  test("saveCredentials without credentials removes the file with the last credentials", async () => {
    const { userFile: path } = await createProject({
      user: JSON.stringify({ profiles: { a: PAIR } }),
    });
    expect(await saveCredentials({ path, profile: "a" }, undefined)).toEqual(PAIR);
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await saveCredentials({ path }, undefined)).toEqual({});
  });

  test.each(["constructor", "__proto__", "toString"])(
    "saveCredentials without credentials removes nothing for a missing profile named %s",
    async (profile) => {
      const { userFile: path } = await createProject({ user: JSON.stringify(PAIR) });
      expect(await saveCredentials({ path, profile }, undefined)).toEqual({});
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(PAIR);
    },
  );
});
