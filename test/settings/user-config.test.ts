import { describe, expect, test } from "vitest";
import { userFolder } from "../../src/base/files.ts";
import { createProject, resolveInProject, type SettingsInput } from "./project.ts";

const KEY = "person.fedcba9876543210";
const URL = "https://catalog.example";
const PAIR = { baseUrl: URL, apiKey: KEY };

/** The error of resolving these. */
async function failure(given: SettingsInput): Promise<Error> {
  return await resolveInProject(given).then(
    () => new Error("it did not fail"),
    (error: Error) => error,
  );
}

describe("the place of the user config file", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["below XDG_CONFIG_HOME", { XDG_CONFIG_HOME: "/x", HOME: "/h" }, "/x/catalog/config.json"],
    ["below .config at home", { HOME: "/h" }, "/h/.config/catalog/config.json"],
    [
      "not below a relative XDG_CONFIG_HOME",
      { XDG_CONFIG_HOME: "x", HOME: "/h" },
      "/h/.config/catalog/config.json",
    ],
    [
      "not below an empty XDG_CONFIG_HOME",
      { XDG_CONFIG_HOME: "", HOME: "/h" },
      "/h/.config/catalog/config.json",
    ],
    ["nowhere without a home folder", {}, undefined],
    ["nowhere with an empty HOME", { HOME: "", XDG_CONFIG_HOME: "x" }, undefined],
  ])("the user config file is %s", (_, environment, path) => {
    expect(userFolder("config", { environment, platform: "linux" }, "config.json")).toBe(path);
  });

  test("the user config file is below APPDATA on Windows", () => {
    const path = (environment: Record<string, string>) =>
      userFolder("config", { environment, platform: "win32" }, "config.json");
    expect(path({ APPDATA: "/a", USERPROFILE: "/u" })).toBe("/a/catalog/config.json");
    expect(path({ USERPROFILE: "/u" })).toBe("/u/.config/catalog/config.json");
  });
});

describe("contents of the user config file", () => {
  test.each<[string, string | Uint8Array]>([
    ["no content", ""],
    ["a byte order mark alone", "\ufeff"],
    ["an empty list of profiles", '{"profiles": {}}'],
  ])("a user config file with %s sets nothing", async (_, user) => {
    const { apiKey, baseUrl, retries } = await resolveInProject({ user });
    expect([apiKey, baseUrl, retries.value]).toEqual([undefined, undefined, 6]);
  });
});

describe("rejected user config files", () => {
  test.each([
    [`"${KEY}"`, "must contain settings"],
    ['{"retries": true}', "retries in"],
    ['{"apiKey": 12345678901234567890}', "apiKey in"],
    [`{"apiKey": {"${KEY}": "${KEY}"}}`, "apiKey in"],
    [`{"profiles": {"a": "${KEY}"}}`, "profiles.a in"],
    [`{"baseUrl": "${URL}", "apiKey": "${KEY}\\u0000"}`, "apiKey in"],
    [`{"baseUrl": "${URL}", "apiKey": ""}`, "apiKey in"],
    [`{"baseUrl": "https://me:${KEY}@a.example"}`, "baseUrl in"],
    [`{"apiKey": "${KEY}`, "not valid YAML or JSON"],
    [`{apiKey:${KEY}}`, "unknown setting apiKey in"],
    [KEY, "must contain settings"],
  ])("the config file %s is rejected without being quoted", async (user, message) => {
    const at = await createProject({ user });
    const error = await resolveInProject({}, at).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(message) });
    const said = JSON.stringify([String(error), error]);
    expect(said).toContain(at.userFile);
    expect(said).not.toMatch(/person|fedc|12345/);
    expect((error as Error).stack).not.toMatch(/person|fedc|12345/);
  });

  test("a user config file that is not UTF-8 is rejected", async () => {
    const user = Buffer.from(JSON.stringify({ ...PAIR, apiKey: `${KEY}\xff` }), "latin1");
    const error = await failure({ user });
    expect(error).toMatchObject({ kind: "usage", message: expect.not.stringContaining("fedc") });
  });

  test("a folder that --config names is rejected", async () => {
    const at = await createProject();
    await expect(resolveInProject({ flags: { config: "." } }, at)).rejects.toMatchObject({
      kind: "usage",
      message: `cannot read the config file ${at.folder}: it is not a regular file`,
    });
  });
});
