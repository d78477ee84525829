import { describe, expect, test } from "vitest";
import { type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";
import { readUserConfig, savedKeyFor, writeUserConfig } from "./saved-key.ts";

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
});
