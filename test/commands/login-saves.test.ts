import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import { jsonMessages, unreliableService } from "./helpers.ts";
import { logIn, readUserConfig, savedKeyFor, writeUserConfig } from "./saved-key.ts";

describe("base URL", () => {
  const bare = { CATALOG_BASE_URL: undefined };

  test("login reads the base URL from the flag or the user config file", async () => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    expect((await logIn(r, ["--base-url", `${baseUrl}/`], { environment: bare })).code).toBe(0);
    expect(await readUserConfig(r)).toEqual(savedKeyFor(baseUrl));
    expect((await logIn(r, ["--profile", "a"], { environment: bare })).code).toBe(0);
    expect(await readUserConfig(r)).toEqual({
      ...savedKeyFor(baseUrl),
      profiles: { a: savedKeyFor(baseUrl) },
    });
  });

  test("login uses the saved base URL for the next key", async () => {
    const r = await rig();
    await writeUserConfig(r, { baseUrl: r.sandbox.baseUrl, apiKey: "older.key-of-them" });
    expect((await logIn(r, [], { environment: bare })).code).toBe(0);
    expect(await readUserConfig(r)).toEqual(savedKeyFor(r.sandbox.baseUrl));
  });
});

describe("saved key", () => {
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

  test("login replaces the previous key and reports the base URL of the previous key", async () => {
    const r = await rig();
    await writeUserConfig(r, { baseUrl: "https://old.example", apiKey: "older.key-of-them" });
    const ran = await logIn(r);
    expect(await readUserConfig(r)).toEqual(savedKeyFor(r.sandbox.baseUrl));
    expect(ran.stderr).toContain("Replaced the saved key for https://old.example.");
    expect((await logIn(r)).stderr).not.toContain("Replaced");
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
});

describe("warnings about another key or base URL", () => {
  test("login warns if a key in the environment overrides the saved key", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { CATALOG_API_KEY: "another.key-of-them" } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("warning: CATALOG_API_KEY is set, and overrides what was saved");
  });

  test("login warns about another base URL in the environment, and not about another spelling of the same one", async () => {
    const r = await rig();
    const words = ["--base-url", r.sandbox.baseUrl];
    const other = { CATALOG_BASE_URL: `${r.sandbox.baseUrl.replace("http", "HTTP")}/` };
    expect((await logIn(r, words, { environment: other })).stderr).not.toContain("warning");
    const different = { CATALOG_BASE_URL: "https://other.example" };
    expect((await logIn(r, words, { environment: different })).stderr).toContain(
      "warning: CATALOG_BASE_URL is set, and overrides what was saved",
    );
  });
});

describe("messages", () => {
  test("login lists at most five providers and escapes control characters in their names", async () => {
    const r = await rig();
    const body = JSON.stringify(
      [..."abcdefg"].map((name) => ({ id: name, name: `${name}\u001b[31m`, slug: name, url: "" })),
    );
    const { environment } = await unreliableService(r, () => ({ status: 200, body }));
    const { stderr } = await logIn(r, [], { environment });
    expect(stderr).toContain("You can publish for 7 providers: a\\x1b[31m, ");
    expect(stderr).toContain("and 2 more.");
    expect(stderr).not.toContain("\u001b");
  });

  test("login prints messages as JSON with --json and no messages with --quiet", async () => {
    const r = await rig();
    const notices = jsonMessages(await logIn(r, ["--json"])).map(({ notice }) => notice);
    expect(notices).toEqual([
      expect.stringMatching(/^Logged in to .* Saved the key/),
      expect.any(String),
    ]);
    expect((await logIn(r, ["--quiet"])).stderr).toBe("");
  });
});
