/** The key of a profile: `CATALOG_API_KEY_<NAME>`, for `--profile` or `CATALOG_PROFILE`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { type Rig, type RunResult, rig } from "../rig.ts";
import { startCommand } from "./helpers.ts";

const WRONG = "wrong.0123456789abcdef";
const NEITHER = { CATALOG_API_KEY: undefined };

async function origins(r: Rig, words: readonly string[], environment: Variables) {
  const ran = await r.run(["status", "--json", ...words], { environment });
  const document: Document = JSON.parse(ran.stdout);
  const find = (name: string) => document.settings.find((each) => each.name === name);
  return { code: ran.code, key: find("apiKey")?.origin, value: find("apiKey")?.value };
}

type Variables = Readonly<Record<string, string | undefined>>;

interface Document {
  readonly settings: readonly { readonly name: string; origin: unknown; value: unknown }[];
}

describe("key of a profile", () => {
  test("CATALOG_API_KEY_<NAME> sets the key of a profile without a config file and overrides CATALOG_API_KEY", async () => {
    const r = await rig();
    const own = { CATALOG_API_KEY: WRONG, CATALOG_API_KEY_TEAM_07_: DEFAULT_KEY };
    const used = { code: 0, key: "CATALOG_API_KEY_TEAM_07_", value: "********" };
    expect(await origins(r, ["--profile", "team-07é"], own)).toEqual(used);
    expect(await origins(r, [], { ...own, CATALOG_PROFILE: "TEAM.07!" })).toEqual(used);
    const general = { key: "CATALOG_API_KEY", value: "********" };
    expect(await origins(r, [], own)).toEqual({ code: 4, ...general });
    await r.write(".catalogrc", "profiles: { team: { timeout: 7 } }\n");
    expect(await origins(r, ["--profile", "team"], own)).toEqual({ code: 4, ...general });
  });

  test("an empty CATALOG_API_KEY_<NAME> is an error even if CATALOG_API_KEY is set", async () => {
    const r = await rig();
    const environment = { CATALOG_API_KEY_TEAM: "" };
    const ran = await r.run(["courses", "ls", "--profile", "team"], { environment });
    expect([ran.code, ran.requests]).toEqual([4, []]);
    expect(ran.stderr).toContain("CATALOG_API_KEY_TEAM is set but empty");
  });

  test("ls does not use the key of a profile that the project selects, and no config file can name a variable", async () => {
    const r = await rig();
    const environment = { ...NEITHER, CATALOG_API_KEY_TEAM: DEFAULT_KEY };
    const list = (): Promise<RunResult> => r.run(["courses", "ls"], { environment });
    await r.write(".catalogrc", "profile: team\nprofiles: { team: { timeout: 7 } }\n");
    const selected = await list();
    expect([selected.code, selected.requests]).toEqual([4, []]);
    expect(selected.stderr).toContain("set CATALOG_API_KEY.");
    await r.write(".catalogrc", "profile: team\n");
    expect([(await list()).code, (await list()).requests]).toEqual([2, []]);
    await r.write(".catalogrc", "keyVariable: CATALOG_API_KEY_TEAM\n");
    expect((await list()).stderr).toContain("unknown setting keyVariable");
  });

  test("ls does not send the key of a profile to the base URL of a project in CI", async () => {
    const r = await rig();
    await r.write(".catalogrc", `profiles: { team: { baseUrl: "${r.sandbox.baseUrl}" } }\n`);
    const environment = { CATALOG_BASE_URL: undefined, CATALOG_API_KEY_TEAM: DEFAULT_KEY };
    const words = ["courses", "ls", "--profile", "team"];
    const inCi = await r.run(words, { environment: { ...environment, CI: "true" } });
    expect([inCi.code, inCi.requests]).toEqual([2, []]);
    expect(inCi.stderr).toContain(
      "in CI, catalog does not send the key from CATALOG_API_KEY_TEAM ",
    );
    expect((await r.run(words, { environment })).code).toBe(0);
  });

  test("messages about a missing or rejected key, login and logout name the variable of the profile", async () => {
    const r = await rig();
    await r.write(".catalogrc", "profiles: { team: { timeout: 7 } }\n");
    const run = (line: string, environment: Variables, input = ""): Promise<RunResult> =>
      r.run([...line.split(" "), "--profile", "team"], { environment, input });
    const missing = await run("courses ls", NEITHER);
    expect([missing.code, missing.requests]).toEqual([4, []]);
    expect(missing.stderr).toContain('Run "catalog login", or set CATALOG_API_KEY_TEAM.');
    const own = { CATALOG_API_KEY_TEAM: WRONG };
    const rejected = await run("courses ls", own);
    expect(rejected.code).toBe(4);
    expect(rejected.stderr).toContain("The key comes from CATALOG_API_KEY_TEAM.");
    const saved = await run("login --with-key", own, DEFAULT_KEY);
    expect(saved.stderr).toContain("CATALOG_API_KEY_TEAM is set, and overrides the saved key");
    const removed = await run("logout", own);
    expect(removed.stderr).toContain("catalog will use the key from CATALOG_API_KEY_TEAM");
  });

  test("get masks the key of a profile in every output, even if it uses another key", async () => {
    const r = await rig();
    const other = "teamEight.abcdefgh12345678";
    const environment = { CATALOG_API_KEY_TEAM: DEFAULT_KEY, catalog_api_key_other: other };
    for (const words of [["--verbose"], ["--json"], ["-o", "table"]]) {
      const line = ["courses", "get", other, ...words, "--profile", "team"];
      const ran = await r.run(line, { environment });
      expect(ran.code).toBe(5);
      expect(ran.stderr).toContain("********");
      expect(ran.stderr).not.toContain("abcdefgh12345678");
    }
  });

  test("sandbox -- sets the key of every profile to the key of the sandbox", async () => {
    const r = await rig();
    const program = `require("node:fs").writeFileSync("seen.json", JSON.stringify(process.env))`;
    const words = ["sandbox", "--", process.execPath, "-e", program];
    const running = startCommand(r, words, { CATALOG_API_KEY_TEAM: WRONG });
    expect(await running.code).toBe(0);
    const seen: Variables = JSON.parse(await readFile(join(r.folder, "seen.json"), "utf8"));
    expect(seen.CATALOG_API_KEY_TEAM).toBe(seen.CATALOG_API_KEY);
    expect(seen.CATALOG_API_KEY_TEAM).not.toBe(WRONG);
  });
});
