/** Where each setting comes from, and what is refused (cli.md section 5). */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectionOf } from "../../src/settings/connection.ts";
import { resolveSettings, type Settings } from "../../src/settings/resolve.ts";

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "catalog-settings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
  readonly below?: string;
  readonly configFile?: string;
}

async function settled({
  files = {},
  environment = {},
  flags = {},
  below = ".",
  configFile,
}: Given): Promise<Settings> {
  const folder = await folderOf(files);
  await mkdir(join(folder, below), { recursive: true });
  return await resolveSettings({
    flags,
    environment,
    platform: "linux",
    folder: join(folder, below),
    configFile,
  });
}

describe("precedence", () => {
  const files = { ".catalogrc": "baseUrl: https://project.example\ntimeout: 5\n" };

  test("flag, then environment, then project config, then default, each with its source", async () => {
    const environment = { CATALOG_BASE_URL: "https://environment.example" };
    const flags = { baseUrl: "https://flag.example" };
    expect((await settled({ files, environment, flags })).baseUrl).toMatchObject({
      value: "https://flag.example",
      source: "flag",
    });
    expect((await settled({ files, environment })).baseUrl).toMatchObject({
      value: "https://environment.example",
      source: "environment",
    });
    expect((await settled({ files })).baseUrl).toMatchObject({
      value: "https://project.example",
      source: "project config",
    });
    expect((await settled({ files })).timeout).toMatchObject({ value: 5 });
    expect((await settled({})).timeout).toMatchObject({ value: 30, source: "default" });
    expect((await settled({})).baseUrl).toBeUndefined();
  });

  test("an empty variable counts as none", async () => {
    expect((await settled({ files, environment: { CATALOG_BASE_URL: "" } })).baseUrl?.source).toBe(
      "project config",
    );
  });

  test("a profile is a named set; the environment wins over it, flags over both", async () => {
    const profiles =
      "baseUrl: https://live.example\nprofiles:\n  test: {baseUrl: https://test.example}\n";
    const given = { files: { ".catalogrc": profiles } };
    expect((await settled({ ...given, flags: { profile: "test" } })).baseUrl?.value).toBe(
      "https://test.example",
    );
    expect(
      (
        await settled({
          ...given,
          environment: { CATALOG_PROFILE: "test", CATALOG_BASE_URL: "https://env.example" },
        })
      ).baseUrl?.value,
    ).toBe("https://env.example");
    expect((await settled(given)).baseUrl?.value).toBe("https://live.example");
    await expect(settled({ ...given, flags: { profile: "tset" } })).rejects.toMatchObject({
      kind: "usage",
      facts: { next: "Did you mean test?" },
    });
  });
});

describe("the project config", () => {
  test.each([
    ["package.json", '{"name": "x", "catalog": {"retries": 7}}'],
    [".catalogrc", "retries: 7"],
    [".catalogrc", '{"retries": 7}'],
    [".catalogrc.json", '{"retries": 7}'],
    [".catalogrc.yaml", "retries: 7"],
    [".catalogrc.yml", "retries: 7"],
    ["catalog.config.json", '{"retries": 7}'],
    ["catalog.config.yaml", "retries: 7"],
    ["catalog.config.yml", "retries: 7"],
  ])("is found as %s, from the folder upward", async (name, content) => {
    const settings = await settled({ files: { [name]: content }, below: "a/b" });
    expect(settings.retries).toMatchObject({ value: 7, source: "project config" });
    expect(settings.retries?.origin).toContain(name);
  });

  test("nearer wins; a package.json that does not speak of it is passed over", async () => {
    const files = {
      ".catalogrc": "retries: 1",
      "a/.catalogrc.json": '{"retries": 2}',
      "a/b/package.json": '{"keywords": ["catalog"]}',
      "a/b/c/.catalogrc": "",
    };
    expect((await settled({ files, below: "a/b/c" })).retries?.value).toBe(2);
  });

  test("--config names the file to use instead", async () => {
    const files = { ".catalogrc": "retries: 1", "other.yaml": "retries: 3" };
    expect((await settled({ files, configFile: "other.yaml" })).retries?.value).toBe(3);
    expect(
      (await settled({ files, environment: { CATALOG_CONFIG: "other.yaml" } })).retries?.value,
    ).toBe(3);
    await expect(settled({ configFile: "none.yaml" })).rejects.toMatchObject({ kind: "usage" });
  });

  test("is never executed: JavaScript is no config, not even by import", async () => {
    const script = "throw new Error('executed')";
    await expect(settled({ files: { "a.js": script }, configFile: "a.js" })).rejects.toMatchObject({
      kind: "usage",
    });
    await expect(
      settled({ files: { "a.cjs": script, ".catalogrc": "$import: ./a.cjs" } }),
    ).rejects.toMatchObject({ kind: "usage" });
    const files = {
      ".config/config.js": script,
      "catalog.config.js": script,
      ".catalogrc.js": script,
    };
    expect((await settled({ files })).baseUrl).toBeUndefined();
  });

  test.each([
    [
      "an unknown key is an error that names key and file, with a suggestion",
      "baseURL: https://a.example",
      "Did you mean baseUrl?",
    ],
    ["an unknown key of a profile", "profiles: {a: {timeuot: 3}}", "Did you mean timeout?"],
  ])("%s", async (_, content, next) => {
    const error = await settled({ files: { ".catalogrc": content } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      kind: "usage",
      facts: { next, file: expect.stringContaining(".catalogrc") },
    });
  });

  test.each([
    "{",
    "- a",
    "timeout: {a: 1}",
    "profiles: 1",
    "retries: -1",
    "concurrency: 0",
    "timeout: 0",
  ])("%j is a usage error", async (content) => {
    await expect(settled({ files: { ".catalogrc": content } })).rejects.toMatchObject({
      kind: "usage",
    });
  });
});

describe("values", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["CATALOG_TIMEOUT", { CATALOG_TIMEOUT: "soon" }],
    ["CATALOG_TIMEOUT", { CATALOG_TIMEOUT: "-1" }],
    ["CATALOG_RETRIES", { CATALOG_RETRIES: "1.5" }],
    ["CATALOG_CONCURRENCY", { CATALOG_CONCURRENCY: "0" }],
    ["CATALOG_BASE_URL", { CATALOG_BASE_URL: "catalog.example" }],
    ["CATALOG_BASE_URL", { CATALOG_BASE_URL: "https://me:secret@catalog.example" }],
    ["CATALOG_VENDOR", { CATALOG_VENDOR: "a b" }],
    ["CATALOG_API_KEY", { CATALOG_API_KEY: "a\u0000b" }],
  ])("a bad %s is a usage error that names it", async (name, environment) => {
    const error = await settled({ environment }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(name) });
  });

  test("a key that cannot be a header is refused without being shown", async () => {
    const error = await settled({ environment: { CATALOG_API_KEY: "geheim.schlüssel" } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ kind: "usage", message: expect.not.stringContaining("geheim") });
  });

  test("--retries 0 is allowed", async () => {
    expect((await settled({ flags: { retries: "0" } })).retries?.value).toBe(0);
  });
});

describe("the connection", () => {
  const key = { CATALOG_API_KEY: "one.two" };

  async function connected(
    environment: Readonly<Record<string, string>>,
    insecure = false,
    files = {},
  ) {
    return connectionOf(await settled({ environment, files }), insecure);
  }

  test("without a base URL is a usage error, also when the key is missing; without a key an auth error", async () => {
    await expect(connected({})).rejects.toMatchObject({ kind: "usage" });
    await expect(connected({ CATALOG_BASE_URL: "https://a.example" })).rejects.toMatchObject({
      kind: "auth",
    });
  });

  test.each([
    "http://127.0.0.1:4010",
    "http://127.1.2.3",
    "http://localhost",
    "http://[::1]:80",
    "https://a.example",
  ])("%s is accepted", async (url) => {
    expect((await connected({ ...key, CATALOG_BASE_URL: url })).baseUrl).toBe(url);
  });

  test.each(["http://a.example", "http://127.0.0.1.a.example", "http://localhost.a.example"])(
    "%s needs --insecure-http",
    async (url) => {
      const environment = { ...key, CATALOG_BASE_URL: url };
      await expect(connected(environment)).rejects.toMatchObject({ kind: "usage" });
      expect((await connected(environment, true)).baseUrl).toBe(url);
    },
  );

  test("a key in a project file works, with a warning; so does one of another shape", async () => {
    const url = { CATALOG_BASE_URL: "https://a.example" };
    expect((await connected({ ...url, ...key })).warnings).toEqual([]);
    expect((await connected({ ...url, CATALOG_API_KEY: "one" })).warnings).toHaveLength(1);
    const files = { ".catalogrc": "apiKey: one.two" };
    const { warnings } = await connected(url, false, files);
    expect(warnings).toEqual([expect.stringContaining("project file")]);
    expect(warnings.join()).not.toContain("one.two");
  });
});
