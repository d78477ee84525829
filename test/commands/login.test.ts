import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";
import { logIn, readUserConfig, savedKeyFor, USER_CONFIG, writeUserConfig } from "./saved-key.ts";

test.each([
  ["alone", DEFAULT_KEY],
  ["with a Windows line end", `${DEFAULT_KEY}\r\n`],
  ["after a byte order mark", `\ufeff${DEFAULT_KEY}\n`],
  ["between spaces and empty lines", `\n \t${DEFAULT_KEY} \n\n`],
])("login tests a key %s and saves the key with its base URL", async (_, input) => {
  const r = await rig();
  const ran = await logIn(r, [], { input });
  expect([ran.code, ran.stdout, ran.requests]).toEqual([0, "", ["GET /developer/v1/providers"]]);
  expect(await readUserConfig(r)).toEqual(savedKeyFor(r.sandbox.baseUrl));
  expect(ran.stderr).toBe(
    `Logged in to ${r.sandbox.baseUrl}. Saved the API key in ${join(r.folder, USER_CONFIG)}.\nYou can publish for 1 provider: Example Academy.\n`,
  );
});

test("login exits with 4, saves nothing and shows the hint if the service rejects the API key", async () => {
  const r = await rig();
  const ran = await logIn(r, [], { input: "wrong.key-of-someone" });
  expect([ran.code, ran.stdout, await readUserConfig(r)]).toEqual([4, "", undefined]);
  expect(ran.stderr).toContain("Invalid API Key");
  expect(ran.stderr).toContain("Nothing was saved");
});

test("login exits with 2 and leaves the config file unchanged if the file is invalid", async () => {
  const r = await rig();
  await writeUserConfig(r, `{"apiKey": "${DEFAULT_KEY}"`);
  const ran = await logIn(r);
  expectRefused(ran, 2);
  expect(ran.stderr).toContain("not valid YAML or JSON");
  expect(await r.read(USER_CONFIG)).toBe(`{"apiKey": "${DEFAULT_KEY}"`);
});

test("login makes the config file and its folder private and leaves no other file", async () => {
  const r = await rig();
  const folder = join(r.folder, "config-home/catalog");
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await logIn(r, [], { environment: { XDG_CONFIG_HOME: join(r.folder, "config-home") } });
  const modes = [folder, join(folder, "config.json")].map(async (path) => (await stat(path)).mode);
  expect((await Promise.all(modes)).map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
  expect(await readdir(folder)).toEqual(["config.json"]);
  expect(await readUserConfig(r)).toBeUndefined();
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

test("login --profile saves the API key in a profile, which --profile then uses", async () => {
  const r = await rig();
  const old = savedKeyFor("https://old.example");
  await writeUserConfig(r, old);
  const { stderr } = await logIn(r, ["--profile", "it's"]);
  expect(stderr).toContain(` as profile "it's".`);
  const profiles = { "it's": savedKeyFor(r.sandbox.baseUrl) };
  expect(await readUserConfig(r)).toEqual({ ...old, profiles });
  const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  expect((await r.run("providers ls --profile it's", { environment })).code).toBe(0);
});
