/** Files of other programs among course files: no command edits, merges into or removes them. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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
    const text = await readFile(join(r.folder, "c", name), "utf8").catch(() => undefined);
    return [name, text] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe("commands", () => {
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
    await r.write("c/mine.json", JSON.stringify(mine));
    await r.write("rows.csv", `id;name;url\n${id(7)};Knitting;https://academy.example/k\n`);
    await r.write("name.csv", "name;level\nKnitting;beginner\n");
    await r.run(["courses", ...line.split(" ")]);
    expect(await readForeign(r)).toEqual(FOREIGN);
  });
});

describe("objects of other programs", () => {
  test("check and push name each file of another program in a folder in a notice, and go on without it", async () => {
    const r = await rigWithForeign();
    await rm(join(r.folder, "c/manifest.json"));
    await r.write("c/mine.json", JSON.stringify(course()));
    const listed = await r.run(["providers", "ls", "-o", "json"]);
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
    expect(lines((await r.run(["courses", "ls", "-o", "id"])).stdout)).toHaveLength(1);
  });

  test("check and push refuse a folder that has only files of other programs", async () => {
    const r = await rigWith();
    await r.write("c/compose.yml", FOREIGN["compose.yml"] ?? "");
    for (const command of ["check", "push"]) {
      const ran = await r.run(["courses", command, "c"]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("c contains no course")]);
    }
  });

  test("check reads any file that is an argument as courses, and says how to begin with one", async () => {
    const r = await rigWithForeign();
    for (const name of Object.keys(FOREIGN).filter((each) => each !== "manifest.json")) {
      const { code, stdout, stderr } = await r.run(["courses", "check", `c/${name}`]);
      expect([code, stdout.includes("not-a-course")]).toEqual([3, false]);
      expect(stderr).toContain("to begin with a template: catalog courses init");
      expect(stdout).toMatch(/unknown field|no column/);
    }
  });

  test("check names an object of another program in a list, and still checks the courses of the list", async () => {
    const r = await rigWith();
    const other = { name: "x", on: 1, jobs: 2 };
    await r.write(
      "c/a.json",
      `[${JSON.stringify(course({ pace: "slow" }))},\n${JSON.stringify(other)}]`,
    );
    const { stdout, stderr } = await r.run(["courses", "check", "c"]);
    expect(lines(stdout).flatMap((line) => / error: .*\[(.+)\]/.exec(line)?.[1] ?? [])).toEqual([
      "choice",
    ]);
    expect(stderr).toContain("c/a.json:2: not a course");
  });

  test("check does not read an object as a course because of the default values of its folder", async () => {
    const r = await rigWith();
    await r.write("c/catalog.defaults.yaml", "audio: [en]\npace: self_paced\nprovider: x\n");
    await r.write("c/dashboard.json", `{"id":"${id(7)}","dashboards":[1]}`);
    await r.write("c/mine.json", JSON.stringify(course()));
    const { stdout, stderr } = await r.run(["courses", "check", "c"]);
    expect(stderr).toContain("c/dashboard.json:1: not a course");
    expect(stdout).toContain("2 files, 1 course: no problems");
  });

  test("update still accepts partial files with an id and one field", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.yaml", `id: ${id(1)}\npublished: false\n`);
    expect(await r.run(["courses", "update", "a.yaml"])).toMatchObject({ code: 0 });
  });
});

describe(".catalogignore", () => {
  const text = JSON.stringify(course());

  test(".catalogignore excludes files and folders from every command that reads course files", async () => {
    const r = await rigWithForeign(numberedCourse(1));
    await r.write(
      "c/.catalogignore",
      `# not ours\n_config.yml\n*.csv\n/config/\ncompose.*\nw*.yml\nmanifest.json\n`,
    );
    await r.write("c/mine.json", JSON.stringify(numberedCourse(1)));
    for (const line of ["check c", "diff c", "push c", "pull c", "import c --out d", "update c"]) {
      const ran = await r.run(["courses", ...line.split(" ")]);
      expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.not.stringContaining("error")]);
    }
    expect(await readForeign(r)).toEqual(FOREIGN);
    const created = await r.run(["courses", "create", "c"]);
    expect(created).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("course with this id exists"),
    });
  });

  test(".catalogignore applies to its folder and all folders below, where ! includes files again", async () => {
    const r = await rigWith();
    await r.write("c/.catalogignore", "drafts/\n*.old.json\n");
    await r.write("c/keep/.catalogignore", "!b.old.json\nnever.json\n");
    const names = ["a.json", "drafts/a.json", "sub/drafts/x.json", "sub/a.old.json", "never.json"];
    const below = ["keep/a.old.json", "keep/b.old.json", "keep/deep/never.json"];
    for (const [index, name] of [...names, ...below].entries()) {
      await r.write(
        `c/${name}`,
        JSON.stringify(course({ url: `https://academy.example/${index}` })),
      );
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

  test(".catalogignore does not exclude a file or folder that is an argument", async () => {
    const r = await rigWith();
    await r.write("c/.catalogignore", "drafts/\nold.json\n");
    await r.write("c/old.json", text);
    await r.write("c/drafts/a.json", text);
    for (const path of ["c/old.json", "c/drafts", "c/drafts/a.json"]) {
      const ran = await r.run(["courses", "check", path]);
      expect([path, ran.code]).toEqual([path, 0]);
    }
    expect(await r.run(["courses", "check", "c"])).toMatchObject({ code: 2 });
  });
});
