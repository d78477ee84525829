import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";
import { readUserConfig, savedKeyFor, USER_CONFIG, writeUserConfig } from "./saved-key.ts";

const PAIR = savedKeyFor("https://catalog.example");

async function logOut(
  r: Rig,
  words: readonly string[] = [],
  environment: RunOptions["environment"] = {},
): Promise<RunResult> {
  const bare = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  const ran = await r.run(["logout", ...words], { environment: { ...bare, ...environment } });
  expect([ran.stdout, ran.requests]).toEqual(["", []]);
  return ran;
}

describe("saved keys", () => {
  test("logout removes the key and its base URL and keeps other settings and profiles", async () => {
    const r = await rig();
    const others = { timeout: 5, profiles: { a: { ...PAIR, retries: 1 } } };
    await writeUserConfig(r, { ...PAIR, ...others });
    const ran = await logOut(r);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      "Removed the saved API key for https://catalog.example.\n",
    ]);
    expect(await readUserConfig(r)).toEqual(others);
  });

  test("logout --profile removes the key from a profile", async () => {
    const r = await rig();
    await writeUserConfig(r, { ...PAIR, profiles: { a: { ...PAIR, retries: 1 }, b: PAIR } });
    const ran = await logOut(r, ["--profile", "a"]);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining(
        'Removed the saved API key for https://catalog.example in the profile "a".\n',
      ),
    ]);
    expect(await readUserConfig(r)).toEqual({ ...PAIR, profiles: { a: { retries: 1 }, b: PAIR } });
  });

  test("logout also removes the profile and the config file once they are empty", async () => {
    const r = await rig();
    await writeUserConfig(r, { ...PAIR, profiles: { a: PAIR } });
    await logOut(r, [], { CATALOG_PROFILE: "a" });
    expect(await readUserConfig(r)).toEqual(PAIR);
    await logOut(r);
    expect(await readUserConfig(r)).toBeUndefined();
    expect(await readdir(join(r.folder, USER_CONFIG, ".."))).toEqual([]);
  });

  test("logout also removes a key without a base URL", async () => {
    const r = await rig();
    await writeUserConfig(r, { apiKey: PAIR.apiKey });
    const ran = await logOut(r);
    expect([ran.code, ran.stderr]).toEqual([0, "Removed the saved API key.\n"]);
    expect(await readUserConfig(r)).toBeUndefined();
  });
});

describe("no saved key", () => {
  test.each([
    ["no file", undefined, [], ""],
    ["no key", { retries: 2 }, [], ""],
    ["no such profile", PAIR, ["--profile", "x"], ' in the profile "x"'],
    [
      "no key in the profile",
      { profiles: { x: { retries: 2 } } },
      ["--profile", "x"],
      ' in the profile "x"',
    ],
  ])("logout exits with 0 and removes nothing if there is %s", async (_, config, words, where) => {
    const r = await rig();
    if (config !== undefined) await writeUserConfig(r, config);
    const ran = await logOut(r, words);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(`No API key is saved${where}, so there is nothing to remove.\n`);
    expect(await readUserConfig(r)).toEqual(config);
  });

  test("logout exits with 0 without a home folder", async () => {
    const ran = await logOut(await rig(), [], { HOME: undefined });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("nothing to remove")]);
  });
});

describe("other keys", () => {
  test("logout warns that a key in the environment is still set", async () => {
    const r = await rig();
    await writeUserConfig(r, PAIR);
    const ran = await logOut(r, [], { CATALOG_API_KEY: "another.key-of-them" });
    expect(ran.stderr).toContain("warning: catalog will use the key from CATALOG_API_KEY\n");
  });

  test("logout --profile warns that a key for the same service is still set outside the profile", async () => {
    const r = await rig();
    await writeUserConfig(r, { ...PAIR, profiles: { a: PAIR } });
    expect((await logOut(r, ["--profile", "a"])).stderr).toMatch(
      /warning: catalog will use the key from apiKey in /,
    );
    expect((await logOut(r)).stderr).not.toContain("warning");
  });
});

test("logout exits with 2 and leaves an invalid config file unchanged", async () => {
  const r = await rig();
  await writeUserConfig(r, `{"apiKey": "${PAIR.apiKey}"`);
  expectRefused(await r.run(["logout"]), 2);
  await expect(readUserConfig(r)).rejects.toThrow(SyntaxError);
});

test("logout keeps a base URL without a key", async () => {
  const r = await rig();
  await writeUserConfig(r, { baseUrl: "https://catalog.example" });
  const ran = await logOut(r);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    "No API key is saved, so there is nothing to remove.\n",
  ]);
  expect(await readUserConfig(r)).toEqual({ baseUrl: "https://catalog.example" });
});
