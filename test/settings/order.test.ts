import { describe, expect, test } from "vitest";
import { resolveInProject } from "./project.ts";

describe("precedence", () => {
  const files = { ".catalogrc": "baseUrl: https://project.example\ntimeout: 5\n" };

  test("a flag precedes the environment, the project config and the default, each with its source", async () => {
    const environment = { CATALOG_BASE_URL: "https://environment.example" };
    const flags = { baseUrl: "https://flag.example" };
    expect((await resolveInProject({ files, environment, flags })).baseUrl).toMatchObject({
      value: "https://flag.example",
      source: "flag",
    });
    expect((await resolveInProject({ files, environment })).baseUrl).toMatchObject({
      value: "https://environment.example",
      source: "environment",
    });
    expect((await resolveInProject({ files })).baseUrl).toMatchObject({
      value: "https://project.example",
      source: "project config",
    });
    expect((await resolveInProject({ files })).timeout).toMatchObject({ value: 5 });
    expect((await resolveInProject({})).timeout).toMatchObject({ value: 30, source: "default" });
    expect((await resolveInProject({})).baseUrl).toBeUndefined();
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

  test("an unknown profile is a usage error that lists the profiles or explains how to create one", async () => {
    const flags = { profile: "live" };
    const none = await resolveInProject({ flags }).catch((error: unknown) => error);
    expect(none).toMatchObject({
      facts: { advice: "To save it: catalog login --profile live" },
    });
    const project = { ".catalogrc": "profile: live\n" };
    const own = await resolveInProject({ files: project }).catch((error: unknown) => error);
    expect(own).toMatchObject({
      facts: { advice: expect.stringContaining("Pass --profile live for your own") },
    });
    const user = '{"profiles": {"one": {}, "two": {}}}';
    const some = await resolveInProject({ flags, user }).catch((error: unknown) => error);
    expect(some).toMatchObject({
      kind: "usage",
      facts: { advice: "Available profiles: one and two." },
    });
    const files = { ".catalogrc.yaml": "profile: prod" };
    const inProject = await resolveInProject({ files, user }).catch((error: unknown) => error);
    expect(inProject).toMatchObject({
      kind: "usage",
      facts: {
        advice: expect.stringContaining("Pass --profile prod"),
      },
    });
  });
});
