/** --dry-run, with every command that changes something: it changes nothing, and ends as the run would be refused. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import type { Rig, RunOptions } from "../rig.ts";
import { ABSENT, id, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { writeRequests } from "./push-files.ts";
import { logIn } from "./saved-key.ts";

/** What the flags are that only a run without --dry-run needs, and that a dry run accepts. */
const WITHOUT_EFFECT = [
  ["--yes"],
  ["--write-ids"],
  ["--no-ids"],
  ["--note", "Why"],
  ["--record", "record.ndjson"],
];

/** A command line that changes something, and what a dry run of it shows. */
const LINES: readonly (readonly [line: string, shows: RegExp])[] = [
  ["courses create new.json", /1 course to create/],
  [`courses update ${id(1)} --name New`, /name: "Course 1" → "New".*1 course to update/s],
  ["courses update one.json", /1 course to update/],
  [`courses rm ${id(1)} ${id(2)}`, /2 courses to delete/],
  [`courses publish ${id(2)}`, /1 course to update/],
  [`courses unpublish ${id(1)}`, /1 course to update/],
  ["courses push a.json", /1 course to create and 1 to update/],
  ["courses push a.json --prune", /1 to delete/],
  ["courses push --plan plan.json", /1 course to create and 1 to update/],
  ["courses diff a.json", /1 course to create and 1 to update/],
  ["courses pull out", /Courses in files: 2 to write\./],
  ["courses pull files --force --prune", /Courses in files: 2 to write, 1 to remove\./],
  ["courses import new.json --out out", /Courses in files: 1 to write\./],
  ["courses import new.json --suggest --out map", /Would write the mapping to map/],
  ["courses init first.yaml", /Would write first\.yaml/],
  ["courses preview new.json --out page.html", /Would write 1 course to page\.html/],
  ["courses preview new.json", /Would write 1 course to /],
  ["courses check fixable.json --fix", /"self-paced" → "self_paced".*Would fix 1 problem/s],
  ["undo", /1 course to update/],
  [`sandbox approve ${id(1)}`, /1 course would be approved/],
  [`api DELETE developer/v1/courses?id=${id(1)}`, /Would send DELETE developer/],
  ["login --with-key", /Would save the API key in .*config\.json/],
  ["logout", /Would remove the saved API key/],
];
/** The commands that change nothing, so that they have no --dry-run. */
const READING = [
  ...["courses ls", "courses get", "providers ls", "history", "status", "sandbox"],
  ...["schema", "explain", "completion"],
];

async function changed(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2, { published: false }));
  const files = {
    "a.json": [numberedCourse(1, { name: "Other" }), numberedCourse(3)],
    "new.json": numberedCourse(4),
    "one.json": { id: id(1), name: "Other" },
    "fixable.json": numberedCourse(1, { pace: "self-paced" }),
    "files/a.json": numberedCourse(1, { name: "Other" }),
    "files/gone.json": numberedCourse(9),
  };
  for (const [name, value] of Object.entries(files)) await r.write(name, value);
  await r.run("courses diff a.json --out plan.json");
  await r.run(`courses update ${id(2)} --pace instructor_paced`);
  await logIn(r);
  return r;
}

/** The text of every file below the folder, by its path; empty for a folder. */
async function contents({ folder }: Rig) {
  const paths = (await readdir(folder, { recursive: true })).sort();
  const texts = paths.map((path) => readFile(join(folder, path), "utf8").catch(() => ""));
  return (await Promise.all(texts)).map((text, index) => [paths[index], text]);
}

const ALL = await loadAllCommands();

/** The command of a line: `sandbox approve`, not `sandbox`. */
function commandOf(line: string) {
  return ALL.findLast(({ path }) => `${line} `.startsWith(`${path} `));
}

function flagsOf(line: string): readonly string[] {
  return commandOf(line)?.command.flags?.map(({ name }) => `--${name}`) ?? [];
}

const INPUT: RunOptions = { input: DEFAULT_KEY };

test("every command either only reads or has a command line in the tests of --dry-run", () => {
  for (const { path, command } of ALL) {
    const hasFlag = command.flags?.some(({ name }) => name === "dry-run") ?? false;
    expect([path, hasFlag]).toEqual([path, !READING.includes(path)]);
    const isTested = LINES.some(([line]) => commandOf(line)?.path === path);
    expect([path, isTested]).toEqual([path, hasFlag]);
  }
});

test.each(LINES)(
  "%s --dry-run shows what would change, sends nothing but GET, and writes nothing",
  async (line, shows) => {
    const r = await changed();
    const before = [await contents(r), await storedCourses(r)];
    const known = flagsOf(line).filter(
      (flag) => !(line.includes("--plan") && flag === "--write-ids"),
    );
    const without = WITHOUT_EFFECT.filter(([flag = ""]) => known.includes(flag)).flat();
    for (const flags of [[], without]) {
      const ran = await r.run([...line.split(" "), ...flags, "--dry-run"], INPUT);
      expect([ran.code, writeRequests(ran)]).toEqual([line.includes("--fix") ? 3 : 0, []]);
      expect((ran.stdout + ran.stderr).replace(/\n +/g, " ")).toMatch(shows);
    }
    expect([await contents(r), await storedCourses(r)]).toEqual(before);
  },
);

test.each(["push", "diff"])(
  "push --dry-run and diff --dry-run write plans and reports: %s",
  async (name) => {
    const r = await changed();
    const out = "--out new.plan --report html=new.html";
    expect((await r.run(`courses ${name} a.json --dry-run ${out}`)).code).toBe(0);
    expect(await readdir(r.folder)).toEqual(expect.arrayContaining(["new.plan", "new.html"]));
  },
);

test.each([
  [2, "courses push a.json --prune --max-deletes 0"],
  [3, "courses push --plan none.json"],
  [2, "courses push a.json --record new.json"],
  [2, "courses pull files --prune --max-deletes 0"],
  [2, "courses import new.json --out files/new.xlsx"],
  [2, "courses init a.txt"],
  [2, "courses init new.yaml"],
  [3, "courses push bad.json"],
  [3, "courses create bad.json"],
  [3, "courses import bad.json --out out"],
  [1, "courses create a.json"],
  [2, "courses preview new.json --out new.json"],
  [1, "courses pull files"],
  [4, "login --with-key"],
  [5, `courses update ${ABSENT} --name New`],
  [5, `courses rm ${ABSENT} ${id(1)}`],
  [5, `courses publish ${ABSENT}`],
  [5, `sandbox approve ${ABSENT}`],
] as const)("exit %i: %s --dry-run ends with the code of the run", async (code, line) => {
  const r = await changed();
  await r.write("bad.json", numberedCourse(5, { pace: "slow" }));
  await r.write("new.yaml", "mine\n");
  const options: RunOptions = line.startsWith("login") ? { input: "wrong.key-of-nobody" } : {};
  const before = await storedCourses(r);
  const dry = await r.run([...line.split(" "), "--dry-run"], options);
  expect(await storedCourses(r)).toEqual(before);
  const yes = flagsOf(line).includes("--yes") ? ["--yes"] : [];
  const ran = await r.run([...line.split(" "), ...yes], options);
  expect([dry.code, ran.code]).toEqual([code, code]);
});
