import { link, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeCredentials, saveCredentials } from "../../src/settings/user-config.ts";
import { PROCESSES } from "../rig.ts";
import { createProject, resolveInProject } from "./project.ts";

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";
const PAIR = { baseUrl: URL, apiKey: KEY };

describe("saveCredentials and removeCredentials", () => {
  const platform = "linux";
  const processes = PROCESSES;

  test("saveCredentials and removeCredentials keep every other setting and profile", async () => {
    const others = { retries: 9, profiles: { a: { timeout: 5 } } };
    const { userFile: path } = await createProject({ user: JSON.stringify(others) });
    const at = { path, platform, processes } as const;
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
    expect(await removeCredentials({ path, platform, processes, profile: "a" })).toEqual({
      baseUrl: URL,
    });
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await removeCredentials({ path, platform, processes })).toBeUndefined();
  });

  test("removeCredentials removes the selection of a removed profile", async () => {
    const user = JSON.stringify({ profile: "a", retries: 9, profiles: { a: PAIR } });
    const { userFile: path } = await createProject({ user });
    await removeCredentials({ path, platform, processes, profile: "a" });
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ retries: 9 });
  });

  test.each(["constructor", "__proto__", "toString"])(
    "removeCredentials removes nothing for a missing profile named %s",
    async (profile) => {
      const { userFile: path } = await createProject({ user: JSON.stringify(PAIR) });
      expect(await removeCredentials({ path, platform, processes, profile })).toBeUndefined();
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(PAIR);
    },
  );

  test("saveCredentials and removeCredentials change the target of a link, and the link stays", async () => {
    const { userFile: path, home } = await createProject({ user: "" });
    const target = join(home, "elsewhere.json");
    await writeFile(target, '{"retries": 9}', { mode: 0o644 });
    await rm(path);
    await symlink(target, path);
    await saveCredentials({ path, platform, processes }, PAIR);
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ retries: 9, ...PAIR });
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    await removeCredentials({ path, platform, processes });
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ retries: 9 });
    await writeFile(target, JSON.stringify(PAIR));
    await removeCredentials({ path, platform, processes });
    expect(await readFile(target, "utf8")).not.toContain(KEY);
    expect((await resolveInProject({ environment: { HOME: home } })).apiKey).toBeUndefined();
  });
});

describe("a user config file as the project config file", () => {
  const user = JSON.stringify(PAIR);
  const flags = { baseUrl: "https://other.example" };

  test("the key goes only to its base URL if --config or CATALOG_CONFIG names the user config file", async () => {
    const at = await createProject({ user });
    const environment = { CATALOG_CONFIG: at.userFile };
    for (const given of [{ configFile: at.userFile }, { environment }]) {
      expect((await resolveInProject({ ...given, flags }, at)).apiKey).toBeUndefined();
      expect((await resolveInProject(given, at)).apiKey).toMatchObject({ source: "user config" });
    }
  });

  test("the key goes only to its base URL if the project links to the user config file", async () => {
    const at = await createProject({ user });
    await symlink(at.userFile, join(at.folder, ".catalogrc.json"));
    expect((await resolveInProject({ flags }, at)).apiKey).toBeUndefined();
    expect((await resolveInProject({}, at)).apiKey?.source).toBe("user config");
  });

  test("the key goes only to its base URL if the user config file is a hard link in the project", async () => {
    const at = await createProject({ user });
    await link(at.userFile, join(at.folder, ".catalogrc"));
    expect((await resolveInProject({ flags }, at)).apiKey).toBeUndefined();
    expect((await resolveInProject({}, at)).apiKey?.source).toBe("user config");
  });

  test.each([
    ["a symbolic link", symlink],
    ["a hard link", link],
  ])("with XDG_CONFIG_HOME, the key behind %s goes only to its URL", async (_, create) => {
    const at = await createProject({ user });
    await create(at.userFile, join(at.folder, ".catalogrc"));
    const environment = { XDG_CONFIG_HOME: join(at.home, "elsewhere") };
    const { apiKey, withheld } = await resolveInProject({ environment, flags }, at);
    expect([apiKey, withheld?.baseUrl]).toEqual([undefined, PAIR.baseUrl]);
    expect((await resolveInProject({ environment }, at)).apiKey?.value).toBe(PAIR.apiKey);
  });
});
