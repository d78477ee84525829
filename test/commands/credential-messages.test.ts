/** Messages about keys, base URLs and profiles name the cause and the fix. */
import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { savedKeyFor, writeUserConfig } from "./saved-key.ts";

const WRONG = "wrong.0123456789abcdef";
const BARE = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };

test.each(["courses ls", "status", "courses create a.json"])(
  "%s names the variable of a rejected key in its advice",
  async (line) => {
    const r = await rig();
    await r.write("a.json", JSON.stringify(course()));
    const ran = await r.run(line.split(" "), { environment: { CATALOG_API_KEY: WRONG } });
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain(
      "The key comes from CATALOG_API_KEY. Set that variable to a valid key",
    );
  },
);

test("courses ls names no variable in its advice if a saved key is rejected", async () => {
  const r = await rig();
  await writeUserConfig(r, { ...savedKeyFor(r.sandbox.baseUrl), apiKey: WRONG });
  const ran = await r.run(["courses", "ls"], { environment: BARE });
  expect(ran.code).toBe(4);
  expect(ran.stderr).not.toContain("CATALOG_API_KEY");
});

test.each([`Bearer ${WRONG}`, `"${WRONG}"`, `'${WRONG}'`])(
  "ls and login refuse the key %s and advise how to fix it",
  async (key) => {
    const r = await rig();
    const variable = await r.run(["courses", "ls"], { environment: { CATALOG_API_KEY: key } });
    const typed = await r.run(["login", "--with-key"], { input: key });
    for (const ran of [variable, typed]) {
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain('without quotes, spaces and "Bearer"');
    }
  },
);

test.each(["/developer/v1", "/developer/v1/", "/developer/v1/courses"])(
  "a base URL may end with %s, as the URLs in the documentation of the service do",
  async (path) => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    const ran = await r.run(["courses", "ls", "--base-url", `${baseUrl}${path}`]);
    expect([ran.code, ran.stderr]).toEqual([0, "No courses.\n"]);
  },
);

test.each([
  [{ profile: "zz" }, [], 'Run "catalog login --profile zz".\n'],
  [{}, ["--profile", "a b"], `Run "catalog login --profile 'a b'".\n`],
])("courses ls with the config %j and flags %j advises a login", async (config, flags, advice) => {
  const r = await rig();
  await writeUserConfig(r, config);
  const ran = await r.run(["courses", "ls", ...flags], { environment: BARE });
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(advice)]);
});
