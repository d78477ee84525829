/** Saving and forgetting a pair of key and base URL, and to whom the key stays bound. */
import { readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forgetCredentials, saveCredentials } from "../../src/settings/credentials.ts";
import { place, settled } from "./settled.ts";

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";
const PAIR = { baseUrl: URL, apiKey: KEY };

describe("saving and forgetting", () => {
  const platform = "linux";

  test("keep every other key and set, and each other's", async () => {
    const others = { retries: 9, profiles: { a: { timeout: 5 } } };
    const { userFile: path } = await place({ user: JSON.stringify(others) });
    const at = { path, platform } as const;
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
      await forgetCredentials({ ...at, profile });
    }
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(others);
  });

  test("forgetting the last of it removes the file, and leaves no draft", async () => {
    const { userFile: path } = await place({ user: JSON.stringify({ profiles: { a: PAIR } }) });
    expect(await forgetCredentials({ path, platform, profile: "a" })).toEqual({ baseUrl: URL });
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await forgetCredentials({ path, platform })).toBeUndefined();
  });

  test("of the usual set also take away that it is the usual one", async () => {
    const user = JSON.stringify({ profile: "a", retries: 9, profiles: { a: PAIR } });
    const { userFile: path } = await place({ user });
    await forgetCredentials({ path, platform, profile: "a" });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ retries: 9 });
  });

  test.each(["constructor", "__proto__", "toString"])(
    "there is nothing of %s to forget",
    async (profile) => {
      const { userFile: path } = await place({ user: JSON.stringify(PAIR) });
      expect(await forgetCredentials({ path, platform, profile })).toBeUndefined();
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(PAIR);
    },
  );

  test("what a link leads to is written, and loses its key; the link stays", async () => {
    const { userFile: path, home } = await place({ user: "" });
    const target = join(home, "elsewhere.json");
    await writeFile(target, '{"retries": 9}', { mode: 0o644 });
    await rm(path);
    await symlink(target, path);
    await saveCredentials({ path, platform }, PAIR);
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ retries: 9, ...PAIR });
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    await forgetCredentials({ path, platform });
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ retries: 9 });
    await writeFile(target, JSON.stringify(PAIR));
    await forgetCredentials({ path, platform });
    expect(await readFile(target, "utf8")).not.toContain(KEY);
    expect((await settled({ environment: { HOME: home } })).apiKey).toBeUndefined();
  });
});

describe("named as the project's config, it is still the user's: its key stays bound", () => {
  const user = JSON.stringify(PAIR);
  const flags = { baseUrl: "https://other.example" };

  test("by --config or CATALOG_CONFIG", async () => {
    const at = await place({ user });
    const environment = { CATALOG_CONFIG: at.userFile };
    for (const given of [{ configFile: at.userFile }, { environment }]) {
      expect((await settled({ ...given, flags }, at)).apiKey).toBeUndefined();
      expect((await settled(given, at)).apiKey).toMatchObject({ source: "user config" });
    }
  });

  test("by a link in the project", async () => {
    const at = await place({ user });
    await symlink(at.userFile, join(at.folder, ".catalogrc.json"));
    expect((await settled({ flags }, at)).apiKey).toBeUndefined();
    expect((await settled({}, at)).apiKey?.source).toBe("user config");
  });
});
