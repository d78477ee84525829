/** A variable that is set but empty is an error as soon as its setting is needed. */
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/settings/table.ts";
import { course, type Rig, rig } from "../rig.ts";

/** Everything that a variable can set. */
const SOURCES = Object.values(SETTINGS).map(({ variable }) => ({ variable }));

const EMPTY = Object.fromEntries(SOURCES.map(({ variable }) => [variable, ""]));

async function rigWithFiles(): Promise<Rig> {
  const r = await rig();
  await r.write("a.json", JSON.stringify(course()));
  await r.write(".catalogrc", "timeout: 20\n");
  return r;
}

describe("variables that are set but empty", () => {
  test.each(SOURCES)("an empty $variable ends a command that needs it", async ({ variable }) => {
    const r = await rigWithFiles();
    const code = variable === "CATALOG_API_KEY" ? 4 : 2;
    for (const value of ["", " \t"]) {
      const words = ["courses", "push", "a.json", "--dry-run"];
      const ran = await r.run(words, { environment: { [variable]: value } });
      expect(ran.code).toBe(code);
      expect(ran.requests.filter((each) => !each.startsWith("GET "))).toEqual([]);
      expect(ran.stderr).toContain(`error: ${variable} is set but empty\n`);
      expect(ran.stderr).toContain(`Set or unset ${variable}.`);
    }
  });

  test("an empty variable of another setting than API key and base URL is not called a missing secret in CI", async () => {
    const environment = { CI: "1", CATALOG_TIMEOUT: "" };
    const { stderr } = await (await rig()).run("courses ls", { environment });
    expect(stderr).toBe(
      "error: CATALOG_TIMEOUT is set but empty\n  Set or unset CATALOG_TIMEOUT.\n",
    );
  });

  test.each<[code: number, missing: string[], value: string | undefined, says: string]>([
    [4, ["CATALOG_API_KEY"], undefined, "no API key is set"],
    [4, ["CATALOG_API_KEY"], "", "CATALOG_API_KEY is set but empty"],
    [2, ["CATALOG_BASE_URL"], "", "CATALOG_BASE_URL is set but empty"],
    [2, ["CATALOG_BASE_URL", "CATALOG_API_KEY"], undefined, "no base URL and no API key are set"],
    [2, ["CATALOG_BASE_URL", "CATALOG_API_KEY"], "", "and CATALOG_API_KEY is set but empty"],
  ])(
    "a missing key or base URL in CI has exit code %i and a message with both and the usual causes: %j, %j",
    async (code, missing, value, says) => {
      const variables = Object.fromEntries(missing.map((each) => [each, value]));
      const environment = { CI: "1", ...variables };
      const ran = await (await rig()).run("courses ls", { environment });
      expect([ran.code, ran.requests]).toEqual([code, []]);
      const text = ran.stderr.replace(/\s+/g, " ");
      expect(text).toContain(says);
      expect(text).toContain("Set CATALOG_BASE_URL and CATALOG_API_KEY.");
      expect(text).toContain("a misspelled secret, a job without its environment");
    },
  );

  test("empty variables do not stop a command without a connection or their settings, except CATALOG_CONFIG", async () => {
    const r = await rigWithFiles();
    const { CATALOG_CONFIG, ...environment } = EMPTY;
    for (const line of ["courses check a.json", "history", "schema", "completion bash"]) {
      const ran = await r.run(line, { environment });
      expect([line, ran.code, ran.stderr.includes("empty")]).toEqual([line, 0, false]);
    }
    const ran = await r.run("courses check a.json", { environment: { CATALOG_CONFIG } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("CATALOG_CONFIG") });
    const others = { CATALOG_MAX_DELETES: "", CATALOG_COMPLETE: "" };
    expect((await r.run("providers ls", { environment: others })).code).toBe(0);
  });

  test("status fails for an empty variable like other commands", async () => {
    const r = await rig();
    const codes = { CATALOG_TIMEOUT: 2, CATALOG_BASE_URL: 2, CATALOG_API_KEY: 4 };
    for (const [variable, code] of Object.entries(codes)) {
      const ran = await r.run("status -o csv", { environment: { [variable]: "" } });
      expect([ran.code, ran.requests]).toEqual([code, []]);
      expect(ran.stderr).toContain(`error: ${variable} is set but empty\n`);
    }
  });
});
