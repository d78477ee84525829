import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/settings/table.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { expectRefused, jsonErrors, lines, unreliableService } from "./helpers.ts";
import { savedKeyFor, writeUserConfig } from "./saved-key.ts";

const BARE = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
const MASK = "********";
const PROVIDERS = ["GET /developer/v1/providers"];
const UNKNOWN = { reachable: null, authenticated: null, providers: null };

interface Document {
  readonly settings: readonly Readonly<Record<"name" | "value" | "source" | "origin", unknown>>[];
  readonly service: Readonly<Record<string, unknown>>;
}

function documentOf(ran: RunResult): Document {
  return JSON.parse(ran.stdout) as Document;
}

/** One setting of a run's document. */
function settingOf(ran: RunResult, name: string): unknown {
  return documentOf(ran).settings.find((setting) => setting.name === name);
}

describe("status as a document", () => {
  test("status --json contains exactly the settings and the service", async () => {
    const r = await rig();
    await r.write(".catalogrc.yaml", "retries: 2\n");
    const path = await writeUserConfig(r, { timeout: 7 });
    const ran = await r.run(["status", "--json", "--concurrency", "3"]);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", PROVIDERS]);
    const project = join(r.folder, ".catalogrc.yaml");
    const row = (name: string, value: unknown, source: unknown, origin: unknown) => ({
      name,
      value,
      source,
      origin,
    });
    expect(documentOf(ran)).toEqual({
      settings: [
        row("apiKey", MASK, "environment", "CATALOG_API_KEY"),
        row("baseUrl", r.sandbox.baseUrl, "environment", "CATALOG_BASE_URL"),
        row("profile", null, null, null),
        row("config", project, "default", "found from this folder upward"),
        row("timeout", 7, "user config", `timeout in ${path}`),
        row("retries", 2, "project config", `retries in ${project}`),
        row("concurrency", 3, "flag", "--concurrency"),
        row("complete", false, "default", "default"),
        row("maxDeletes", "5 or 10%", "default", "default"),
        row("vendor", "pgrst", "default", "default"),
      ],
      service: { reachable: true, authenticated: true, providers: 1 },
    });
    expect(Object.keys(documentOf(ran))).toEqual(["settings", "service"]);
  });

  test("status prints the same document on one line as ndjson", async () => {
    const r = await rig();
    const document = documentOf(await r.run(["status", "--json"]));
    const [line = "", ...more] = lines((await r.run(["status", "-o", "ndjson"])).stdout);
    expect([JSON.parse(line), more]).toEqual([document, []]);
  });

  test("status --json shows the origin of the config file and the profile in use", async () => {
    const r = await rig();
    const name = await r.write("other.json", '{"profiles": {"live": {"retries": 1}}}');
    const flag = await r.run(["status", "--json", "--config", name, "--profile", "live"]);
    const value = join(r.folder, name);
    expect(settingOf(flag, "config")).toMatchObject({ value, source: "flag", origin: "--config" });
    expect(settingOf(flag, "profile")).toMatchObject({ value: "live", source: "flag" });
    expect(settingOf(flag, "retries")).toMatchObject({ value: 1, source: "project config" });
    const variable = await r.run(["status", "--json"], { environment: { CATALOG_CONFIG: name } });
    expect(settingOf(variable, "config")).toMatchObject({
      source: "environment",
      origin: "CATALOG_CONFIG",
    });
    expect(settingOf(await r.run(["status", "--json"]), "config")).toMatchObject({ value: null });
  });

  test("status --json shows that the key was saved, and masks the key", async () => {
    const r = await rig();
    const path = await writeUserConfig(r, savedKeyFor(r.sandbox.baseUrl));
    const ran = await r.run(["status", "--json"], { environment: BARE });
    expect(settingOf(ran, "apiKey")).toEqual({
      name: "apiKey",
      value: MASK,
      source: "user config",
      origin: `apiKey in ${path}`,
    });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
  });

  test("status --json --fields selects the settings or the service", async () => {
    const r = await rig();
    const ran = await r.run(["status", "--json", "--fields", "service"]);
    expect(JSON.parse(ran.stdout)).toEqual({
      service: { reachable: true, authenticated: true, providers: 1 },
    });
    expectRefused(await r.run(["status", "-o", "yaml", "--fields", "value"]), 2);
  });
});

describe("status as rows", () => {
  const NAMES = [...Object.keys(SETTINGS), "reachable", "authenticated", "providers"];

  test("status prints a table on a terminal", async () => {
    const ran = await (await rig()).run(["status", "--no-color"], { terminal: true, columns: 120 });
    const [header = "", ...rows] = lines(ran.stdout);
    expect(header.trim().split(/\s+/)).toEqual(["NAME", "VALUE", "SOURCE", "ORIGIN"]);
    expect(rows.map((row) => row.split(" ")[0])).toEqual(NAMES);
    expect(rows[0]).toMatch(/^apiKey +\*{8} +environment +CATALOG_API_KEY *$/);
    expect(rows.at(-1)).toMatch(/^providers +1 +service/);
  });

  test("status prints tab-separated lines without a header off a terminal", async () => {
    const ran = await (await rig()).run(["status"]);
    const rows = lines(ran.stdout).map((line) => line.split("\t"));
    expect(rows.map(([name]) => name)).toEqual(NAMES);
    expect(rows.every((row) => row.length === 4)).toBe(true);
    expect(rows[0]).toEqual(["apiKey", MASK, "environment", "CATALOG_API_KEY"]);
    expect(rows.slice(-3)).toEqual([
      ["reachable", "yes", "service", ""],
      ["authenticated", "yes", "service", ""],
      ["providers", "1", "service", ""],
    ]);
  });

  test("status -o csv prints CSV", async () => {
    const ran = await (await rig()).run(["status", "-o", "csv"]);
    const [header, ...rows] = parse(ran.stdout) as string[][];
    expect(header).toEqual(["name", "value", "source", "origin"]);
    expect(rows.map(([name]) => name)).toEqual(NAMES);
  });

  test("status --fields selects columns", async () => {
    const r = await rig();
    const ran = await r.run(["status", "--fields", "source,name"]);
    expect(lines(ran.stdout)[0]).toBe("environment\tapiKey");
    expectRefused(await r.run(["status", "--fields", "service"]), 2);
  });
});

test("status exits with 2 for --output id", async () => {
  expectRefused(await (await rig()).run(["status", "-o", "id"]), 2);
});

describe("exit codes", () => {
  async function statusOf(
    r: Rig,
    environment: Readonly<Record<string, string | undefined>>,
    words: readonly string[] = [],
  ) {
    const ran = await r.run(["status", "--json", ...words], { environment });
    return { ...ran, service: documentOf(ran).service, errors: jsonErrors(ran) };
  }

  test("status exits with 4 for a rejected key", async () => {
    const ran = await statusOf(await rig(), { CATALOG_API_KEY: "wrong.key-of-someone" });
    expect(ran).toMatchObject({
      code: 4,
      requests: PROVIDERS,
      service: { reachable: true, authenticated: false, providers: null },
      errors: [{ kind: "auth", status: 401, hint: "Invalid API Key" }],
    });
  });

  test("status exits with 6 after one attempt if nothing responds", async () => {
    const ran = await statusOf(await rig(), { CATALOG_BASE_URL: "http://127.0.0.1:9" });
    expect(ran).toMatchObject({
      code: 6,
      requests: PROVIDERS,
      service: { reachable: false, authenticated: null, providers: null },
      errors: [{ kind: "unreachable", code: "ECONNREFUSED" }],
    });
  });

  test.each([
    ["flag", ["--retries", "2"], {}],
    ["environment", [], { CATALOG_RETRIES: "2" }],
  ])("status makes as many retries as were set: %s", async (_, words, environment) => {
    const r = await rig();
    const other = { ...environment, CATALOG_BASE_URL: "http://127.0.0.1:9" };
    expect((await statusOf(r, other, words)).requests).toHaveLength(3);
  });

  test("status exits with 6 if the service fails, and with 1 if the service rejects the request", async () => {
    const r = await rig();
    const failing = await unreliableService(r, () => ({ status: 503 }));
    expect(await statusOf(r, failing.environment)).toMatchObject({
      code: 6,
      requests: PROVIDERS,
      service: { reachable: false, authenticated: null },
    });
    const refusing = await unreliableService(r, () => ({
      status: 403,
      body: '{"hint": "not today"}',
    }));
    expect(await statusOf(r, refusing.environment)).toMatchObject({
      code: 1,
      service: { reachable: true, authenticated: null },
      errors: [{ kind: "refused", hint: "not today" }],
    });
  });

  test("status sends nothing and exits with 4 without a key, and with 2 without a base URL", async () => {
    const r = await rig();
    const rest = { requests: [], service: UNKNOWN };
    const { CATALOG_API_KEY, CATALOG_BASE_URL } = BARE;
    expect(await statusOf(r, { CATALOG_API_KEY })).toMatchObject({ code: 4, ...rest });
    expect(await statusOf(r, { CATALOG_BASE_URL })).toMatchObject({ code: 2, ...rest });
    const neither = await statusOf(r, BARE);
    expect(neither).toMatchObject({ code: 2, ...rest, errors: [{ kind: "usage" }] });
    expect(settingOf(neither, "apiKey")).toMatchObject({ value: null, source: null });
  });

  test("status sends nothing and exits with 4 for a key that was saved for another service", async () => {
    const r = await rig();
    await writeUserConfig(r, savedKeyFor("https://own.example"));
    const ran = await statusOf(r, { CATALOG_API_KEY: undefined });
    expect(ran).toMatchObject({ code: 4, requests: [], service: UNKNOWN });
    expect(ran.errors[0]?.message).toContain("no API key is set for ");
  });

  test("status sends nothing and exits with 2 for http:// to another machine", async () => {
    const ran = await statusOf(await rig(), { CATALOG_BASE_URL: "http://catalog.example" });
    expect(ran).toMatchObject({ code: 2, requests: [], service: UNKNOWN });
  });
});

test("status prints the settings on stdout even if the service fails", async () => {
  const environment = { CATALOG_BASE_URL: "http://127.0.0.1:9" };
  const ran = await (await rig()).run(["status"], { environment });
  expect(ran.stdout).toContain("baseUrl\thttp://127.0.0.1:9\tenvironment\tCATALOG_BASE_URL\n");
  expect(ran.stdout).toContain("reachable\tno\tservice\t\n");
  expect(ran.stderr).toMatch(/^error: could not list the providers/);
});

test("status exits with 2 and shows nothing for an invalid config file", async () => {
  const r = await rig();
  await r.write(".catalogrc", "timeuot: 3");
  expectRefused(await r.run(["status"]), 2);
});

test("status begins on a terminal by saying that the key works", async () => {
  const r = await rig();
  const ran = await r.run(["status", "--no-color"], { terminal: true });
  expect(ran.stderr).toMatch(/^Your API key works at \S+, for 1 provider\.\n$/);
  expect(ran.stdout).toMatch(/^NAME /);
});
