/** Rules can be selected, turned off and made stricter, except rules for what the service would reject. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { jsonMessages, lines } from "./helpers.ts";
import { push, SEWING, writeRequests } from "./push-files.ts";

/** A file with two errors and two warnings of two rules. */
async function withFile(): Promise<Rig> {
  const r = await rig();
  const bad = `${SEWING.replace("self_paced", "slow").replace("[en]", "[xx]")}`;
  await r.write("a.yaml", `${bad}approval_status: pending\nslug: own\n`);
  await r.write("ok.yaml", `${SEWING}approval_status: pending\nslug: own\n`);
  return r;
}

async function check(r: Rig, ...words: readonly string[]) {
  const ran = await r.run(["courses", "check", ...words, "--json"]);
  const { errors, warnings, diagnostics } = ran.stdout === "" ? {} : JSON.parse(ran.stdout);
  const rules = diagnostics?.map(({ rule }: { rule: string }) => rule);
  return { ...ran, errors, warnings, rules };
}

describe("selection of rules", () => {
  test("check --rule shows and counts only problems of these rules", async () => {
    const r = await withFile();
    expect(await check(r, "a.yaml", "--rule", "choice", "--rule", "own-slug")).toMatchObject({
      ...{ code: 3, errors: 1, warnings: 1, rules: ["choice", "own-slug"] },
    });
    expect(await check(r, "a.yaml", "--rule=own-slug")).toMatchObject({ code: 0, errors: 0 });
  });

  test("check --ignore hides warnings of these rules, even with --strict", async () => {
    const r = await withFile();
    expect((await check(r, "ok.yaml", "--strict")).code).toBe(3);
    const words = ["ok.yaml", "--strict", "--ignore", "own-slug,read-only"];
    expect(await check(r, ...words)).toMatchObject({ code: 0, rules: [] });
  });

  test.each([
    [["--ignore", "choice"], "the rule choice cannot be turned off (--ignore)"],
    [["--ignore", "chioce"], 'Did you mean \\"choice\\"?'],
    [["--max-findings", "0"], "--max-findings"],
  ])("check exits with 2 for %s", async (words, message) => {
    const ran = await check(await withFile(), "a.yaml", ...words);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(message);
  });

  test("the setting rules turns a warning off or makes it an error, for check and push", async () => {
    const r = await withFile();
    await r.write("catalog.config.yaml", "rules:\n  own-slug: off\n  read-only: error\n");
    expect(await check(r, "ok.yaml")).toMatchObject({ code: 3, errors: 1, rules: ["read-only"] });
    const { settings } = JSON.parse((await r.run(["status", "--json"])).stdout);
    expect(settings).toContainEqual({
      ...{ name: "rules.own-slug", value: "off", source: "project config" },
      origin: `rules.own-slug in ${join(r.folder, "catalog.config.yaml")}`,
    });
    const refused = await push(r, ["ok.yaml"]);
    expect([refused.code, refused.requests]).toEqual([3, []]);
    expect(await check(r, "ok.yaml", "--ignore=read-only")).toMatchObject({ code: 0 });
    expect((await push(r, ["ok.yaml", "--ignore=read-only"])).code).toBe(0);
  });

  test.each([
    ["rules: {choice: warning}", "cannot be a warning"],
    ["rules: {markup: quiet}", 'must be off, warning or error, not "quiet"'],
    ["rules: {mark-up: off}", /unknown rule "mark-up" in \S+\n {2}Did you mean "markup"\?/],
    ["rules: off", "must be an object with rules"],
  ])("the setting %s is a configuration error", async (config, message) => {
    const r = await withFile();
    await r.write("catalog.config.yaml", config);
    const ran = await r.run(["courses", "check", "ok.yaml"]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(message);
  });

  test("push --rule still refuses errors of other rules", async () => {
    const r = await withFile();
    const ran = await push(r, ["a.yaml", "--rule", "own-slug"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain("[choice]");
  });
});

describe("--max-findings", () => {
  test("check --max-findings limits the problems that it shows and counts all of them", async () => {
    const r = await withFile();
    const shown = await check(r, "a.yaml", "--max-findings=1");
    expect(shown).toMatchObject({ code: 3, errors: 2, warnings: 2 });
    expect(shown.rules).toHaveLength(1);
    const [{ notice }] = jsonMessages(shown) as [{ notice: string }];
    expect(notice).toContain("3 more problems are not shown");
    const text = await r.run(["courses", "check", "a.yaml", "--max-findings=1"]);
    expect(lines(text.stdout)).toHaveLength(2);
    expect(lines(text.stdout)[1]).toBe("2 errors and 2 warnings in 1 file");
    expect(text.stderr).toContain("3 more problems are not shown");
  });

  test("push --max-findings limits the problems that it shows", async () => {
    const ran = await push(await withFile(), ["a.yaml", "--max-findings=1"]);
    expect(ran.code).toBe(3);
    expect(ran.stderr.match(/error:/g)).toHaveLength(1);
    expect(ran.stderr).toContain("1 more problem is not shown");
  });
});
