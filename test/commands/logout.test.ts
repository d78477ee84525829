/** `catalog logout`: what it forgets, and what it leaves (cli.md section 5). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ran, type Rig, type RunOptions, rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";
import { CONFIG, pairOf, save, saved } from "./saved.ts";

const PAIR = pairOf("https://catalog.example");

async function logOut(
  r: Rig,
  words: readonly string[] = [],
  environment: RunOptions["environment"] = {},
): Promise<Ran> {
  const bare = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  const ran = await r.run(["logout", ...words], { environment: { ...bare, ...environment } });
  expect([ran.stdout, ran.requests]).toEqual(["", []]);
  return ran;
}

describe("the pair goes", () => {
  test("alone: other settings and sets stay", async () => {
    const r = await rig();
    const others = { timeout: 5, profiles: { a: { ...PAIR, retries: 1 } } };
    await save(r, { ...PAIR, ...others });
    const ran = await logOut(r);
    expect([ran.code, ran.stderr]).toEqual([0, "Forgot the key for https://catalog.example.\n"]);
    expect(await saved(r)).toEqual(others);
  });

  test("with --profile out of that set", async () => {
    const r = await rig();
    await save(r, { ...PAIR, profiles: { a: { ...PAIR, retries: 1 }, b: PAIR } });
    const ran = await logOut(r, ["--profile", "a"]);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining('Forgot the key for https://catalog.example in the profile "a".\n'),
    ]);
    expect(await saved(r)).toEqual({ ...PAIR, profiles: { a: { retries: 1 }, b: PAIR } });
  });

  test("with its set and with its file, once these are empty", async () => {
    const r = await rig();
    await save(r, { ...PAIR, profiles: { a: PAIR } });
    await logOut(r, [], { CATALOG_PROFILE: "a" });
    expect(await saved(r)).toEqual(PAIR);
    await logOut(r);
    expect(await saved(r)).toBeUndefined();
    expect(await readdir(join(r.folder, CONFIG, ".."))).toEqual([]);
  });

  test("even without a base URL beside the key", async () => {
    const r = await rig();
    await save(r, { apiKey: PAIR.apiKey });
    const ran = await logOut(r);
    expect([ran.code, ran.stderr]).toEqual([0, "Forgot the key.\n"]);
    expect(await saved(r)).toBeUndefined();
  });
});

describe("nothing to forget is fine, and said", () => {
  test.each([
    ["no file", undefined, [], ""],
    ["no pair", { retries: 2 }, [], ""],
    ["no such set", PAIR, ["--profile", "x"], ' in the profile "x"'],
    [
      "no pair in the set",
      { profiles: { x: { retries: 2 } } },
      ["--profile", "x"],
      ' in the profile "x"',
    ],
  ])("%s", async (_, config, words, where) => {
    const r = await rig();
    if (config !== undefined) await save(r, config);
    const ran = await logOut(r, words);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(`No key is saved${where}; there is nothing to forget.\n`);
    expect(await saved(r)).toEqual(config);
  });

  test("no home", async () => {
    const ran = await logOut(await rig(), [], { HOME: undefined });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("nothing to forget")]);
  });
});

describe("a key that is still there is told", () => {
  test("that of the environment", async () => {
    const r = await rig();
    await save(r, PAIR);
    const ran = await logOut(r, [], { CATALOG_API_KEY: "another.key-of-them" });
    expect(ran.stderr).toContain("warning: there is still a key: CATALOG_API_KEY\n");
  });

  test("that of the project", async () => {
    const r = await rig();
    await save(r, PAIR);
    await r.write(".catalogrc", "apiKey: another.key-of-them");
    expect((await logOut(r)).stderr).toMatch(
      /warning: there is still a key: apiKey in .*\.catalogrc\n/,
    );
  });

  test("that of another set for the same service", async () => {
    const r = await rig();
    await save(r, { ...PAIR, profiles: { a: PAIR } });
    expect((await logOut(r, ["--profile", "a"])).stderr).toContain(
      "there is still a key: apiKey in",
    );
    expect((await logOut(r)).stderr).not.toContain("warning");
  });
});

test("a config file that is broken is told, and stays", async () => {
  const r = await rig();
  await save(r, `{"apiKey": "${PAIR.apiKey}"`);
  expectRefused(await r.run(["logout"]), 2);
  await expect(saved(r)).rejects.toThrow(SyntaxError);
});

test("an address without a key is a setting like any other, and stays", async () => {
  const r = await rig();
  await save(r, { baseUrl: "https://catalog.example" });
  const ran = await logOut(r);
  expect([ran.code, ran.stderr]).toEqual([0, "No key is saved; there is nothing to forget.\n"]);
  expect(await saved(r)).toEqual({ baseUrl: "https://catalog.example" });
});

test("a broken project config keeps nobody from forgetting a key", async () => {
  const r = await rig();
  await save(r, PAIR);
  await r.write(".catalogrc", "nope: 1\n");
  const ran = await logOut(r);
  expect([ran.code, ran.requests]).toEqual([0, []]);
  expect(ran.stderr).toMatch(/^warning: unknown setting nope in .*\nForgot the key for /);
});
