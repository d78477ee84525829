import { readFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { removeCredentials, saveCredentials } from "../../src/settings/saved-key.ts";
import { createProject } from "./project.ts";

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";
const PAIR = { baseUrl: URL, apiKey: KEY };

describe("saveCredentials and removeCredentials", () => {
  test("saveCredentials and removeCredentials keep every other setting and profile", async () => {
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
      await removeCredentials({ ...at, profile });
    }
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(others);
  });

  test("removeCredentials removes the file with the last credentials", async () => {
    const { userFile: path } = await createProject({
      user: JSON.stringify({ profiles: { a: PAIR } }),
    });
    expect(await removeCredentials({ path, profile: "a" })).toEqual(PAIR);
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await removeCredentials({ path })).toEqual({});
  });

  test("removeCredentials removes the selection of a removed profile", async () => {
    const user = JSON.stringify({ profile: "a", retries: 9, profiles: { a: PAIR } });
    const { userFile: path } = await createProject({ user });
    await removeCredentials({ path, profile: "a" });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ retries: 9 });
  });

  test.each(["constructor", "__proto__", "toString"])(
    "removeCredentials removes nothing for a missing profile named %s",
    async (profile) => {
      const { userFile: path } = await createProject({ user: JSON.stringify(PAIR) });
      expect(await removeCredentials({ path, profile })).toEqual({});
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(PAIR);
    },
  );
});
