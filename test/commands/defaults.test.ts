/** `catalog.defaults.yaml` fills in what files in its folder and below leave out. */
import { expect, test } from "vitest";
import { PROVIDER_ID, type RunResult } from "../rig.ts";
import { findings, id, numberedCourse, rigWith, storedCourses } from "./helpers.ts";

const course = (name: string, more = ""): string =>
  `name: ${name}\nurl: https://academy.example/${name}\nshort_description: s\nlong_description: l\n${more}`;

const places = (ran: RunResult) =>
  findings(ran).map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`);

test("push fills omitted fields from the nearest catalog.defaults.yaml or .yml and prefers values of the course", async () => {
  const r = await rigWith();
  const defaults = "provider: unknown\naudio: [en]\npace: self_paced\nlevel: [beginner]\n";
  await r.write("c/catalog.defaults.yaml", defaults);
  await r.write("c/de/catalog.defaults.yml", `provider_id: ${PROVIDER_ID}\naudio: [de]\n`);
  await r.write("c/de/a.yaml", course("a", "level: null\n"));
  const row = "b,https://academy.example/b,s,l,instructor_paced";
  await r.write("c/de/b.csv", `name,url,short_description,long_description,pace\n${row}\n`);
  expect(await r.run("courses push c")).toMatchObject({ code: 0 });
  expect(await storedCourses(r)).toMatchObject([
    { name: "a", audio: ["de"], pace: "self_paced", level: [], provider_id: PROVIDER_ID },
    { name: "b", audio: ["de"], pace: "instructor_paced", level: ["beginner"] },
  ]);
  const file = await r.run("courses check c/de/a.yaml c/de/catalog.defaults.yml");
  expect(file).toMatchObject({ code: 0, stdout: expect.stringContaining("1 file, 1 course") });
});

test("check and push report a problem of a default value once, in catalog.defaults.yaml", async () => {
  const r = await rigWith();
  const name = "c/catalog.defaults.yaml";
  const unknown = "id: x\nlevle: [beginner]\n";
  await r.write(name, `provider: unknown\naudio: [pt_BR]\npace: self_paced\n${unknown}`);
  await r.write("c/a.yaml", course("a"));
  await r.write("c/b.yaml", course("b"));
  const local = await r.run("courses check c --json");
  expect(local.code).toBe(3);
  const rules = ["2:9 language-code", "4:1 unknown-field", "5:1 unknown-field"];
  expect(places(local).sort()).toEqual(rules.map((rule) => `${name}:${rule}`));
  await r.write(name, "audio: [en]\npace: self_paced\nprovider: unknown\n");
  const online = await r.run("courses check c --online --json");
  expect(places(online)).toEqual([`${name}:3:11 provider-unknown`]);
  const push = await r.run("courses push c");
  expect([push.code, push.stderr.match(/provider-unknown/g)]).toEqual([3, ["provider-unknown"]]);
});

test("update adds no default values to a partial file", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("b.json", { id: id(1), name: "B" });
  await r.write("catalog.defaults.yaml", "audio: [de]\n");
  expect(await r.run("courses update b.json")).toMatchObject({ code: 0 });
  expect(await storedCourses(r)).toMatchObject([{ name: "B", audio: ["en"] }]);
});
