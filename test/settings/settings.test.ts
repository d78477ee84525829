import { describe, expect, test } from "vitest";
import { connectionOf } from "../../src/settings/connection.ts";
import { resolveInProject } from "./project.ts";

describe("the project config file", () => {
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
  ])("a config file %s with %s is found in the folder or above", async (name, content) => {
    const settings = await resolveInProject({ files: { [name]: content }, below: "a/b" });
    expect(settings.retries).toMatchObject({ value: 7, source: "project config" });
    expect(settings.retries?.origin).toContain(name);
  });

  test("the nearest config file is used; empty files and a package.json without settings do not count", async () => {
    const files = {
      ".catalogrc": "retries: 1",
      "a/.catalogrc.json": '{"retries": 2}',
      "a/b/package.json": '{"keywords": ["catalog"]}',
      "a/b/c/.catalogrc": "",
    };
    expect((await resolveInProject({ files, below: "a/b/c" })).retries?.value).toBe(2);
  });

  test("a config file is never executed: JavaScript is rejected or ignored, even as an import", async () => {
    const script = "throw new Error('executed')";
    await expect(
      resolveInProject({ files: { "a.js": script }, flags: { config: "a.js" } }),
    ).rejects.toMatchObject({
      kind: "usage",
    });
    await expect(
      resolveInProject({ files: { "a.cjs": script, ".catalogrc": "$import: ./a.cjs" } }),
    ).rejects.toMatchObject({ kind: "usage" });
    const files = {
      ".config/config.js": script,
      "catalog.config.js": script,
      ".catalogrc.js": script,
    };
    expect((await resolveInProject({ files })).baseUrl).toBeUndefined();
  });

  test.each([
    ["an unknown setting", "baseURL: https://a.example", 'Did you mean "baseUrl"?'],
    ["an unknown setting of a profile", "profiles: {a: {timeuot: 3}}", 'Did you mean "timeout"?'],
    ["a name with a dot", "profiles.test: 1", "Available settings: apiKey"],
    ["a profile in a profile", "profiles: {a: {profile: b}}", "Available settings: "],
    ["profiles in a profile", "profiles: {a: {profiles: {}}}", "Available settings: "],
    ["a name of JavaScript", "constructor: 1", "Available settings: "],
  ])("a config file with %s is a usage error with advice", async (_, content, next) => {
    const error = await resolveInProject({ files: { ".catalogrc": content } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^unknown setting \S+ in \S+\.catalogrc$/),
      facts: { advice: expect.stringContaining(next), file: expect.stringContaining(".catalogrc") },
    });
  });
});

describe("a hostile config file", () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    return `    - &a${level + 1} [${Array(10).fill(`*a${level}`).join(",")}]\n`;
  });

  test.each([
    ["aliases of aliases", `rules:\n  spaces:\n    - &a0 [lol]\n${levels.join("")}`],
    ["a value that contains itself", "rules: {spaces: &a [*a]}"],
    ["one alias", "timeout: &t 3\nretries: *t"],
    ["aliases in a profile", "profiles: {a: &a {timeout: 3}, b: *a}"],
  ])("a config file with %s is refused at its place", async (_, content) => {
    for (const files of [{ ".catalogrc": content }, { "package.json": content }]) {
      await expect(resolveInProject({ files })).rejects.toMatchObject({
        kind: "usage",
        message: "not valid YAML or JSON",
        facts: { line: expect.any(Number), advice: expect.stringContaining("aliases") },
      });
    }
  });

  test("a rule or setting whose value is not a word is refused, and its value is not shown", async () => {
    for (const content of [
      "rules: {spaces: [[off]]}",
      "rules: {spaces: {a: off}}",
      "rules: {spaces: 1}",
      "timeout: [3]",
    ]) {
      const error = await resolveInProject({ files: { ".catalogrc": content } }).catch(String);
      expect(error).toMatch(/(rules\.spaces|timeout) in \S+ must be [^[{]*$/);
    }
  });

  test.each([
    ["timeout", `${"1".repeat(450_000)}.${"e".repeat(450_000)}`],
    ["baseUrl", `https://${"/".repeat(900_000)}x`],
    ["vendor", "-".repeat(900_000)],
  ])(
    "the setting %s of hundreds of thousands of characters is refused at once, and not shown",
    async (name, value) => {
      const content = JSON.stringify({ profiles: { a: { [name]: value } } });
      await expect(resolveInProject({ files: { ".catalogrc": content } })).rejects.toMatchObject({
        message: expect.stringMatching(new RegExp(`^profiles\\.a\\.${name} in \\S+ is too long$`)),
      });
    },
  );

  test("an unknown setting or a profile is named on one line without control characters", async () => {
    for (const config of [
      { "x\nCreated 5 courses.": 1 },
      { profiles: { "x\n\u001b[31m": { y: 1 } } },
    ]) {
      const files = { ".catalogrc": JSON.stringify(config) };
      const error = await resolveInProject({ files }).catch(String);
      expect(error).toMatch(/unknown setting (profiles\.)?x\\n\S.* in \S+$/);
    }
  });

  test("a config file of more than 1 MB is refused before it is read", async () => {
    for (const name of [".catalogrc", "catalog.config.json", "package.json"]) {
      const files = { [name]: `{"timeout": 3}${" ".repeat(1_000_000)}` };
      await expect(resolveInProject({ files })).rejects.toMatchObject({
        kind: "usage",
        message: expect.stringMatching(/^cannot read the config file .*: it is larger than 1 MB$/),
      });
    }
  });
});

describe("values of settings", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["CATALOG_TIMEOUT", { CATALOG_TIMEOUT: "soon" }],
    ["CATALOG_RETRIES", { CATALOG_RETRIES: "1.5" }],
    ["CATALOG_CONCURRENCY", { CATALOG_CONCURRENCY: "0" }],
    ["CATALOG_BASE_URL", { CATALOG_BASE_URL: "catalog.example" }],
    ["CATALOG_BASE_URL", { CATALOG_BASE_URL: "https://me:secret@catalog.example" }],
    ["CATALOG_VENDOR", { CATALOG_VENDOR: "a b" }],
    ["CATALOG_API_KEY", { CATALOG_API_KEY: "a\u0000b" }],
  ])("an error names an invalid %s: %j", async (name, environment) => {
    const error = await resolveInProject({ environment }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(name) });
  });

  test.each([
    "https://a.example/x?y=1",
    "https://a.example/#x",
    "ftp://a.example",
    "https://a.example/\u001b[2J",
    "https://a.example/\u202e",
    "a.example",
    "",
  ])("%j is rejected as a base URL", async (text) => {
    await expect(
      resolveInProject({ environment: { CATALOG_BASE_URL: text } }),
    ).rejects.toMatchObject({
      kind: "usage",
    });
  });

  test("a base URL loses the whitespace around it and the slashes at its end", async () => {
    const environment = { CATALOG_BASE_URL: " https://A.example/x/y// " };
    const { baseUrl } = await resolveInProject({ environment });
    expect(baseUrl?.value).toBe("https://A.example/x/y");
  });
});

describe("connectionOf", () => {
  const key = { CATALOG_API_KEY: "one.two" };

  async function connected(environment: Readonly<Record<string, string>>, insecure = false) {
    const options = {
      allowInsecureHttp: insecure,
      isUnattended: false,
      confirm: async () => false,
    };
    return await connectionOf(await resolveInProject({ environment }), options);
  }

  test.each([
    "http://127.0.0.1:4010",
    "http://127.1.2.3",
    "http://localhost",
    "http://[::1]:80",
    "https://a.example",
  ])("connectionOf accepts %s", async (url) => {
    expect((await connected({ ...key, CATALOG_BASE_URL: url })).baseUrl).toBe(url);
  });

  test.each(["http://a.example", "http://127.0.0.1.a.example", "http://localhost.a.example"])(
    "connectionOf requires --insecure-http for %s",
    async (url) => {
      const environment = { ...key, CATALOG_BASE_URL: url };
      await expect(connected(environment)).rejects.toMatchObject({ kind: "usage" });
      expect((await connected(environment, true)).baseUrl).toBe(url);
    },
  );
});

describe("syntax errors in the project config file", () => {
  test.each([
    [".catalogrc", "baseUrl: https://a.example\nretries: [1\ntimeout: 3\n", 3],
    [".catalogrc.json", '{"retries": 1,\n "timeout": 3,,}', 2],
    ["catalog.config.yaml", "retries: 1\nretries: 2\n", 2],
  ])("a syntax error in %s is reported with line and column", async (name, text, line) => {
    await expect(resolveInProject({ files: { [name]: text } })).rejects.toMatchObject({
      kind: "usage",
      facts: { file: expect.stringContaining(name), line, column: expect.any(Number) },
    });
  });
});
