/** A key in the wrong place (arguments, environment, files) is not printed. */
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { IS_LONG } from "../long.ts";
import { rig } from "../rig.ts";
import { id, numberedCourse, rigWith } from "./helpers.ts";

// The rig fails every run that prints a key or much of it.

const MODES = [[], ["--json"], ["--verbose"]];
const [, SECRET = ""] = DEFAULT_KEY.split(".");

describe("keys as arguments", () => {
  test.each([
    "KEY",
    "courses KEY",
    "courses ls KEY",
    "courses ls --limit KEY",
    "courses ls --limit=KEY",
    "courses ls --KEY",
    "courses ls --provider KEY",
    "courses ls --name KEY",
    "courses ls --fields KEY",
    "courses ls -o KEY",
    "courses ls --base-url KEY",
    "courses ls --base-url https://KEY",
    "courses ls --base-url https://KEY@a.example",
    "courses ls --base-url ftp://a.example/KEY",
    "courses ls --base-url http://a.example/KEY",
    "courses ls --profile KEY",
    "courses ls --config KEY",
    "courses ls --timeout KEY",
    "courses ls --retries KEY",
    "courses get KEY",
    "courses rm --yes KEY",
    "courses publish KEY",
    "courses update KEY --name x",
    `courses update ${id(1)} --set KEY`,
    `courses update ${id(1)} --set KEY=1`,
    `courses update ${id(1)} --set pace=KEY`,
    `courses update ${id(1)} --unset KEY`,
    `courses update ${id(1)} --url KEY`,
    "courses check KEY",
    "courses check --explain KEY",
    "courses check --report KEY",
    "courses check --report KEY=x",
    "courses check --format KEY",
    "courses create KEY",
    "courses create --name KEY",
    "courses push KEY",
    "courses diff KEY",
    "courses pull --format KEY",
    "courses init KEY/KEY",
    "status --fields KEY",
    "login --with-key --base-url KEY",
    "logout --profile KEY",
    "api KEY x",
    "api GET KEY://x",
    "api GET x?KEY",
    "api POST x -d @KEY",
    "api POST x -d KEY",
    "schema KEY",
    "completion KEY",
    "sandbox KEY",
    "sandbox --port KEY",
    "sandbox --seed KEY",
    "help KEY",
    "KEY --help",
    "courses check KEY.yaml KEY.JSON KEY. KEY| !KEY KEY\\ KEY* $KEY ~KEY KEY^ KEY% +KEY",
  ])("catalog %s does not print the key, whether or not CATALOG_API_KEY is set", async (line) => {
    const r = await rigWith(numberedCourse(1));
    for (const mode of MODES) {
      const words = [...line.replaceAll("KEY", DEFAULT_KEY).split(" "), ...mode];
      const keys = IS_LONG || mode.length === 0 ? [DEFAULT_KEY, undefined] : [DEFAULT_KEY];
      for (const CATALOG_API_KEY of keys) {
        const ran = await r.run(words, { input: DEFAULT_KEY, environment: { CATALOG_API_KEY } });
        expect(`${ran.stdout}${ran.stderr}`).not.toBe("");
      }
    }
  });
});

test("check prints the name of a file or host that only resembles a key", async () => {
  const r = await rig();
  for (const name of [
    ...["courses.20261123", "export.2026-11-23T10-15.yaml", "intro.internationalization"],
    ...["team.courses-prod-2.example", "v1.2.20261123101500", "export.20261123T101500Z.yaml"],
    ...["team.courses2prod99.example", "team.courses2prod99-1.yaml"],
  ]) {
    const ran = await r.run(["courses", "check", name], {
      environment: { CATALOG_API_KEY: undefined },
    });
    expect(ran.stderr).toContain(name);
  }
});

test("providers ls does not print a key as a host, which URLs contain in lowercase", async () => {
  const r = await rig();
  const key = "Person.FEDCBA9876543210";
  const send = r.shortcuts.get(r.sandbox.baseUrl);
  if (send !== undefined) r.shortcuts.set(`https://${key.toLowerCase()}`, send);
  const words = ["providers", "ls", "--verbose", "--base-url", `https://${key}`];
  const ran = await r.run(words, { environment: { CATALOG_API_KEY: key } });
  expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("https://********/")]);
  expect(ran.stderr.toLowerCase()).not.toContain("fedcba");
});

describe("keys in other variables", () => {
  test.each([
    "CATALOG_BASE_URL",
    "CATALOG_TIMEOUT",
    "CATALOG_VENDOR",
    "CATALOG_PROFILE",
    "CATALOG_CONFIG",
  ])("courses ls prints no key in %s, whether or not CATALOG_API_KEY is set", async (name) => {
    const r = await rig();
    for (const CATALOG_API_KEY of [DEFAULT_KEY, undefined]) {
      for (const mode of MODES) {
        const environment = { CATALOG_API_KEY, [name]: DEFAULT_KEY };
        // Only a base URL is certain not to be valid.
        if (CATALOG_API_KEY === undefined && name !== "CATALOG_BASE_URL") continue;
        const ran = await r.run(["courses", "ls", ...mode], { environment });
        expect(ran.code).toBe(name === "CATALOG_VENDOR" ? 0 : 2);
      }
    }
  });
});

describe("keys in course files", () => {
  test.each(["human", "json", "github"])("check --format %s masks a file's key", async (format) => {
    const r = await rig();
    await r.write("a.yaml", `name: a\nurl: b\n${DEFAULT_KEY}: 1\nprovider: ${DEFAULT_KEY}\n`);
    const ran = await r.run(["courses", "check", "a.yaml", "--format", format]);
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining("unknown")]);
  });

  test.each(["create", "push", "diff", "check --online"])(
    "courses %s does not print a key in a course file",
    async (name) => {
      const r = await rig();
      await r.write("a.yaml", `name: ${DEFAULT_KEY}\npace: ${DEFAULT_KEY}\n${SECRET}: 1\n`);
      for (const mode of MODES) {
        const ran = await r.run(["courses", ...name.split(" "), "a.yaml", ...mode]);
        expect(ran.code).toBe(3);
        expect(
          (await r.run(["courses", ...name.split(" "), "a.yaml"], { terminal: true })).code,
        ).toBe(3);
      }
    },
  );
});
