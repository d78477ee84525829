import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { someOf } from "../long.ts";
import { type Rig, type RunOptions, rig } from "../rig.ts";
import { numberedCourse, rigWith, unreliableService } from "./helpers.ts";

const [, SECRET = ""] = DEFAULT_KEY.split(".");
const MODES = someOf(
  [["--verbose"], ["--json", "--verbose"], [], ["--json"], ["-o", "yaml", "-v"]],
  2,
);

/** Runs a command line in every mode, and expects no output with the secret. */
async function expectSecret(
  r: Rig,
  words: readonly string[],
  options: RunOptions = {},
  secret = SECRET,
): Promise<void> {
  for (const mode of MODES) {
    for (const terminal of [false, true]) {
      const ran = await r.run([...words, ...mode], { ...options, terminal });
      expect(`${ran.stdout}${ran.stderr}`).not.toBe("");
      expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
    }
  }
}

describe("keys in messages", () => {
  test("ls does not print the key in the warning about its unusual form", async () => {
    const r = await rig();
    const environment = { CATALOG_API_KEY: "topsecretword" };
    await expectSecret(r, ["courses", "ls"], { environment }, "topsecretword");
  });

  test("ls does not print the key in the error about characters that a header cannot contain", async () => {
    const r = await rig();
    for (const key of ["top\nsecretword", "tôp.secretword", "top secretword"]) {
      const environment = { CATALOG_API_KEY: key };
      await expectSecret(r, ["courses", "ls"], { environment }, "secretword");
    }
  });

  test("ls does not print the key in the warning about a key in a project config file", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write(".catalogrc.yaml", `apiKey: ${DEFAULT_KEY}\n`);
    const environment = { CATALOG_API_KEY: undefined };
    const ran = await r.run(["courses", "ls"], { environment });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^warning: .*\.catalogrc\.yaml/);
    await expectSecret(r, ["courses", "ls"], { environment });
  });

  test.each([
    [".catalogrc.json", `{"apiKey": "${DEFAULT_KEY}" "baseUrl": 1}`],
    [".catalogrc.json", `{"apiKey": "${DEFAULT_KEY}}`],
    [".catalogrc.yaml", `apiKey: ${DEFAULT_KEY}: x\n`],
    [".catalogrc.yaml", `apiKey: "${DEFAULT_KEY}\n`],
    [".catalogrc.yaml", `apiKey: [${DEFAULT_KEY}]\n`],
    [".catalogrc.yaml", `${DEFAULT_KEY}\n`],
    [".catalogrc", `apiKey: {${DEFAULT_KEY}\n`],
    ["package.json", `{"catalog": {"apiKey": "${DEFAULT_KEY}",}}`],
  ])("ls does not print the key of a broken config file in errors: %s %s", async (name, text) => {
    const r = await rig();
    await r.write(name, text);
    await expectSecret(r, ["courses", "ls", "--limit", "1"]);
  });

  test("ls does not print a password in the base URL", async () => {
    const environment = { CATALOG_BASE_URL: "http://me:hunter2word@127.0.0.1:1" };
    await expectSecret(await rig(), ["courses", "ls"], { environment }, "hunter2word");
  });
});

test("ls sends the key only to the configured service", async () => {
  const r = await rig();
  const elsewhere = await unreliableService(r, () => ({ status: 200, body: "[]" }));
  const { environment, server } = await unreliableService(r, () => ({
    status: 307,
    headers: { location: `${elsewhere.server.baseUrl}/developer/v1/courses` },
  }));
  const ran = await r.run(["courses", "ls"], { environment });
  expect(ran.code).toBe(1);
  expect(server.headers[0]?.["x-api-key"]).toBe(DEFAULT_KEY);
  expect(elsewhere.server.requests).toEqual([]);
});
