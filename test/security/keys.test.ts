import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course } from "../rig.ts";
import { attack, KEY, type ProjectFiles, saveUserConfig, writeFiles } from "./rig.ts";

/** A project whose config file has the attacker's base URL. */
const redirecting = (address: string): ProjectFiles => ({
  ".catalogrc": `baseUrl: ${address}\n`,
  "courses/a.json": JSON.stringify(course()),
});

const WITH_KEY = { CATALOG_API_KEY: DEFAULT_KEY };
const LIST = ["providers", "ls"];

test.each<[string, readonly string[], (address: string) => Record<string, string>]>([
  ["a flag", [], () => ({})],
  ["the environment", [], (address) => ({ CATALOG_BASE_URL: address })],
  ["a file that --config names", ["--config", ".catalogrc"], () => ({})],
  ["a project", [], () => ({})],
])("a saved key is not sent to another base URL from %s", async (source, flags, environment) => {
  const { run, home, r, attacker } = await attack(redirecting);
  await saveUserConfig(home, { baseUrl: r.sandbox.baseUrl, apiKey: KEY });
  const url = source === "a flag" ? ["--base-url", attacker.baseUrl] : [];
  const words = ["courses", "ls", ...flags, ...url];
  const ran = await run(words, { environment: environment(attacker.baseUrl) });
  expect([ran.code, ran.requests]).toEqual([4, []]);
  expect(ran.stderr).toContain("no API key is set for ");
});

test("a saved API key is sent to its own base URL in CI and where a project names the same URL", async () => {
  const { run, home, attacker } = await attack(redirecting);
  await saveUserConfig(home, { baseUrl: attacker.baseUrl, apiKey: DEFAULT_KEY });
  for (const CI of ["", "true"]) {
    expect((await run(LIST, { environment: { CI } })).code).toBe(0);
  }
});

test("an API key in a project file is sent only to the base URL next to it", async () => {
  const { run, home, r } = await attack((address) => ({
    ".catalogrc": `{baseUrl: ${address}, profiles: {a: {baseUrl: ${address}, apiKey: ${DEFAULT_KEY}}, b: {apiKey: ${DEFAULT_KEY}}}}\n`,
  }));
  await saveUserConfig(home, { timeout: 9 });
  expect((await run([...LIST, "--profile", "a"])).code).toBe(0);
  const elsewhere = [...LIST, "--profile", "a", "--base-url", r.sandbox.baseUrl];
  expect((await run(elsewhere)).code).toBe(4);
  expect((await run([...LIST, "--profile", "b"])).code).toBe(2);
});

test.each([
  ["for the same base URL", (address: string) => ({ baseUrl: address, apiKey: DEFAULT_KEY })],
  ["for another base URL", () => ({ baseUrl: "https://own.example", apiKey: DEFAULT_KEY })],
  [
    "in a profile that is not selected",
    () => ({ profiles: { own: { baseUrl: "https://own.example", apiKey: DEFAULT_KEY } } }),
  ],
])(
  "a project's key is not used if the user has one %s, unless --config names the file",
  async (_, config) => {
    const { run, home, attacker } = await attack((address) => ({
      ".catalogrc": `{baseUrl: ${address}, apiKey: ${KEY}}\n`,
    }));
    await saveUserConfig(home, config(attacker.baseUrl));
    const sent = () => attacker.headers.map((headers) => headers["x-api-key"]);
    const ran = await run(LIST);
    expect(sent()).not.toContain(KEY);
    if (ran.code !== 0) {
      expect(ran.code).toBe(4);
      expect(ran.stderr.replace(/\s+/g, " ")).toContain("If you trust the file, pass --config");
    }
    const environment = { ...WITH_KEY, CATALOG_BASE_URL: attacker.baseUrl };
    expect((await run(LIST, { environment })).code).toBe(0);
    expect(sent()).not.toContain(KEY);
    await run([...LIST, "--config", ".catalogrc"]);
    expect(sent().at(-1)).toBe(KEY);
  },
);

test("the API key of the environment is sent to a base URL that the user chose in any way", async () => {
  const { run, home, attacker } = await attack(redirecting);
  const { baseUrl } = attacker;
  await saveUserConfig(home, { baseUrl });
  for (const [flags, environment, folder] of [
    [["--base-url", baseUrl], {}, undefined],
    [[], { CATALOG_BASE_URL: baseUrl }, undefined],
    [["--config", ".catalogrc"], { CI: "true" }, undefined],
    [[], { CATALOG_CONFIG: ".catalogrc", CI: "true" }, undefined],
    [[], { CI: "false" }, undefined],
    [[], {}, home],
  ] as const) {
    const options = { environment: { ...WITH_KEY, ...environment }, ...(folder && { folder }) };
    const ran = await run([...LIST, ...flags], options);
    expect([flags, environment, ran.code]).toEqual([flags, environment, 0]);
  }
});

test.each([
  "courses ls",
  "courses push --yes courses",
  "courses diff courses",
  "status",
  "api GET developer/v1/courses",
  "providers ls --quiet",
  "providers ls --profile ci",
])(
  "without a terminal, the environment's key is not sent to a project's base URL: %s",
  async (line) => {
    const { run, attacker, project } = await attack((address) => ({
      ...redirecting(address),
      ".catalogrc": `{baseUrl: ${address}, profiles: {ci: {baseUrl: ${address}/}}}\n`,
    }));
    const ran = await run(line, { environment: WITH_KEY });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    const text = ran.stderr.replace(/\s+/g, " ");
    expect(text).toContain(`the API key from CATALOG_API_KEY is not sent to ${attacker.baseUrl}`);
    expect(text).toContain(`If you trust the file, pass --config ${project}/.catalogrc.`);
  },
);

test("at a terminal, catalog asks once before it sends the environment's API key to a project's base URL", async () => {
  const { run, attacker } = await attack(redirecting);
  const words = ["courses", "push", "courses", "--yes"];
  const options = { environment: WITH_KEY, terminal: true };
  const declined = await run(words, { ...options, input: "n\n" });
  expect([declined.code, declined.requests]).toEqual([2, []]);
  const accepted = await run(words, { ...options, input: "y\n" });
  expect(accepted.code).toBe(0);
  expect(attacker.requests).toContainEqual(expect.stringContaining("POST"));
  const question = `Send the API key from CATALOG_API_KEY to ${attacker.baseUrl}`;
  expect(accepted.stderr.replace(/\s+/g, " ")).toContain(question);
});

test.each([
  { CI: "true", GITHUB_ACTIONS: "true" },
  { TF_BUILD: "True" },
  { BUILD_ID: "7", JENKINS_URL: "https://ci.example" },
  { BUILD_NUMBER: "7" },
  { TEAMCITY_VERSION: "2026.1" },
])(
  "a pull request in CI (%j) gets the key neither by a config file nor by a home folder in the checkout",
  async (ci) => {
    const { run, project } = await attack((address) => ({
      "a/.catalogrc": `baseUrl: ${address}\n`,
      "b/.config/catalog/config.json": JSON.stringify({ baseUrl: address }),
    }));
    for (const [folder, HOME] of [
      [join(project, "a"), undefined],
      [join(project, "b"), join(project, "b")],
    ] as const) {
      const environment = { ...ci, ...WITH_KEY, ...(HOME && { HOME }) };
      const ran = await run(LIST, { environment, folder, terminal: true, input: "y\n" });
      expect([folder, ran.code, ran.requests]).toEqual([folder, 2, []]);
    }
  },
);

test.each([
  "baseUrl: ADDRESS\n",
  "profile: prod\nprofiles: {prod: {baseUrl: ADDRESS}}\n",
  "nonsense: 1\n",
])("login sends the key to no base URL of a project with %j", async (text) => {
  const { run } = await attack((address) => ({ ".catalogrc": text.replace("ADDRESS", address) }));
  for (const flags of [[], ["--profile", "prod"]]) {
    const ran = await run(["login", "--with-key", ...flags], { input: KEY });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain("error: no base URL is set");
  }
});

test.each([
  { HOME: "." },
  { HOME: undefined, USERPROFILE: "." },
  { HOME: "", XDG_CONFIG_HOME: ".config" },
])("a relative home folder is ignored: %j", async (environment) => {
  const { run, r } = await attack((address) => ({
    ".config/catalog/config.json": JSON.stringify({ baseUrl: address }),
  }));
  const listed = await run(LIST, { environment: { ...WITH_KEY, ...environment } });
  expect([listed.code, listed.requests]).toEqual([2, []]);
  const words = ["login", "--with-key", "--base-url", r.sandbox.baseUrl];
  const ran = await run(words, { input: DEFAULT_KEY, environment });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("there is no folder for")]);
});

test.each(["courses push --prune --yes courses", "courses ls", "status"])(
  "a project cannot select a profile of the user: %s",
  async (line) => {
    const { run, home, attacker } = await attack(() => ({
      ".catalogrc": "profile: prod\n",
      "courses/a.json": JSON.stringify(course()),
    }));
    const prod = { baseUrl: attacker.baseUrl, apiKey: DEFAULT_KEY };
    await saveUserConfig(home, { profiles: { prod } });
    const ran = await run(line);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain('no profile "prod" in the same file');
    expect((await run("providers ls --profile prod")).code).toBe(0);
  },
);

test.each(["courses push courses", "courses ls", "status"])(
  "a profile that the user named is the user's own, if there is one: %s",
  async (line) => {
    const { run, home, r, attacker } = await attack((address) => ({
      ".catalogrc": `profiles: {prod: {baseUrl: ${address}, apiKey: ${KEY}}, ci: {baseUrl: ${address}, apiKey: ${DEFAULT_KEY}}}\n`,
      "courses/a.json": JSON.stringify(course()),
    }));
    const prod = { baseUrl: r.sandbox.baseUrl, apiKey: DEFAULT_KEY };
    await saveUserConfig(home, { profiles: { prod } });
    for (const environment of [{}, { CATALOG_PROFILE: "prod" }]) {
      const flags = "CATALOG_PROFILE" in environment ? [] : ["--profile", "prod"];
      const ran = await run([...line.split(" "), ...flags], { environment });
      expect([ran.code, attacker.requests]).toEqual([0, []]);
    }
    // The user has no profile of this name, and no key may be used but the user's.
    expect((await run([...line.split(" "), "--profile", "ci"])).code).toBe(4);
    await saveUserConfig(home, {});
    expect((await run([...line.split(" "), "--profile", "ci"])).code).toBe(0);
  },
);

test("the target line names which of profile, API key and complete a project file decided", async () => {
  const { run, project } = await attack((address) => ({
    ".catalogrc": `{profile: p, complete: true, profiles: {p: {baseUrl: ${address}, apiKey: ${DEFAULT_KEY}}}}\n`,
  }));
  const file = join(project, ".catalogrc");
  for (const [flags, decided] of [
    [[], "API key, profile and complete"],
    [["--complete"], "API key and profile"],
  ] as const) {
    await writeFiles(project, { "courses/a.json": JSON.stringify(course({ name: decided })) });
    const ran = await run(["courses", "push", "courses", ...flags]);
    const text = ran.stderr.replace(/\s+/g, " ");
    expect([ran.code, text]).toEqual([
      0,
      expect.stringContaining(`(profile p); ${decided} from ${file}`),
    ]);
  }
});

test.each([
  ["100%", undefined, 5, undefined],
  ["2", undefined, 2, undefined],
  ["50%", { maxDeletes: 1 }, 1, undefined],
  ["2", { maxDeletes: 7 }, 2, undefined],
  ["2", undefined, 6, "6"],
])(
  "a project's maxDeletes %s counts only below the user's limit: %j gives %i",
  async (maxDeletes, config, limit, variable) => {
    const { run, home, r } = await attack(() => ({
      ".catalogrc": `maxDeletes: ${maxDeletes}\n`,
      "a.json": JSON.stringify(course()),
    }));
    if (config !== undefined) await saveUserConfig(home, config);
    const stored = Array.from({ length: 8 }, (_, number) =>
      course({ name: "Weaving", url: `https://academy.example/${number}` }),
    );
    await r.run("courses create -", { input: JSON.stringify(stored) });
    const own = { CATALOG_BASE_URL: r.sandbox.baseUrl, CATALOG_MAX_DELETES: variable };
    const environment = { ...WITH_KEY, ...own };
    const ran = await run("courses push a.json --prune --yes", { environment });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`would delete 8 of the 8 courses`);
    expect(ran.stderr).toContain(`the limit is ${limit}`);
  },
);
