/** `catalog login`: what is tried, what is saved, and where (cli.md section 5). */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { type Ran, type Rig, rig } from "../rig.ts";
import { expectRefused, said, spoilt } from "./helpers.ts";
import { CONFIG, LOGIN, logIn, pairOf, save, saved } from "./saved.ts";

/** Sees that a login failed with that code and left nothing behind. */
async function expectNothingSaved(r: Rig, ran: Ran, code: number): Promise<void> {
  expect([ran.code, ran.stdout]).toEqual([code, ""]);
  expect(ran.stderr).toMatch(/^error: \S/m);
  await expect(stat(join(r.folder, ".config"))).rejects.toMatchObject({ code: "ENOENT" });
}

describe("the key on standard input", () => {
  test.each([
    ["alone", DEFAULT_KEY],
    ["with its line ended", `${DEFAULT_KEY}\n`],
    ["with its line ended as on Windows", `${DEFAULT_KEY}\r\n`],
    ["behind a byte order mark", `\ufeff${DEFAULT_KEY}\n`],
    ["between blanks and empty lines", `\n \t${DEFAULT_KEY} \n\n`],
  ])("%s is tried, and saved with its base URL", async (_, input) => {
    const r = await rig();
    const ran = await logIn(r, [], { input });
    expect([ran.code, ran.stdout, ran.requests]).toEqual([0, "", ["GET /developer/v1/providers"]]);
    expect(await saved(r)).toEqual(pairOf(r.sandbox.baseUrl));
    expect(ran.stderr).toBe(
      `Saved the key for ${r.sandbox.baseUrl} in ${join(r.folder, CONFIG)}.\nIt has 1 provider: Example Academy.\n`,
    );
    const after = await r.run(["providers", "ls", "-o", "id"], {
      environment: { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined },
    });
    expect([after.code, after.stderr]).toEqual([0, ""]);
  });

  test.each([
    ["nothing", "", "holds no key"],
    ["blanks", " \r\n\t", "holds no key"],
    ["a byte order mark alone", "\ufeff", "holds no key"],
    ["two lines", `${DEFAULT_KEY}\nanother.key-of-them\n`, "no HTTP header"],
    ["a blank within", "sandbox .0123456789abcdef", "no HTTP header"],
    ["a letter that no header may hold", "sandbox.0123456789äbcdef", "no HTTP header"],
    ["a control character", "sandbox.0123456789\u0007abcdef", "no HTTP header"],
    ["a megabyte", "k".repeat(1024 * 1024), "too long"],
  ])("that is %s is a usage error that does not quote it", async (_, input, why) => {
    const r = await rig();
    const ran = await logIn(r, [], { input });
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).not.toMatch(/sandbox|01234|abcdef|kkk/);
    await expectNothingSaved(r, ran, 2);
  });

  test.each(["onepartonly", "one.two.three", ".behind-a-dot", "before-a-dot."])(
    "of another shape is a warning, and then the service's to judge: %s",
    async (input) => {
      const r = await rig();
      const { environment } = await spoilt(r, () => ({ status: 200, body: "[]" }));
      const ran = await logIn(r, [], { input, environment });
      expect(ran.code).toBe(0);
      expect(ran.stderr).toMatch(/^warning: the API key does not have the usual form/);
      expect(ran.stderr).toContain("It has no providers yet");
      expect(await saved(r)).toEqual({ baseUrl: environment.CATALOG_BASE_URL, apiKey: input });
    },
  );

  test("is not read from a terminal", async () => {
    const r = await rig();
    const ran = await r.run([...LOGIN, "--no-color"], { terminal: true });
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("is a terminal");
  });
});

describe("nothing is saved", () => {
  test("without --with-key and without a terminal: 2, before anything is read", async () => {
    const r = await rig();
    for (const options of [{}, { terminal: true, environment: { CI: "true" } }]) {
      const ran = await r.run(["login", "--no-color"], options);
      await expectNothingSaved(r, ran, 2);
      expect(ran.stderr).toContain("--with-key");
      expect(ran.stderr).not.toContain("Base URL of");
      expect(ran.requests).toEqual([]);
    }
  });

  test("when the service refuses the key: 4, with its words", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { input: "wrong.key-of-somebody" });
    await expectNothingSaved(r, ran, 4);
    expect(ran.stderr).toContain("Invalid API Key");
    expect(ran.stderr).toContain("nothing was saved");
  });

  test("when nobody answers: 6", async () => {
    const r = await rig();
    const words = ["--base-url", "http://127.0.0.1:9", "--retries", "0"];
    const ran = await logIn(r, words);
    await expectNothingSaved(r, ran, 6);
    expect(ran.stderr).toContain("nothing was saved");
  });

  test.each([
    ["keeps failing", { status: 503 }, 6],
    ["is none of the kind", { status: 200, body: "<html>Welcome</html>" }, 6],
    ["answers with no list", { status: 200, body: "{}" }, 6],
    ["has nothing there", { status: 404, body: "" }, 1],
    ["redirects", { status: 302, headers: { location: "https://elsewhere.example" } }, 1],
  ])("when the service %s", async (_, fate, code) => {
    const r = await rig();
    const { environment } = await spoilt(r, () => fate);
    await expectNothingSaved(r, await logIn(r, ["--retries", "1"], { environment }), code);
  });

  test("without a base URL: 2", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { CATALOG_BASE_URL: undefined } });
    await expectNothingSaved(r, ran, 2);
    expect(ran.stderr).toContain("no base URL is set");
  });

  test.each(["catalog.example", "ftp://catalog.example", "https://a:b@catalog.example"])(
    "with a base URL that is none: %s",
    async (baseUrl) => {
      const r = await rig();
      await expectNothingSaved(r, await logIn(r, ["--base-url", baseUrl]), 2);
    },
  );

  test("where the key would go unencrypted: 2; with --insecure-http it does", async () => {
    const r = await rig();
    // Every address of this machine, which does not make it a loopback one.
    const baseUrl = r.sandbox.baseUrl.replace("127.0.0.1", "0.0.0.0");
    const ran = await logIn(r, ["--base-url", baseUrl]);
    await expectNothingSaved(r, ran, 2);
    expect([ran.requests, ran.stderr]).toEqual([[], expect.stringContaining("--insecure-http")]);
    expect((await logIn(r, ["--base-url", baseUrl, "--insecure-http"])).code).toBe(0);
    expect(await saved(r)).toEqual(pairOf(baseUrl));
  });

  test.each(["", " "])("in a profile without a name: %j", async (name) => {
    const r = await rig();
    await expectNothingSaved(r, await logIn(r, ["--profile", name]), 2);
  });

  test("without a place for it: 1, with what to set", async () => {
    const r = await rig();
    const ran = await logIn(r, [], { environment: { HOME: undefined } });
    expect([ran.code, ran.requests]).toEqual([1, []]);
    expect(ran.stderr).toContain("XDG_CONFIG_HOME");
  });

  test("where the place cannot be written: 1, and no draft is left", async () => {
    const r = await rig();
    await writeFile(join(r.folder, ".config"), "a file in the way");
    const ran = await logIn(r);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`cannot write ${join(r.folder, CONFIG)}`);
    expect((await readdir(r.folder)).sort()).toEqual([".config"]);
    const json = await logIn(r, ["--json"]);
    expect(said(json).at(-1)?.error).toMatchObject({ kind: "output", file: expect.any(String) });
  });

  test("over a config file that is broken: 2, and it stays as it is", async () => {
    const r = await rig();
    await save(r, `{"apiKey": "${DEFAULT_KEY}"`);
    const ran = await logIn(r);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain("it is not valid JSON");
    expect(await readFile(join(r.folder, CONFIG), "utf8")).toBe(`{"apiKey": "${DEFAULT_KEY}"`);
  });
});
