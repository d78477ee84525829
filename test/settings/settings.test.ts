import { describe, expect, test } from "vitest";
import { userFolder } from "../../src/base/files.ts";
import { connectionOf } from "../../src/settings/connection.ts";
import { createProject, resolveInProject } from "./project.ts";

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
    // As with Bun.
    "a/b/package.json": '{"keywords": ["catalog"], "catalog": {"zod": "4"}}',
    "a/b/c/.catalogrc": "",
  };
  expect((await resolveInProject({ files, below: "a/b/c" })).retries?.value).toBe(2);
});

test("a config file is never executed: JavaScript is rejected or ignored, even as an import", async () => {
  const script = "throw new Error('executed')";
  for (const given of [
    { files: { "a.js": script }, flags: { config: "a.js" } },
    { files: { "a.cjs": script, ".catalogrc": "$import: ./a.cjs" } },
  ]) {
    await expect(resolveInProject(given)).rejects.toMatchObject({ kind: "usage" });
  }
  const names = [".config/config.js", "catalog.config.js", ".catalogrc.js"];
  const files = Object.fromEntries(names.map((name) => [name, script]));
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

describe("a hostile config file", () => {
  test.each([
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

test.each([
  ["CATALOG_TIMEOUT", "soon"],
  ["CATALOG_RETRIES", "1.5"],
  ["CATALOG_CONCURRENCY", "0"],
  ["CATALOG_VENDOR", "a b"],
  ["CATALOG_API_KEY", "a\u0000b"],
  ["CATALOG_BASE_URL", "a.example"],
  ["CATALOG_BASE_URL", "ftp://a.example"],
  ["CATALOG_BASE_URL", "https://me:secret@a.example"],
  ["CATALOG_BASE_URL", "https://a.example/x?y=1"],
  ["CATALOG_BASE_URL", "https://a.example/#x"],
  ["CATALOG_BASE_URL", "https://a.example/\u001b[2J"],
  ["CATALOG_BASE_URL", "https://a.example/\u202e"],
])("an error names an invalid %s: %j", async (name, value) => {
  await expect(resolveInProject({ environment: { [name]: value } })).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(name),
  });
});

test("a base URL loses the whitespace around it and the slashes at its end", async () => {
  const environment = { CATALOG_BASE_URL: " https://A.example/x/y// " };
  const { baseUrl } = await resolveInProject({ environment });
  expect(baseUrl?.value).toBe("https://A.example/x/y");
});

test.each([
  ["http://127.1.2.3:4010", true],
  ["http://localhost", true],
  ["http://[::1]:80", true],
  ["https://a.example", true],
  ["http://a.example", false],
  ["http://127.0.0.1.a.example", false],
  ["http://localhost.a.example", false],
])("connectionOf accepts %s without --insecure-http: %s", async (url, isAccepted) => {
  const environment = { CATALOG_API_KEY: "one.two", CATALOG_BASE_URL: url };
  const settings = await resolveInProject({ environment });
  const connect = async (allowInsecureHttp: boolean) => {
    const options = { allowInsecureHttp, isUnattended: false, confirm: async () => false };
    return (await connectionOf(settings, options)).baseUrl;
  };
  if (isAccepted) expect(await connect(false)).toBe(url);
  else await expect(connect(false)).rejects.toMatchObject({ kind: "usage" });
  expect(await connect(true)).toBe(url);
});

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

describe("every source", () => {
  /** From the first to the last source, with a different value in each. */
  const rows = [
    ["timeout", "CATALOG_TIMEOUT", [11, 12, 13, 15, 16, 30]],
    ["retries", "CATALOG_RETRIES", [11, 12, 13, 15, 16, 6]],
    ["concurrency", "CATALOG_CONCURRENCY", [11, 12, 13, 15, 16, 4]],
    ["vendor", "CATALOG_VENDOR", [undefined, "env", "profile", "project", "user", "pgrst"]],
  ] as const;
  const SOURCES = ["flag", "environment", "profile", "project config", "user config", "default"];

  test.each(rows)(
    "the setting %s is read from flag, environment, profile, config files and default in this order",
    async (name, variable, values) => {
      for (const isProjects of [true, false]) {
        for (let first = 0; first < SOURCES.length; first++) {
          const at = (index: number): Record<string, string | number> => {
            const value = values[index];
            return value === undefined || index < first ? {} : { [name]: value };
          };
          const [flag] = Object.values(at(0));
          const [environment] = Object.values(at(1));
          const profiles = { it: at(2) };
          const settings = await resolveInProject({
            flags: { profile: "it", ...(flag === undefined ? {} : { [name]: flag }) },
            environment: environment === undefined ? {} : { [variable]: String(environment) },
            files: { ".catalogrc": JSON.stringify({ ...at(3), ...(isProjects && { profiles }) }) },
            user: JSON.stringify({ ...at(4), ...(!isProjects && { profiles }) }),
          });
          const found = values.findIndex((value, index) => index >= first && value !== undefined);
          const owner = isProjects ? "project config" : "user config";
          const source = SOURCES[found] === "profile" ? owner : SOURCES[found];
          expect([settings[name]?.value, settings[name]?.source]).toEqual([values[found], source]);
        }
      }
    },
  );

  test("the profile is read from flag, environment, project config and user config in this order", async () => {
    const names = ["flag", "environment", "project", "user"];
    const profiles = Object.fromEntries(names.map((name, index) => [name, { retries: index }]));
    const given = {
      flags: { profile: "flag" },
      environment: { CATALOG_PROFILE: "environment" },
      files: {
        ".catalogrc": JSON.stringify({ profile: "project", profiles: { project: { retries: 2 } } }),
      },
      user: JSON.stringify({ profile: "user", profiles }),
    };
    const steps = [{}, { flags: {} }, { environment: {} }, { files: {} }];
    for (const [index, name] of names.entries()) {
      const without: object = Object.assign({}, ...steps.slice(0, index + 1));
      const { profile, retries } = await resolveInProject({ ...given, ...without });
      expect([profile?.value, retries.value]).toEqual([name, index]);
    }
  });

  const user = '{"profiles": {"one": {}, "two": {}}}';
  test.each([
    [{ flags: { profile: "live" } }, "To save it: catalog login --profile live"],
    [{ flags: { profile: "live" }, user }, "Available profiles: one and two."],
    [{ files: { ".catalogrc": "profile: live" } }, "Pass --profile live for your own"],
    [{ files: { ".catalogrc.yaml": "profile: prod" }, user }, "Pass --profile prod"],
  ])("an unknown profile is a usage error with advice: %j", async (given, advice) => {
    await expect(resolveInProject(given)).rejects.toMatchObject({
      kind: "usage",
      facts: { advice: expect.stringContaining(advice) },
    });
  });
});

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";

test.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ["linux", { XDG_CONFIG_HOME: "/x", HOME: "/h" }, "/x/catalog/config.json"],
  ["linux", { XDG_CONFIG_HOME: "x", HOME: "/h" }, "/h/.config/catalog/config.json"],
  ["linux", { XDG_CONFIG_HOME: "", HOME: "/h" }, "/h/.config/catalog/config.json"],
  ["linux", { XDG_CONFIG_HOME: "x", HOME: "" }, undefined],
  ["win32", { APPDATA: "/a", USERPROFILE: "/u" }, "/a/catalog/config.json"],
  ["win32", { USERPROFILE: "/u" }, "/u/.config/catalog/config.json"],
])("on %s with %j, the user config file is %s", (platform, environment, path) => {
  expect(userFolder("config", { environment, platform }, "config.json")).toBe(path);
});

test.each<[string, string | Uint8Array]>([
  ["no content", ""],
  ["a byte order mark alone", "\ufeff"],
  ["an empty list of profiles", '{"profiles": {}}'],
])("a user config file with %s sets nothing", async (_, user) => {
  const { apiKey, baseUrl, retries } = await resolveInProject({ user });
  expect([apiKey, baseUrl, retries.value]).toEqual([undefined, undefined, 6]);
});

test.each<[string | Uint8Array, string]>([
  [`"${KEY}"`, "must contain settings"],
  ['{"retries": true}', "retries in"],
  [`{"apiKey": {"${KEY}": "${KEY}"}}`, "apiKey in"],
  [`{"profiles": {"a": "${KEY}"}}`, "profiles.a in"],
  [`{"baseUrl": "${URL}", "apiKey": ""}`, "apiKey in"],
  [`{"baseUrl": "https://me:${KEY}@a.example"}`, "baseUrl in"],
  [`{"apiKey": "${KEY}`, "not valid YAML or JSON"],
  [`{apiKey:${KEY}}`, "unknown setting apiKey in"],
  [KEY, "must contain settings"],
  [`{"baseUrl": ":${KEY}"}`, "must be a complete http or https URL without"],
  [`{"baseUrl": "someone:fedcba9876543210"}`, "must be a complete http or https URL without"],
  [Buffer.from(`{"apiKey": "${KEY}\xff"}`, "latin1"), "apiKey in"],
])("the config file %s is rejected without being quoted", async (user, message) => {
  const at = await createProject({ user });
  const error = await resolveInProject({}, at).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(message) });
  const said = JSON.stringify([String(error), error]);
  expect(said).toContain(at.userFile);
  expect(said).not.toMatch(/person|fedc|12345/);
  expect((error as Error).stack).not.toMatch(/person|fedc|12345/);
});

test("an unknown name of a setting is shown", async () => {
  for (const name of ["production-2026-11", "staging2", "courses_of_the_academy"]) {
    const wrong = resolveInProject({ files: { ".catalogrc": `profiles: {${name}: 1}` } });
    await expect(wrong).rejects.toThrow(`profiles.${name} in `);
  }
});
