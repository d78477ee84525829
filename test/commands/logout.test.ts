import { expect, test } from "vitest";
import { course, type Rig, rig } from "../rig.ts";
import { readUserConfig, savedKeyFor, writeUserConfig } from "./saved-key.ts";

const PAIR = savedKeyFor("https://catalog.example");
const BARE = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };

/** Logs out, which sends nothing. @returns what it says */
async function logOut(r: Rig, flags = ""): Promise<string> {
  const { stderr, ...ran } = await r.run(`logout${flags}`, { environment: BARE });
  expect(ran).toEqual({ code: 0, stdout: "", requests: [] });
  return stderr;
}

test("logout removes the API key and its base URL and keeps other settings and profiles", async () => {
  const r = await rig();
  const others = { timeout: 5, profiles: { a: { ...PAIR, retries: 1 } } };
  await writeUserConfig(r, { ...PAIR, ...others });
  expect(await logOut(r)).toBe("Removed the saved API key for https://catalog.example.\n");
  expect(await readUserConfig(r)).toEqual(others);
});

test("logout --profile removes the profile, and nothing else", async () => {
  const r = await rig();
  await writeUserConfig(r, { ...PAIR, profiles: { a: { ...PAIR, retries: 1 }, b: PAIR } });
  const said = await logOut(r, " --profile a");
  expect(said).toBe('Removed the profile "a" for https://catalog.example.\n');
  expect(await readUserConfig(r)).toEqual({ ...PAIR, profiles: { b: PAIR } });
  const again = await logOut(r, " --profile a");
  expect(again).toBe('There is no profile "a", so there is nothing to remove.\n');
});

test("after logout --profile, a command with this profile is refused, and no other account is used", async () => {
  const r = await rig();
  const own = savedKeyFor(r.sandbox.baseUrl);
  await writeUserConfig(r, { ...own, profiles: { staging: own, empty: { timeout: 9 } } });
  await logOut(r, " --profile staging");
  await r.write("a.json", course());
  for (const [line, problem] of [
    ["courses push a.json --profile staging", 'no profile "staging"'],
    ["courses ls --profile empty", 'no base URL and no API key are set in the profile "empty"'],
    ["status --profile staging", 'no profile "staging"'],
  ] as const) {
    const ran = await r.run(line, { environment: BARE });
    expect([line, ran.code, ran.requests]).toEqual([line, 2, []]);
    expect(ran.stderr).toContain(problem);
  }
  expect((await r.run("courses push a.json", { environment: BARE })).code).toBe(0);
});

test("a profile without a base URL or API key gets both from flags and variables", async () => {
  const r = await rig();
  const saved = savedKeyFor("https://other.example");
  await writeUserConfig(r, { ...saved, profiles: { slow: { timeout: 99 } } });
  const { stdout } = await r.run("status --json --profile slow");
  const settings: { name: string; value: unknown }[] = JSON.parse(stdout).settings;
  const shown = settings.map(({ name, value }) => `${name}: ${value}`);
  expect(shown).toEqual(expect.arrayContaining([`baseUrl: ${r.sandbox.baseUrl}`, "timeout: 99"]));
});
