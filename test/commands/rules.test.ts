/** Rules can be selected, turned off and made stricter, except rules for what the service would reject. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { push, SEWING } from "./push-files.ts";

/** A file with two errors and two warnings of two rules. */
async function withFile(): Promise<Rig> {
  const r = await rig();
  const untidy = SEWING.replace("Sewing", "Sewing  two");
  const bad = untidy.replace("self_paced", "slow").replace("[en]", "[xx]");
  await r.write("a.yaml", `${bad}approval_status: pending\n`);
  await r.write("ok.yaml", `${untidy}approval_status: pending\n`);
  return r;
}

async function check(r: Rig, ...words: readonly string[]) {
  const ran = await r.run(["courses", "check", ...words, "--json"]);
  const { errors, warnings, problems } = ran.stdout === "" ? {} : JSON.parse(ran.stdout);
  const rules = problems?.map(({ rule }: { rule: string }) => rule);
  return { ...ran, errors, warnings, rules };
}

test("check --ignore hides warnings of these rules, even with --strict", async () => {
  const r = await withFile();
  expect((await check(r, "ok.yaml", "--strict")).code).toBe(3);
  const words = ["ok.yaml", "--strict", "--ignore", "spaces", "--ignore", "read-only"];
  expect(await check(r, ...words)).toMatchObject({ code: 0, rules: [] });
});

test("the setting rules turns a warning off or makes it an error, for check and push", async () => {
  const r = await withFile();
  await r.write("catalog.config.yaml", "rules:\n  spaces: off\n  read-only: error\n");
  expect(await check(r, "ok.yaml")).toMatchObject({ code: 3, errors: 1, rules: ["read-only"] });
  const { settings } = JSON.parse((await r.run("status --json")).stdout);
  expect(settings).toContainEqual({
    name: "rules.spaces",
    value: "off",
    source: "project config",
    origin: `rules.spaces in ${join(r.folder, "catalog.config.yaml")}`,
  });
  const refused = await push(r, ["ok.yaml"]);
  expect([refused.code, refused.requests]).toEqual([3, []]);
  expect(await check(r, "ok.yaml", "--ignore=read-only")).toMatchObject({ code: 0 });
});

test("import reports a problem with the level that the setting rules gives its rule", async () => {
  const r = await rig();
  await r.write("ok.yaml", SEWING.replace("Sewing", '"Sewing "'));
  const words = ["courses", "import", "ok.yaml", "--out", "out"];
  expect(await r.run(words)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("warning: row 1: name"),
  });
  await r.write("catalog.config.yaml", "rules:\n  spaces: error\n");
  expect(await r.run(words)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("error: row 1: name"),
  });
});

test("the setting rules refuses an unknown rule, with an example", async () => {
  const r = await withFile();
  await r.write("catalog.config.yaml", "rules:\n  zebra: off\n");
  const { code, stderr } = await r.run("courses check ok.yaml");
  expect(code).toBe(2);
  expect(stderr).toMatch(/unknown rule "zebra".*\n.*For example: rules: {spaces: off}/);
});

test.each(["choice", "required", "syntax", "duplicate-url"])(
  "neither the setting rules nor --ignore lowers %s, which is always an error",
  async (rule) => {
    const r = await withFile();
    const flag = await r.run(["courses", "check", "ok.yaml", "--ignore", rule]);
    expect([flag.code, flag.stderr.split("\n")[0]]).toEqual([
      2,
      `error: --ignore cannot lower the rule ${rule}, which is always an error`,
    ]);
    for (const level of ["off", "warning"]) {
      await r.write("catalog.config.yaml", `rules:\n  ${rule}: ${level}\n`);
      const { code, stderr } = await r.run("courses check ok.yaml");
      expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot lower the rule ${rule}`)]);
    }
    await r.write("catalog.config.yaml", `rules:\n  ${rule}: error\n`);
    expect(await r.run("courses check ok.yaml")).toMatchObject({ code: 0 });
  },
);

test("the setting rules counts for create and update as for push", async () => {
  const r = await withFile();
  await r.write("catalog.config.yaml", "rules:\n  read-only: error\n  mojibake: off\n");
  for (const command of ["create", "update"]) {
    const refused = await r.run(["courses", command, "ok.yaml"]);
    expect([refused.code, refused.requests]).toEqual([3, []]);
  }
  await r.write("damaged.yaml", SEWING.replace("Sewing", "KÃ¤se"));
  expect((await r.run("courses create damaged.yaml")).code).toBe(0);
});
