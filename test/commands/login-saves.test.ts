import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { logIn, readUserConfig, savedKeyFor, writeUserConfig } from "./saved-key.ts";

test("login makes the config file and its folder private and leaves no other file", async () => {
  const r = await rig();
  const configHome = join(r.folder, "config-home");
  await mkdir(join(configHome, "catalog"), { recursive: true, mode: 0o755 });
  await logIn(r, [], { environment: { XDG_CONFIG_HOME: configHome } });
  expect((await stat(join(configHome, "catalog"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(configHome, "catalog/config.json"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(configHome, "catalog"))).toEqual(["config.json"]);
  await expect(stat(join(r.folder, ".config"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("login makes an existing config file private and keeps everything else in the file", async () => {
  const r = await rig();
  const others = { retries: 1, profiles: { b: { timeout: 9 } } };
  const path = await writeUserConfig(r, others);
  await chmod(path, 0o644);
  expect((await logIn(r)).code).toBe(0);
  expect(await readUserConfig(r)).toEqual({ ...others, ...savedKeyFor(r.sandbox.baseUrl) });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("login --profile saves the key in a profile, which --profile then uses", async () => {
  const r = await rig();
  await writeUserConfig(r, { baseUrl: "https://old.example", apiKey: "older.key-of-them" });
  const ran = await logIn(r, ["--profile", "it's"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain(` as profile "it's".`);
  expect(await readUserConfig(r)).toEqual({
    ...{ baseUrl: "https://old.example", apiKey: "older.key-of-them" },
    profiles: { "it's": savedKeyFor(r.sandbox.baseUrl) },
  });
  const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  const words = ["providers", "ls", "--profile", "it's"];
  expect((await r.run(words, { environment })).code).toBe(0);
});
