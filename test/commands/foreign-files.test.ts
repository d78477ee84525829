/** Files of other programs among course files: no command edits, merges into or removes them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { course, type Rig } from "../rig.ts";
import { findings, id, lines, numberedCourse, rigWith } from "./helpers.ts";

/** Files of a dashboard, a website, a container, a workflow, a package and a spreadsheet. */
const FOREIGN: Readonly<Record<string, string>> = {
  "config/dashboard.json": `{"id":"${id(7)}","dashboards":[1]}`,
  "_config.yml": "title: My site\nlanguage: en\nsummary: A blog\n",
  "compose.yml": "name: Knitting\nservices:\n  web: {image: nginx}\n",
  "workflow.yml": "name: build\non: push\njobs: {}\n",
  "manifest.json": '{"name":"x","version":"1","description":"y","scripts":{},}',
  "columns.csv": "name;language;Other\nA;English;1\nB;English;2\n",
};

async function rigWithForeign(...courses: readonly Record<string, unknown>[]): Promise<Rig> {
  const r = await rigWith(...courses);
  for (const [name, text] of Object.entries(FOREIGN)) await r.write(`c/${name}`, text);
  return r;
}

test.each([
  ["check --fix", "check c --fix"],
  ["pull", "pull c"],
  ["pull --force", "pull c --force"],
  ["pull --prune", "pull c --prune --yes"],
  ["push --write-ids", "push c/mine.json --write-ids"],
  ["import --out of other courses", "import rows.csv --out c"],
  ["import --out of a course with the name of a file", "import name.csv --out c"],
])("%s changes no file of another program", async (_, line) => {
  const r = await rigWithForeign(numberedCourse(1), numberedCourse(2, { name: "Sewing" }));
  await r.write("c/mine.json", { ...numberedCourse(1), id: undefined });
  await r.write("rows.csv", `id;name;url\n${id(7)};Knitting;https://academy.example/k\n`);
  await r.write("name.csv", "name;level\nKnitting;beginner\n");
  await r.run(`courses ${line}`);
  for (const [name, text] of Object.entries(FOREIGN)) {
    expect([name, await r.read(`c/${name}`).catch(() => "removed")]).toEqual([name, text]);
  }
});

test("check and push name each file of another program in a folder in a notice, and go on without it", async () => {
  const r = await rigWithForeign();
  await rm(join(r.folder, "c/manifest.json"));
  await r.write("c/mine.json", course());
  await r.write("c/provider.json", (await r.run("providers ls -o json")).stdout);
  const named = ["_config.yml", "columns.csv", "compose.yml", "config/dashboard.json"];
  for (const command of ["check", "push"]) {
    const ran = await r.run(["courses", command, "c"]);
    const notices = lines(ran.stderr).filter((line) => line.endsWith("[not-a-course]"));
    expect([ran.code, notices.map((line) => line.split(":")[0])]).toEqual([
      0,
      [...named, "provider.json", "workflow.yml"].map((name) => `c/${name}`),
    ]);
    expect(notices[0]).toContain(".catalogignore");
  }
  expect(lines((await r.run("courses ls -o id")).stdout)).toHaveLength(1);
});

test("plans, records and tables with the column problems in a folder are not courses, and do not change what a push does", async () => {
  const r = await rigWith();
  await r.write("mine/a.json", numberedCourse(1));
  await r.write("bad.csv", "name,url\nA,x\n");
  await r.run("courses diff mine --out mine/plan.ndjson");
  await r.run("courses push mine --record mine/run.ndjson");
  await r.run("courses check bad.csv --report csv=mine/problems.csv");
  const pushed = await r.run("courses push mine");
  expect(pushed).toMatchObject({ code: 0, stdout: "" });
  expect(pushed.stderr).toContain("Already up to date: 1 course.");
  for (const name of ["plan.ndjson", "run.ndjson", "problems.csv"]) {
    expect([name, (await r.run(`courses check mine/${name}`)).code]).toEqual([name, 3]);
  }
});

test.each(["", "c "])(
  "check reads any file that is an argument as courses, also after %j, and says how to begin with one",
  async (before) => {
    const r = await rigWithForeign();
    for (const name of Object.keys(FOREIGN).filter((each) => each !== "manifest.json")) {
      const { code, stdout, stderr } = await r.run(`courses check ${before}c/${name}`);
      expect([code, stdout.includes("not-a-course")]).toEqual([3, false]);
      expect(stderr).toContain("to begin with a template, run: catalog courses init");
      expect(stdout).toMatch(/unknown field|no column/);
    }
  },
);

/** The files that `check` reads of a folder in which each file has a course with an error. */
async function filesRead(names: readonly string[], ignore: Readonly<Record<string, string>>) {
  const r = await rigWith();
  for (const name of names) await r.write(name, course({ pace: "fast" }));
  for (const [name, text] of Object.entries(ignore)) await r.write(`${name}.catalogignore`, text);
  return async (folder: string) => {
    const ran = await r.run(`courses check ${folder} --json`);
    return [...new Set(findings(ran).map(({ file }) => file))];
  };
}

test(".catalogignore applies to its folder and all folders below, where ! includes files again", async () => {
  const excluded = ["c/drafts/a.json", "c/sub/drafts/x.json", "c/sub/a.old.json"];
  const below = ["c/keep/a.old.json", "c/keep/deep/never.json"];
  const included = ["c/a.json", "c/keep/b.old.json", "c/never.json", "c/sub/z.json"];
  const read = await filesRead([...excluded, ...below, ...included], {
    "c/": "drafts/\n*.old.json\n",
    "c/keep/": "!b.old.json\nnever.json\n",
  });
  expect(await read("c")).toEqual(included);
  expect(await read("c/sub")).toEqual(["c/sub/z.json"]);
  expect(await read("c/keep")).toEqual(["c/keep/b.old.json"]);
});

test.each<[pattern: string, excluded: readonly string[]]>([
  ["a.json", ["a.json", "x/a.json", "x/y/a.json"]],
  ["/a.json", ["a.json"]],
  ["x/", ["x/# c.json", "x/a.json", "x/y/a.json"]],
  ["x/*.json", ["x/# c.json", "x/a.json"]],
  ["**/y/**/a.json", ["x/y/a.json"]],
  ["[[:alpha:]].js?n", ["a.json", "x/a.json", "x/y/a.json"]],
  ["\\# c.json", ["# c.json", "x/# c.json"]],
  ["# c.json", []],
  ["*\n!a.json", ["# c.json", "x/# c.json", "x/a.json", "x/y/a.json", "z.yaml"]],
])("%j in .catalogignore excludes what it excludes in .gitignore", async (pattern, excluded) => {
  const files = ["# c.json", "a.json", "x/# c.json", "x/a.json", "x/y/a.json", "z.yaml"];
  const read = await filesRead(files, { "": `${pattern}\n` });
  expect(await read(".")).toEqual(files.filter((name) => !excluded.includes(name)));
});

test("check refuses a .catalogignore with a NUL character, which PowerShell may append", async () => {
  const r = await rigWith();
  await r.write("c/drafts/a.json", course());
  await r.write("c/.catalogignore", "old/\nd\0r\0a\0f\0t\0s\0/\0");
  const said = expect.stringContaining("cannot use c/.catalogignore: the file has a NUL character");
  expect(await r.run("courses check c")).toMatchObject({ code: 3, stdout: said });
});
