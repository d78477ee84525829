import { mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { PROVIDER_ID, type Rig, type RunResult, rig } from "../rig.ts";
import { expectRefused, jsonMessages, unreliableService } from "./helpers.ts";
import {
  LOGIN,
  logIn,
  readUserConfig,
  savedKeyFor,
  USER_CONFIG,
  writeUserConfig,
} from "./saved-key.ts";

/** Expects that a login failed with that code and saved nothing. */
async function expectNothingSaved(r: Rig, ran: RunResult, code: number): Promise<void> {
  expect([ran.code, ran.stdout]).toEqual([code, ""]);
  expect(ran.stderr).toMatch(/^error: \S/m);
  await expect(stat(join(r.folder, ".config"))).rejects.toMatchObject({ code: "ENOENT" });
}

describe("key on standard input", () => {
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
      `Logged in to ${r.sandbox.baseUrl}. Saved the key in ${join(r.folder, USER_CONFIG)}.\nYou can publish for 1 provider: Example Academy.\n`,
    );
    const after = await r.run(["providers", "ls", "-o", "id"], {
      environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
    });
    expect([after.code, after.stderr]).toEqual([0, ""]);
  });

  test.each([
    ["no characters", "", "is empty"],
    ["only whitespace", " \r\n\t", "is empty"],
    ["only a byte order mark", "\ufeff", "is empty"],
    ["two lines", `${DEFAULT_KEY}\nanother.key-of-them\n`, "contains invalid characters"],
    ["a space inside", "sandbox .0123456789abcdef", "contains invalid characters"],
    ["a letter that is not ASCII", "sandbox.0123456789äbcdef", "contains invalid characters"],
    ["a control character", "sandbox.0123456789\u0007abcdef", "contains invalid characters"],
    ["a megabyte of characters", "k".repeat(1024 * 1024), "too long"],
  ])("login exits with 2 for a key with %s and does not quote the key", async (_, input, why) => {
    const r = await rig();
    const ran = await logIn(r, [], { input });
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).not.toMatch(/sandbox|01234|abcdef|kkk/);
    await expectNothingSaved(r, ran, 2);
  });

  test("login --with-key exits with 2 if standard input is a terminal", async () => {
    const r = await rig();
    const ran = await r.run([...LOGIN, "--no-color"], { terminal: true });
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("is a terminal");
  });
});

describe("failures", () => {
  test("login exits with 2 before reading anything without --with-key and without a terminal", async () => {
    const r = await rig();
    for (const options of [{}, { terminal: true, environment: { CI: "true" } }]) {
      const ran = await r.run(["login", "--no-color"], options);
      await expectNothingSaved(r, ran, 2);
      expect(ran.stderr).toContain("--with-key");
      expect(ran.stderr).not.toContain("Base URL (");
      expect(ran.requests).toEqual([]);
    }
  });

  test("login exits with 4, saves nothing and shows the hint if the service rejects the key", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { input: "wrong.key-of-someone" });
    await expectNothingSaved(r, ran, 4);
    expect(ran.stderr).toContain("Invalid API Key");
    expect(ran.stderr).toContain("Nothing was saved");
  });

  test("login exits with 6 and saves nothing if the service does not respond", async () => {
    const r = await rig();
    const words = ["--base-url", "http://127.0.0.1:9", "--retries", "0"];
    const ran = await logIn(r, words);
    await expectNothingSaved(r, ran, 6);
    expect(ran.stderr).toContain("Nothing was saved");
  });

  test.each([
    ["still fails after all retries", { status: 503 }, 6],
    ["responds with HTML", { status: 200, body: "<html>Welcome</html>" }, 6],
    ["responds with an object instead of a list", { status: 200, body: "{}" }, 6],
    ["responds with 404", { status: 404, body: "" }, 1],
    ["redirects", { status: 302, headers: { location: "https://elsewhere.example" } }, 1],
  ])("login saves nothing if the service %s", async (_, fate, code) => {
    const r = await rig();
    const { environment } = await unreliableService(r, () => fate);
    await expectNothingSaved(r, await logIn(r, ["--retries", "1"], { environment }), code);
  });

  test("login exits with 2 and saves nothing without a base URL", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { CATALOG_BASE_URL: undefined } });
    await expectNothingSaved(r, ran, 2);
    expect(ran.stderr).toContain("no base URL is set");
  });

  test.each(["catalog.example", "ftp://catalog.example", "https://a:b@catalog.example"])(
    "login exits with 2 and saves nothing for the invalid base URL %s",
    async (baseUrl) => {
      const r = await rig();
      await expectNothingSaved(r, await logIn(r, ["--base-url", baseUrl]), 2);
    },
  );

  test("login exits with 2 if it would send the key unencrypted, unless --insecure-http is given", async () => {
    const r = await rig();
    // The sandbox rejects host names other than its own.
    const body = JSON.stringify([{ id: PROVIDER_ID, name: "Example Academy" }]);
    const { server } = await unreliableService(r, () => ({ status: 200, body }));
    // The wildcard address is not a loopback address.
    const baseUrl = server.baseUrl.replace("127.0.0.1", "0.0.0.0");
    const ran = await logIn(r, ["--base-url", baseUrl]);
    await expectNothingSaved(r, ran, 2);
    expect([ran.requests, ran.stderr]).toEqual([[], expect.stringContaining("--insecure-http")]);
    expect((await logIn(r, ["--base-url", baseUrl, "--insecure-http"])).code).toBe(0);
    expect(await readUserConfig(r)).toEqual(savedKeyFor(baseUrl));
  });

  test.each(["", " "])("login refuses a profile with an empty name: %j", async (name) => {
    const r = await rig();
    await expectNothingSaved(r, await logIn(r, ["--profile", name]), 2);
  });

  test("login exits with 1 without a home folder and names the variable to set", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { HOME: undefined } });
    expect([ran.code, ran.requests]).toEqual([1, []]);
    expect(ran.stderr).toContain("XDG_CONFIG_HOME");
  });

  test("login exits with 1 and leaves no other file if the config file cannot be written", async () => {
    const r = await rig();
    const path = join(r.folder, USER_CONFIG);
    await mkdir(dirname(path), { recursive: true });
    await symlink("nowhere", path);
    const ran = await logIn(r);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`cannot write ${path}: it is a symbolic link`);
    expect(await readdir(dirname(path))).toEqual(["config.json"]);
    const json = await logIn(r, ["--json"]);
    expect(jsonMessages(json).at(-1)?.error).toMatchObject({
      kind: "output",
      file: expect.any(String),
    });
  });

  test("login exits with 2 and leaves the config file unchanged if the file is invalid", async () => {
    const r = await rig();
    await writeUserConfig(r, `{"apiKey": "${DEFAULT_KEY}"`);
    const ran = await logIn(r);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("not valid YAML or JSON");
    expect(await readFile(join(r.folder, USER_CONFIG), "utf8")).toBe(`{"apiKey": "${DEFAULT_KEY}"`);
  });
});
