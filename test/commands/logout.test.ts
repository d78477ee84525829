import { expect, test } from "vitest";
import { course, type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";
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

test("logout --profile removes the profile, and nothing else", async () => {
  const r = await rig();
  await writeUserConfig(r, { ...PAIR, profiles: { a: { ...PAIR, retries: 1 }, b: PAIR } });
  const ran = await logOut(r, ["--profile", "a"]);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    'Removed the profile "a" for https://catalog.example.\n',
  ]);
  expect(await readUserConfig(r)).toEqual({ ...PAIR, profiles: { b: PAIR } });
  await logOut(r, ["--profile", "b"]);
  expect(await readUserConfig(r)).toEqual(PAIR);
  const again = await logOut(r, ["--profile", "b"]);
  expect([again.code, again.stderr]).toEqual([
    0,
    'There is no profile "b", so there is nothing to remove.\n',
  ]);
});

test("after logout --profile, a command with this profile is refused, and no other account is used", async () => {
  const r = await rig();
  const own = savedKeyFor(r.sandbox.baseUrl);
  await writeUserConfig(r, { ...own, profiles: { staging: own, empty: { timeout: 9 } } });
  const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
  await logOut(r, ["--profile", "staging"]);
  await r.write("a.json", course());
  for (const [words, problem] of [
    [["--profile", "staging"], 'no profile "staging"'],
    [["--profile", "empty"], 'no base URL and no API key are set in the profile "empty"'],
  ] as const) {
    for (const line of ["courses push a.json", "courses ls", "status"]) {
      const ran = await r.run([...line.split(" "), ...words], { environment });
      expect([line, ran.code, ran.requests]).toEqual([line, 2, []]);
      expect(ran.stderr).toContain(problem);
    }
  }
  const ran = await r.run("courses push a.json", { environment });
  expect(ran.code).toBe(0);
});

test("a profile without a base URL or key gets both from flags and variables", async () => {
  const r = await rig();
  const saved = savedKeyFor("https://other.example");
  await writeUserConfig(r, { ...saved, profiles: { slow: { timeout: 99 } } });
  const ran = await r.run("status --json --profile slow");
  expect(ran.code).toBe(0);
  const rows = JSON.parse(ran.stdout).settings as { name: string; value: unknown }[];
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({ baseUrl: r.sandbox.baseUrl, timeout: 99 });
});
