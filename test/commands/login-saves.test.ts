/** What `catalog login` saves, where, and what it says of it (cli.md section 5). */
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import { said, spoilt } from "./helpers.ts";
import { CONFIG, logIn, pairOf, save, saved } from "./saved.ts";

describe("the base URL", () => {
  const bare = { CATALOG_BASE_URL: undefined };

  test("is that of the flag, of the environment, or of a config", async () => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    expect((await logIn(r, ["--base-url", `${baseUrl}/`], { environment: bare })).code).toBe(0);
    expect(await saved(r)).toEqual(pairOf(baseUrl));
    await r.write(".catalogrc", `baseUrl: ${baseUrl}`);
    expect((await logIn(r, ["--profile", "a"], { environment: bare })).code).toBe(0);
    expect(await saved(r)).toEqual({ ...pairOf(baseUrl), profiles: { a: pairOf(baseUrl) } });
  });

  test("of the saved pair is good for the next key", async () => {
    const r = await rig();
    await save(r, { baseUrl: r.sandbox.baseUrl, apiKey: "older.key-of-them" });
    expect((await logIn(r, [], { environment: bare })).code).toBe(0);
    expect(await saved(r)).toEqual(pairOf(r.sandbox.baseUrl));
  });
});

describe("what is saved", () => {
  test("is open to nobody else, as is its folder, and no draft is left", async () => {
    const r = await rig();
    const place = join(r.folder, "config-home");
    await mkdir(join(place, "catalog"), { recursive: true, mode: 0o755 });
    await logIn(r, [], { environment: { XDG_CONFIG_HOME: place } });
    expect((await stat(join(place, "catalog"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(place, "catalog/config.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(place, "catalog"))).toEqual(["config.json"]);
    await expect(stat(join(r.folder, ".config"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("closes a file that was open, and keeps all else in it", async () => {
    const r = await rig();
    const others = { retries: 1, profiles: { b: { timeout: 9 } } };
    const path = await save(r, others);
    await chmod(path, 0o644);
    expect((await logIn(r)).code).toBe(0);
    expect(await saved(r)).toEqual({ ...others, ...pairOf(r.sandbox.baseUrl) });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("replaces the pair, and says whose it was", async () => {
    const r = await rig();
    await save(r, { baseUrl: "https://old.example", apiKey: "older.key-of-them" });
    const ran = await logIn(r);
    expect(await saved(r)).toEqual(pairOf(r.sandbox.baseUrl));
    expect(ran.stderr).toContain("It replaces the one for https://old.example.");
    expect((await logIn(r)).stderr).not.toContain("replaces");
  });

  test("with --profile is a set of its own, which --profile then uses", async () => {
    const r = await rig();
    await save(r, { baseUrl: "https://old.example", apiKey: "older.key-of-them" });
    const ran = await logIn(r, ["--profile", "it's"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`, in the profile "it's".`);
    expect(await saved(r)).toEqual({
      ...{ baseUrl: "https://old.example", apiKey: "older.key-of-them" },
      profiles: { "it's": pairOf(r.sandbox.baseUrl) },
    });
    const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
    const words = ["providers", "ls", "--profile", "it's"];
    expect((await r.run(words, { environment })).code).toBe(0);
  });

  test("goes through a link to where it leads, and the link stays", async () => {
    const r = await rig();
    const path = join(r.folder, CONFIG);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await r.write("dotfiles/catalog.json", "{}");
    await symlink(join(r.folder, "dotfiles/catalog.json"), path);
    expect((await logIn(r)).code).toBe(0);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    const target = join(r.folder, "dotfiles/catalog.json");
    expect(JSON.parse(await readFile(target, "utf8"))).toEqual(pairOf(r.sandbox.baseUrl));
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(r.folder, "dotfiles"))).toEqual(["catalog.json"]);
  });
});

describe("what stands before the saved pair is told", () => {
  test("a key in the environment", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { CATALOG_API_KEY: "another.key-of-them" } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("warning: the key of CATALOG_API_KEY still comes before");
  });

  test("the project's base URL, where another was given", async () => {
    const r = await rig();
    await r.write(".catalogrc", "baseUrl: https://project.example");
    const words = ["--base-url", r.sandbox.baseUrl];
    const ran = await logIn(r, words, { environment: { CATALOG_BASE_URL: undefined } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/warning: the base URL here is still https:\/\/project\.example/);
    expect(ran.stderr).toContain(".catalogrc");
  });

  test("but not the same base URL in other words", async () => {
    const r = await rig();
    await r.write(".catalogrc", `baseUrl: ${r.sandbox.baseUrl.replace("http", "HTTP")}/`);
    const words = ["--base-url", r.sandbox.baseUrl];
    const ran = await logIn(r, words, { environment: { CATALOG_BASE_URL: undefined } });
    expect(ran.stderr).not.toContain("warning");
  });
});

describe("what is said", () => {
  test("names at most five providers, and makes their names safe", async () => {
    const r = await rig();
    const body = JSON.stringify(
      [..."abcdefg"].map((name) => ({ id: name, name: `${name}\u001b[31m`, slug: name, url: "" })),
    );
    const { environment } = await spoilt(r, () => ({ status: 200, body }));
    const { stderr } = await logIn(r, [], { environment });
    expect(stderr).toContain("It has 7 providers: a\\x1b[31m, ");
    expect(stderr).toContain("and 2 more.");
    expect(stderr).not.toContain("\u001b");
  });

  test("is JSON with --json, and nothing with --quiet", async () => {
    const r = await rig();
    const notices = said(await logIn(r, ["--json"])).map(({ notice }) => notice);
    expect(notices).toEqual([expect.stringMatching(/^Saved the key/), expect.any(String)]);
    expect((await logIn(r, ["--quiet"])).stderr).toBe("");
  });
});
