/** A cloned project decides neither where a key is sent nor which account is changed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { course } from "../rig.ts";
import { type Attack, attack, KEY, type ProjectFiles, saveUserConfig, writeFiles } from "./rig.ts";

/** A project whose config has the attacker's address. */
const redirecting = (address: string): ProjectFiles => ({ ".catalogrc": `baseUrl: ${address}\n` });

const WITH_KEY = { CATALOG_API_KEY: DEFAULT_KEY };

describe("login in a hostile checkout", () => {
  test("login --with-key does not send the key to the project's base URL, and names the URL", async () => {
    const { run, attacker, project } = await attack(redirecting);
    const ran = await run(["login", "--with-key"], { input: KEY });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain("error: no base URL is set");
    expect(ran.stderr).toContain(
      `The project suggests the base URL ${attacker.baseUrl} (baseUrl in ${join(project, ".catalogrc")})`,
    );
  });

  test("login --with-key uses the base URL of the user config file, not of the project", async () => {
    const { run, home, r } = await attack(redirecting);
    await saveUserConfig(home, { baseUrl: r.sandbox.baseUrl });
    const ran = await run(["login", "--with-key"], { input: DEFAULT_KEY });
    expect([ran.code, ran.requests]).toEqual([0, []]);
  });

  test("login --profile does not use the base URL of the project's profile with the same name", async () => {
    const { run } = await attack((address) => ({
      ".catalogrc": `profiles: {prod: {baseUrl: ${address}}}\n`,
    }));
    const ran = await run(["login", "--with-key", "--profile", "prod"], { input: KEY });
    expect([ran.code, ran.requests]).toEqual([2, []]);
  });

  test("login saves the key in no profile that the project selects", async () => {
    const { run, home, r } = await attack(() => ({ ".catalogrc": "profile: prod\n" }));
    const words = ["login", "--with-key", "--base-url", r.sandbox.baseUrl];
    expect((await run(words, { input: DEFAULT_KEY })).code).toBe(0);
    const saved = await readFile(join(home, ".config/catalog/config.json"), "utf8");
    expect(JSON.parse(saved)).toEqual({ baseUrl: r.sandbox.baseUrl, apiKey: DEFAULT_KEY });
  });
});

describe("profiles in a hostile checkout", () => {
  /** A user with an account in production, in a project that selects it. */
  async function production(): Promise<Attack> {
    const prepared = await attack(() => ({
      ".catalogrc": "profile: prod\n",
      "courses/a.json": JSON.stringify(course()),
    }));
    const { home, attacker } = prepared;
    const prod = { baseUrl: attacker.baseUrl, apiKey: DEFAULT_KEY };
    await saveUserConfig(home, { profiles: { prod } });
    return prepared;
  }

  test.each(["courses push --prune --yes courses", "courses ls", "status"])(
    "a project cannot select a profile of the user: %s",
    async (line) => {
      const { run } = await production();
      const ran = await run(line.split(" "));
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain(
        'selects the profile "prod", which is only in your user config file',
      );
      expect(ran.stderr).toContain("To use the profile, pass --profile prod.");
    },
  );

  test("a profile of the user is used if a flag selects it", async () => {
    const { run } = await production();
    const ran = await run(["providers", "ls", "-o", "id", "--profile", "prod"]);
    expect([ran.code, ran.requests.length]).toEqual([0, 1]);
  });

  test("a project's profile with the name of a user's profile does not get the user's values", async () => {
    const { run, home, r } = await attack((address) => ({
      ".catalogrc": `profile: prod\nprofiles: {prod: {baseUrl: ${address}}}\n`,
    }));
    const prod = { baseUrl: r.sandbox.baseUrl, apiKey: KEY, retries: 7 };
    await saveUserConfig(home, { profiles: { prod } });
    const ran = await run(["status", "--json"]);
    expect([ran.code, ran.requests]).toEqual([4, []]);
    expect(ran.stdout).not.toContain('"value": 7');
  });
});

describe("the project's base URL and another key", () => {
  test("init does not contact the project's base URL with another key", async () => {
    const { run } = await attack(redirecting);
    const ran = await run(["courses", "init"], { environment: WITH_KEY });
    expect([ran.code, ran.requests]).toEqual([0, []]);
  });

  test("init does not contact the project's base URL even if the project also has a key", async () => {
    const { run } = await attack((address) => ({
      ".catalogrc": `{baseUrl: ${address}, apiKey: ${DEFAULT_KEY}}\n`,
    }));
    const ran = await run(["courses", "init"]);
    expect([ran.code, ran.requests]).toEqual([0, []]);
    expect(ran.stderr).toContain("the base URL from ./.catalogrc");
    expect((await run(["providers", "ls"])).stderr).not.toContain("base URL from");
  });

  test.each([
    "courses ls -o id",
    "status -o json",
    "courses pull out",
    "api GET developer/v1/courses",
  ])("one line announces the project's base URL: %s", async (line) => {
    const { run, attacker } = await attack(redirecting);
    const ran = await run(line.split(" "), { environment: WITH_KEY });
    const announced = `base URL from ./.catalogrc: ${attacker.baseUrl}\n`;
    expect(ran.code).toBe(0);
    expect(ran.stderr.split("base URL from").length - 1).toBe(1);
    if (line.includes("json")) expect(ran.stderr).toBe(`{"notice":"${announced.trim()}"}\n`);
    else expect(ran.stderr.startsWith(announced)).toBe(true);
  });

  test("the project's base URL is not announced with --quiet, or if the user chooses the URL", async () => {
    const { run, attacker } = await attack(redirecting);
    const words = ["providers", "ls", "-o", "id"];
    expect((await run([...words, "--quiet"], { environment: WITH_KEY })).stderr).toBe("");
    const own = { ...WITH_KEY, CATALOG_BASE_URL: attacker.baseUrl };
    expect((await run(words, { environment: own })).stderr).toBe("");
  });

  test("the announcement of the project's base URL names its file relative to the current folder", async () => {
    const { run, project, attacker } = await attack((address) => ({
      ...redirecting(address),
      "a/b/c.yaml": "",
    }));
    const folder = join(project, "a/b");
    const words = ["providers", "ls", "-o", "id"];
    const ran = await run(words, { environment: WITH_KEY, folder });
    expect(ran.stderr).toBe(`base URL from ../../.catalogrc: ${attacker.baseUrl}\n`);
  });
});

describe("the environment's key and the project's base URL in CI", () => {
  const inCi = { ...WITH_KEY, CI: "true" };
  const profiled = (address: string): ProjectFiles => ({
    "package.json": JSON.stringify({ catalog: { profiles: { ci: { baseUrl: address } } } }),
  });

  test.each([
    "courses ls",
    "courses push --yes courses",
    "status",
    "api GET developer/v1/courses",
    "providers ls --quiet",
  ])("in CI, the key is not sent to the project's URL: catalog %s", async (line) => {
    const { run } = await attack((address) => ({
      ...redirecting(address),
      "courses/a.json": JSON.stringify(course()),
    }));
    const ran = await run(line.split(" "), { environment: inCi });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(
      "in CI, catalog does not send the key from CATALOG_API_KEY to the base URL in ./.catalogrc",
    );
    expect(ran.stderr.replace(/\s+/g, " ")).toContain(
      "Set CATALOG_BASE_URL, or pass --base-url. If you trust the file, pass --config ./.catalogrc.",
    );
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["--profile", ["--profile", "ci"], {}],
    ["CATALOG_PROFILE", [], { CATALOG_PROFILE: "ci" }],
  ])("in CI, the key is not sent to a URL that %s selects", async (_, flags, environment) => {
    const { run } = await attack(profiled);
    const words = ["courses", "ls", ...flags];
    const ran = await run(words, { environment: { ...inCi, ...environment } });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain("pass --config ./package.json");
  });

  test("in CI, the key is sent if a flag or variable names the file or the base URL, or if CI is false", async () => {
    const { run, attacker } = await attack(redirecting);
    const cases: readonly [readonly string[], Readonly<Record<string, string>>][] = [
      [["--config", ".catalogrc"], {}],
      [[], { CATALOG_CONFIG: ".catalogrc" }],
      [["--base-url", attacker.baseUrl], {}],
      [[], { CATALOG_BASE_URL: attacker.baseUrl }],
      [[], { CI: "false" }],
      [[], { CI: "" }],
    ];
    for (const [flags, environment] of cases) {
      const words = ["providers", "ls", ...flags];
      const ran = await run(words, { environment: { ...inCi, ...environment } });
      expect([flags, environment, ran.code]).toEqual([flags, environment, 0]);
    }
  });

  test("in CI, a key of the project or a key saved for the base URL is sent", async () => {
    const { run, home, project, attacker } = await attack(redirecting);
    const { baseUrl } = attacker;
    await saveUserConfig(home, { baseUrl, apiKey: DEFAULT_KEY });
    const words = ["providers", "ls"];
    expect((await run(words, { environment: { CI: "true" } })).code).toBe(0);
    await saveUserConfig(home, {});
    await writeFiles(project, { ".catalogrc": `{baseUrl: ${baseUrl}, apiKey: ${DEFAULT_KEY}}\n` });
    expect((await run(words, { environment: { CI: "true" } })).code).toBe(0);
  });

  test("in CI, the key is not sent if the variable of the base URL is empty", async () => {
    const { run } = await attack(redirecting);
    for (const CI of ["true", undefined]) {
      const environment = { ...WITH_KEY, CI, CATALOG_BASE_URL: "" };
      const ran = await run(["courses", "ls"], { environment });
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain("CATALOG_BASE_URL is set but empty");
    }
  });
});

describe("references to the user config file", () => {
  const at = ".config/catalog/config.json";

  test.each<[string, (address: string) => ProjectFiles]>([
    [
      "by an import",
      (address) => ({
        ".catalogrc.json": `{"baseUrl": "${address}", "$import": "../../home/${at}"}`,
      }),
    ],
    [
      "by an import in package.json",
      (address) => ({
        "package.json": `{"catalog": {"baseUrl": "${address}", "$import": "../../home/${at}"}}`,
      }),
    ],
    [
      "by a symbolic link",
      (address) => ({
        ".catalogrc": { link: `../../home/${at}` },
        ".catalogrc.json": `{"baseUrl": "${address}"}`,
      }),
    ],
  ])("a project's config file cannot include the user config file %s", async (_, files) => {
    const { run, project, r } = await attack(files);
    // The clone is next to the home folder, as in `~/../home`.
    const home = join(project, "../../home");
    await saveUserConfig(home, { baseUrl: r.sandbox.baseUrl, apiKey: KEY });
    const ran = await run(["courses", "ls"], { environment: { HOME: home } });
    expect(ran.requests).toEqual([]);
  });
});

describe("values that look like a key", () => {
  test("an error about any setting does not quote a value that looks like a key", async () => {
    const { run, project } = await attack(() => ({ ".catalogrc": "" }));
    const settings = Object.keys(SETTINGS).filter((name) => name !== "apiKey");
    for (const setting of settings) {
      // A vendor prefix may have the form of a key, but no space.
      const value = setting === "vendor" ? `x ${KEY}` : KEY;
      await writeFiles(project, { ".catalogrc": `${setting}: ${value}\n` });
      // It fails if an output contains the key.
      const ran = await run(["courses", "ls"]);
      expect([setting, ran.code]).toEqual([setting, 2]);
      expect(ran.stderr).toContain(setting === "baseUrl" ? "base URL" : setting);
    }
  });

  test("an error about the name of a rule does not quote a value that looks like a key", async () => {
    const { run } = await attack(() => ({
      ".catalogrc": `rules: {${KEY}: off}\n`,
      "a.json": "{}",
    }));
    for (const words of [["status"], ["courses", "check", "a.json"]]) {
      const ran = await run(words);
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/unknown rule in \S+\n/),
      });
    }
  });

  test("an error about the name of a config file does not quote a value that looks like a key", async () => {
    const { run } = await attack(() => ({ "a.yaml": "" }));
    for (const environment of [{ CATALOG_CONFIG: KEY }, {}]) {
      const words = "CATALOG_CONFIG" in environment ? ["status"] : ["status", "--config", KEY];
      const ran = await run(words, { environment });
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("no such config file\n"),
      });
    }
  });

  test("status masks a value that looks like a key in a setting that accepts it", async () => {
    const { run } = await attack(() => ({ ".catalogrc": `vendor: ${KEY}\n` }));
    const ran = await run(["status", "-o", "csv", "--fields", "name,value"]);
    expect(ran.stdout).toContain("\nvendor,********\r\n");
  });
});

test('"catalog" in package.json is ignored if it has no settings of catalog, as with Bun', async () => {
  const { run } = await attack(() => ({
    "package.json": '{"name": "x", "catalog": {"react": "^19.0.0", "zod": "4"}}',
  }));
  const ran = await run(["status", "-o", "csv", "--fields", "name,value"]);
  expect(ran.stderr).not.toContain("unknown setting");
  expect(ran.stdout).toContain("\nconfig,\r\n");
});

test.each([
  { HOME: "." },
  { HOME: undefined, USERPROFILE: "." },
  { HOME: "", XDG_CONFIG_HOME: ".config" },
])("a relative home folder does not make the project the home folder: %j", async (environment) => {
  const { run, project, r } = await attack((address) => ({
    ".config/catalog/config.json": JSON.stringify({ baseUrl: address }),
  }));
  const listed = await run(["providers", "ls"], { environment: { ...WITH_KEY, ...environment } });
  expect([listed.code, listed.requests]).toEqual([2, []]);
  const words = ["login", "--with-key", "--base-url", r.sandbox.baseUrl];
  const ran = await run(words, { input: DEFAULT_KEY, environment });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("there is no folder for your user config file");
  const config = join(project, ".config/catalog/config.json");
  expect(await readFile(config, "utf8")).not.toContain(DEFAULT_KEY);
});
