/** Every setting: who may set it, what a checkout can do with it, and whether it is secret. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { SETTINGS, type Setting, type SettingName } from "../../src/settings/table.ts";
import { course } from "../rig.ts";
import { attack, saveUserConfig } from "./rig.ts";

const MASK = "********";

/** For each setting a value in a project, and another one. */
const VALUES: Readonly<Record<SettingName, readonly [string, string]>> = {
  apiKey: [DEFAULT_KEY, "other.0123456789"],
  baseUrl: ["ADDRESS", "https://other.example"],
  profile: ["p", "q"],
  config: ["a.yaml", "b.yaml"],
  timeout: ["7", "8"],
  retries: ["1", "2"],
  concurrency: ["2", "3"],
  complete: ["true", "false"],
  maxDeletes: ["100%", "3"],
  vendor: ["theirs", "other"],
};

const NAMES = Object.keys(SETTINGS) as SettingName[];
const TABLE: Readonly<Record<SettingName, Setting>> = SETTINGS;

/** The settings that a checkout can set, except for the profile. */
const DECIDED = NAMES.filter((name) => TABLE[name].checkout !== "nothing" && name !== "profile");

/** A setting as `status` shows it. */
function rowOf(name: SettingName, { stdout }: { readonly stdout: string }) {
  const { settings } = JSON.parse(stdout) as {
    readonly settings: readonly { name: string; value: unknown; source: string }[];
  };
  return settings.find((each) => each.name === name);
}

/** A checkout whose config file sets one setting next to a complete account and a profile. */
async function attackWith(name: SettingName) {
  const [value] = VALUES[name];
  const attacked = await attack((address) => {
    const account = { baseUrl: address, apiKey: DEFAULT_KEY };
    const config = { ...account, profiles: { p: account }, [name]: value };
    return {
      ".catalogrc": JSON.stringify(config).replaceAll("ADDRESS", address),
      "a.json": JSON.stringify(course()),
    };
  });
  /** The value of the setting and its source, as `status` shows them. */
  const show = async (flags: readonly string[] = [], environment = {}) => {
    const ran = await attacked.run(["status", "--json", ...flags], { environment });
    const row = rowOf(name, ran);
    return [String(row?.value), row?.source];
  };
  return { ...attacked, show, value: value.replace("ADDRESS", attacked.attacker.baseUrl) };
}

test.each(NAMES)("a checkout can do with %s what the table of settings says", async (name) => {
  const { checkout, isSecret, default: usual } = TABLE[name];
  const { run, show, value, project } = await attackWith(name);
  const ran = await run("courses push a.json");
  const text = ran.stderr.replace(/\s+/g, " ");
  if (checkout === "nothing") {
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(text).toContain(`unknown setting ${name} in`);
    return;
  }
  const used = checkout === "lower" ? `${value}, at most ${usual}` : value;
  expect(await show()).toEqual([isSecret ? MASK : used, "project config"]);
  const [, decided = ""] = text.split(`from ${join(project, ".catalogrc")}`)[0]?.split("; ") ?? [];
  const word = name === "apiKey" ? "key" : name;
  expect([ran.code, decided.split(/\W+/).includes(word)]).toEqual([0, checkout === "decide"]);
});

test.each(DECIDED)(
  "a variable, and a flag if there is one, decide against a checkout about %s",
  async (name) => {
    const { flag, isSecret, variable } = TABLE[name];
    const [, other] = VALUES[name];
    const { show } = await attackWith(name);
    const shown = isSecret ? MASK : other;
    expect(await show([], { [variable]: other })).toEqual([shown, "environment"]);
    if (flag?.[1] === undefined) return;
    expect(await show([`--${flag[0]}`, other])).toEqual([shown, "flag"]);
  },
);

test.each(DECIDED)(
  "a profile takes %s from outside of it only if it does not select the account",
  async (name) => {
    const { run, home } = await attack(() => ({}));
    const [, other] = VALUES[name];
    await saveUserConfig(home, { [name]: other, profiles: { mine: {} } });
    const ran = await run("status --json --profile mine");
    expect(String(rowOf(name, ran)?.value)).toBe(TABLE[name].isAccount ? "null" : other);
  },
);

test.each(NAMES.filter((name) => TABLE[name].isSecret))(
  "%s is secret: it has no flag, and no output shows its value, whether it is valid or not",
  async (name) => {
    const invalid = "two words";
    const { run, value } = await attackWith(name);
    expect(TABLE[name].flag).toBeUndefined();
    for (const format of ["table", "tsv", "json", "ndjson", "csv"]) {
      const { stdout, stderr } = await run(["status", "-o", format]);
      expect(stdout).toContain(MASK);
      expect(stdout + stderr).not.toContain(value);
    }
    const ran = await run("courses ls", { environment: { [TABLE[name].variable]: invalid } });
    expect([ran.code, ran.stderr]).toEqual([2, expect.not.stringContaining(invalid)]);
  },
);
