import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { jsonErrors, PROVIDERS } from "./helpers.ts";
import { writeUserConfig } from "./saved-key.ts";

const MASK = "********";

test("status at 40 columns of a terminal shows the values, and leaves out where they come from", async () => {
  const { stdout } = await (await rig()).run("status --no-color", { terminal: true, columns: 40 });
  expect(stdout).toMatch(/^NAME +VALUE +…\n/);
  expect(stdout).toMatch(/^baseUrl +http:\/\/\S{12}/m);
});

test("status --json contains exactly the settings and the service", async () => {
  const r = await rig();
  await r.write(".catalogrc.yaml", "retries: 2\n");
  const path = await writeUserConfig(r, { timeout: 7 });
  const ran = await r.run("status --json --concurrency 3");
  expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", [PROVIDERS]]);
  const project = join(r.folder, ".catalogrc.yaml");
  const row = (name: string, ...[value, source, origin]: unknown[]) => {
    return { name, value, source, origin };
  };
  expect(JSON.parse(ran.stdout)).toEqual({
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
    service: { reachable: true, authenticated: true, account: "Example Academy", providers: 1 },
  });
});

test("status exits with 4 for a rejected API key", async () => {
  const environment = { CATALOG_API_KEY: "wrong.key-of-someone" };
  const ran = await (await rig()).run("status --json", { environment });
  expect([ran.code, ran.requests]).toEqual([4, [PROVIDERS]]);
  expect(JSON.parse(ran.stdout).service).toMatchObject({ authenticated: false, providers: null });
  expect(jsonErrors(ran)).toMatchObject([
    { kind: "auth", hint: "Invalid API Key", next: "Set CATALOG_API_KEY to another API key." },
  ]);
});
