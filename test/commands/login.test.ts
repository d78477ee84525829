import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { expectRefused } from "./helpers.ts";
import { logIn, readUserConfig, savedKeyFor, USER_CONFIG, writeUserConfig } from "./saved-key.ts";

/** Expects that a login failed with that code and saved nothing. */
async function expectNothingSaved(r: Rig, ran: RunResult, code: number): Promise<void> {
  expect([ran.code, ran.stdout]).toEqual([code, ""]);
  expect(ran.stderr).toMatch(/^error: \S/m);
  await expect(stat(join(r.folder, ".config"))).rejects.toMatchObject({ code: "ENOENT" });
}

test.each([
  ["alone", DEFAULT_KEY],
  ["with a line feed", `${DEFAULT_KEY}\n`],
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
  const after = await r.run("providers ls -o id", {
    environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
  });
  expect([after.code, after.stderr]).toEqual([0, ""]);
});

test("login exits with 4, saves nothing and shows the hint if the service rejects the key", async () => {
  const r = await rig();
  const ran = await logIn(r, [], { input: "wrong.key-of-someone" });
  await expectNothingSaved(r, ran, 4);
  expect(ran.stderr).toContain("Invalid API Key");
  expect(ran.stderr).toContain("Nothing was saved");
});

test("login exits with 2 and leaves the config file unchanged if the file is invalid", async () => {
  const r = await rig();
  await writeUserConfig(r, `{"apiKey": "${DEFAULT_KEY}"`);
  const ran = await logIn(r);
  expectRefused(ran, 2);
  expect(ran.stderr).toContain("not valid YAML or JSON");
  expect(await readFile(join(r.folder, USER_CONFIG), "utf8")).toBe(`{"apiKey": "${DEFAULT_KEY}"`);
});
