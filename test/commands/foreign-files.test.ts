/** Files of other programs among course files: no command edits, merges into or removes them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { course, type Rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";

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

/** The present texts of the foreign files; undefined for a file that does not exist. */
async function readForeign(r: Rig): Promise<Record<string, string | undefined>> {
  const entries = Object.keys(FOREIGN).map(async (name) => {
    const text = await r.read(`c/${name}`).catch(() => undefined);
    return [name, text] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
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
  const { id: __, ...mine } = numberedCourse(1);
  await r.write("c/mine.json", mine);
  await r.write("rows.csv", `id;name;url\n${id(7)};Knitting;https://academy.example/k\n`);
  await r.write("name.csv", "name;level\nKnitting;beginner\n");
  await r.run(["courses", ...line.split(" ")]);
  expect(await readForeign(r)).toEqual(FOREIGN);
});

test("check and push name each file of another program in a folder in a notice, and go on without it", async () => {
  const r = await rigWithForeign();
  await rm(join(r.folder, "c/manifest.json"));
  await r.write("c/mine.json", course());
  const listed = await r.run("providers ls -o json");
  await r.write("c/provider.json", listed.stdout);
  for (const command of ["check", "push"]) {
    const ran = await r.run(["courses", command, "c"]);
    const notices = lines(ran.stderr).filter((line) => line.endsWith("[not-a-course]"));
    expect([ran.code, notices.map((line) => line.split(":")[0])]).toEqual([
      0,
      ["_config.yml", "columns.csv", "compose.yml", "config/dashboard.json"]
        .concat("provider.json", "workflow.yml")
        .map((name) => `c/${name}`),
    ]);
    expect(notices[0]).toContain(".catalogignore");
  }
  expect(lines((await r.run("courses ls -o id")).stdout)).toHaveLength(1);
});

test("plans, records and tables with the column problems in a folder are no courses, and do not change what a push does", async () => {
  const r = await rigWithForeign();
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

test("check reads any file that is an argument as courses, and says how to begin with one", async () => {
  const r = await rigWithForeign();
  for (const name of Object.keys(FOREIGN).filter((each) => each !== "manifest.json")) {
    const { code, stdout, stderr } = await r.run(`courses check c/${name}`);
    expect([code, stdout.includes("not-a-course")]).toEqual([3, false]);
    expect(stderr).toContain("to begin with a template, run: catalog courses init");
    expect(stdout).toMatch(/unknown field|no column/);
  }
});

const text = JSON.stringify(course());

test(".catalogignore applies to its folder and all folders below, where ! includes files again", async () => {
  const r = await rigWith();
  await r.write("c/.catalogignore", "drafts/\n*.old.json\n");
  await r.write("c/keep/.catalogignore", "!b.old.json\nnever.json\n");
  const names = ["a.json", "drafts/a.json", "sub/drafts/x.json", "sub/a.old.json", "never.json"];
  const below = ["keep/a.old.json", "keep/b.old.json", "keep/deep/never.json"];
  for (const [index, name] of [...names, ...below].entries()) {
    await r.write(`c/${name}`, course({ url: `https://academy.example/${index}` }));
  }
  await r.write("c/sub/z.json", text);
  const filesOf = async (path: string) => {
    const { stdout } = await r.run(["courses", "check", path]);
    return /(\d+) files?, /.exec(stdout)?.[1] ?? stdout;
  };
  expect(await filesOf("c")).toBe("4");
  expect(await filesOf("c/sub")).toBe("1");
  expect(await filesOf("c/keep")).toBe("1");
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
  ["*\n!a.json", ["# c.json", "x/# c.json", "x/a.json", "x/y/a.json"]],
])(
  "the pattern %j in .catalogignore excludes what it excludes in .gitignore",
  async (pattern, excluded) => {
    const files = ["# c.json", "a.json", "x/# c.json", "x/a.json", "x/y/a.json"];
    const r = await rigWith();
    await r.write("c/.catalogignore", `${pattern}\n`);
    // A file whose course has an error is named.
    const broken = JSON.stringify({ ...course(), pace: "fast" });
    for (const name of files) await r.write(`c/${name}`, broken);
    await r.write("c/z.yaml", broken);
    const { stdout } = await r.run("courses check c --json");
    const { problems } = JSON.parse(stdout) as { problems: readonly { file: string }[] };
    const read = new Set(problems.map(({ file }) => file));
    expect(files.filter((name) => !read.has(`c/${name}`))).toEqual(excluded);
  },
);

test("check refuses a .catalogignore with a NUL character, which PowerShell may append", async () => {
  const r = await rigWith();
  await r.write("c/drafts/a.json", text);
  const tail = Buffer.from("drafts/\r\n", "utf16le");
  await r.write("c/.catalogignore", Buffer.concat([Buffer.from("old/\n"), tail]));
  const { code, stdout } = await r.run("courses check c");
  expect(code).toBe(3);
  expect(stdout).toContain("cannot use c/.catalogignore: the file has a NUL character");
});
