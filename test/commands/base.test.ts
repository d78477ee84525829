/** `push` and `diff` with `--base`: the files as they were, in a second folder. */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { changeElsewhere, id, jsonErrors, numberedCourse, storedCourses } from "./helpers.ts";
import { courseWithoutId, json, rigWithTwoProviders, SCHOOL, writeRequests } from "./push-files.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Writes files of the folder `courses`; null removes one. */
async function change(r: Rig, files: Readonly<Record<string, string | object | null>>) {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) await rm(join(r.folder, "courses", name));
    else await r.write(`courses/${name}`, content);
  }
}

/** A rig whose folders `courses` and `base` equal the catalog: files of the numbered courses, and other files. */
async function applied(
  numbers: readonly number[],
  files: Readonly<Record<string, string | object>> = {},
) {
  const r = await rig();
  for (const number of numbers) await change(r, { [`${number}.json`]: numberedCourse(number) });
  await change(r, files);
  await cp(join(r.folder, "courses"), join(r.folder, "base"), { recursive: true });
  expect((await r.run("courses push courses")).code).toBe(0);
  return r;
}

/** Changes or deletes a course of the catalog. */
async function theirs(r: Rig, number: number, fields: Fields | null): Promise<void> {
  await changeElsewhere(r, id(number), fields);
}

const BASE = "courses --base base";
const diff = (r: Rig, line: string) => r.run(`courses diff ${line}`);

const [KNITTING, LONG] = ["Knit your first scarf.", "From casting on to binding off."];
const [OURS, THEIRS] = ["Ours: long.", "Theirs: short."];

test("diff --base shows changes in the catalog apart from changes in the file, as text and as JSON", async () => {
  const r = await applied([1, 2]);
  await theirs(r, 1, { short_description: THEIRS });
  await change(r, { "1.json": numberedCourse(1, { long_description: OURS }) });
  const shown = `~ Course 1 (courses/1.json, ${id(1)})
  changed in the file:
    long_description: "${LONG}" → "${OURS}"
  changed in the catalog:
    short_description: "${KNITTING}" → "${THEIRS}"
`;
  expect(await diff(r, BASE)).toMatchObject({
    code: 0,
    stderr: `Kept what changed in the catalog: "Course 1" (${id(1)}): short_description.\n`,
    stdout: `${shown}\n1 course to update. 1 is up to date.\n`,
  });
  const guide = new URL("../../docs/how-to/work-in-a-team.md", import.meta.url);
  const documented = shown.replace("courses/1.json", "courses/a.yaml");
  expect(await readFile(guide, "utf8")).toContain(`\n\`\`\`text\n${documented}\`\`\`\n`);
  const [row] = JSON.parse((await diff(r, `${BASE} --json`)).stdout);
  const long = { path: ["long_description"], old: LONG, new: OURS, base: LONG };
  const short = { path: ["short_description"], old: KNITTING, new: THEIRS, base: KNITTING };
  const sides = [
    { ...long, changedIn: "file" },
    { ...short, changedIn: "catalog" },
  ];
  expect(row.fields).toEqual(sides);
});

test("diff --base of the same folder shows what changed in the catalog, and exits with 7 with --exit-code", async () => {
  const r = await applied([1, 2]);
  const same = "courses --base courses";
  const equal = { code: 0, stdout: "Already up to date: 2 courses.\n" };
  expect(await diff(r, `${same} --exit-code`)).toMatchObject(equal);
  await theirs(r, 1, { name: "Theirs" });
  const ran = await diff(r, `${same} --exit-code --report sarif=drift.json`);
  expect([ran.code, writeRequests(ran)]).toEqual([7, []]);
  expect(ran.stdout).toMatch(
    /^= Theirs \(courses\/1\.json, \S+\)\n {2}changed in the catalog:\n {4}name: "Course 1" → "Theirs"\n\nAlready up to date: 1 course\. 1 course that changed in the catalog stays as it is\.\n$/,
  );
  // The outputs of the action are these counts.
  const sarif = JSON.parse(await r.read("drift.json"));
  expect(sarif.runs[0].properties.counts).toMatchObject({ updated: 0, drifted: 1 });
  expect((await diff(r, same)).code).toBe(0);
});

/** Adds course 7 to the catalog. */
async function addTheirs(r: Rig): Promise<void> {
  await r.run(["api", "POST", "developer/v1/courses", "-d", json(numberedCourse(7))]);
}

/**
 * Changed on both sides: a field, a file whose course was deleted, a course whose file was removed. Changed only in the
 * catalog: a field, a deleted course, an added one. Changed only in the files: a field, a removed file, a new one.
 */
async function withDrift(): Promise<Rig> {
  const r = await applied([1, 2, 3, 4, 6]);
  await theirs(r, 1, { name: "Theirs", short_description: THEIRS });
  for (const number of [2, 6]) await theirs(r, number, null);
  await theirs(r, 3, { short_description: THEIRS });
  await addTheirs(r);
  await change(r, {
    "1.json": numberedCourse(1, { name: "Ours", long_description: OURS }),
    "2.json": numberedCourse(2, { long_description: OURS }),
    "3.json": null,
    "4.json": null,
    "5.json": numberedCourse(5),
  });
  return r;
}

test.each([
  `push ${BASE} --prune --yes`,
  `push ${BASE} --prune --yes --on-drift stop`,
  `push ${BASE} --prune --dry-run --out plan.json`,
  `diff ${BASE} --prune --out plan.json`,
])(
  "what changed on both sides ends a run with 7, sends nothing, and is listed with its three values: %s",
  async (line) => {
    const r = await withDrift();
    const ran = await r.run(`courses ${line} --report sarif=report.json --json`);
    expect([ran.code, writeRequests(ran)]).toEqual([7, []]);
    const errors = jsonErrors(ran).map(({ kind, file, message }) => `${kind} ${file} ${message}`);
    const said = [
      /^drift courses\/1\.json .*name was "Course 1", is "Ours" in the file and "Theirs" in the catalog$/,
      /^drift courses\/2\.json .*was deleted in the catalog, but changed in the file: long_description /,
      / is no longer in any file, but changed in the catalog: short_description /,
      / 3 courses changed .* since the base; nothing was sent$/,
    ];
    expect(errors).toEqual(said.map((each) => expect.stringMatching(each)));
    expect(jsonErrors(ran).at(-1)?.next).toMatch(/ --on-drift keep\..* --on-drift overwrite\.$/);
    const report = JSON.parse(await r.read("report.json"));
    expect(report.runs[0].properties.counts.errors).toBe(4);
    expect(existsSync(join(r.folder, "plan.json"))).toBe(false);
  },
);

test("diff shows the three values of what changed on both sides, and names what others did", async () => {
  const { stdout } = await diff(await withDrift(), `${BASE} --prune`);
  for (const line of [
    /^~ Ours \(courses\/1\.json, \S+\)$/m,
    /^ {2}changed in both:\n {4}name: "Theirs" → "Ours" \(base: "Course 1"\)$/m,
    /^\+ Course 2 \(courses\/2\.json, \S+, deleted in the catalog\)$/m,
    /^- Course 3 \(\S+, changed in the catalog\)\n {2}changed in both:$/m,
    /^= Course 6 \(courses\/6\.json, \S+, deleted in the catalog\)$/m,
    /^= Course 7 \(\S+, added in the catalog\)$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});

test("what others did has no risk, and is called added, changed or deleted in the catalog in every report", async () => {
  const r = await applied([1, 2, 3]);
  await theirs(r, 1, { published: false, short_description: THEIRS });
  await theirs(r, 2, null);
  await addTheirs(r);
  const formats = ["markdown", "junit", "sarif", "codequality", "html"];
  const reports = formats.map((format) => ` --report ${format}=report.${format}`).join("");
  const line = `courses diff courses --base courses --prune --exit-code${reports}`;
  const ran = await r.run(line, { environment: { GITHUB_ACTIONS: "true" } });
  expect(ran.code).toBe(7);
  expect(ran.stdout).not.toContain("Look at these first");
  for (const format of formats) {
    const text = await r.read(`report.${format}`);
    expect(text, format).toMatch(/(?:added|changed|deleted) in the catalog/i);
    expect(text, format).not.toMatch(
      /Look at these first|<summary>(?:create|delete) |>(?:create|delete):/,
    );
  }
  expect(ran.stderr.match(/(?<=^::notice file=).*in the catalog.*$/gm)).toEqual([
    expect.stringMatching(
      /^courses\/1\.json,line=1,.*"Course 1" was changed .*: short_description$/,
    ),
    expect.stringMatching(/^courses\/2\.json,line=1,.*"Course 2" was deleted in the catalog$/),
  ]);
});

test("diff --base finds courses whose files moved or changed their form, with default values", async () => {
  const r = await applied([6], {
    "1.json": courseWithoutId(1),
    "3.json": courseWithoutId(3, { key: "three" }),
    "list.json": [courseWithoutId(4), courseWithoutId(5)],
    "catalog.defaults.yaml": "published: false\n",
  });
  const first = (await storedCourses(r)).find(({ name }) => name === "Course 1");
  await changeElsewhere(r, first?.id, { level: ["beginner"] });
  const moved = (number: number) => ({ url: `https://academy.example/${number}/new` });
  await change(r, {
    "1.json": null,
    "more/renamed.json": courseWithoutId(1, { long_description: OURS, level: ["advanced"] }),
    "3.json": null,
    "3.yaml": `# Now YAML\n${json(courseWithoutId(3, { key: "three", ...moved(3) }))}`,
    "list.json": null,
    "4.json": courseWithoutId(4, { name: "Ours 4" }),
    "5.json": courseWithoutId(5),
    "6.json": numberedCourse(6, moved(6)),
    "catalog.defaults.yaml": "published: true\n",
  });
  const sides = async (line: string, input = "") => {
    const ran = await r.run(`courses diff ${line} --base base --json`, { input });
    const rows: { name: string; fields: { path: string[]; changedIn: string }[] }[] = JSON.parse(
      ran.stdout,
    );
    return rows.map(({ name, fields }) =>
      [name, ...fields.map(({ path, changedIn }) => `${path} in ${changedIn}`)].join(", "),
    );
  };
  expect(await sides("courses --on-drift overwrite")).toEqual([
    "Course 3, url in file, published in file",
    "Ours 4, name in file, published in file",
    "Course 5, published in file",
    "Course 6, url in file, published in file",
    "Course 1, long_description in file, published in file, level in both",
  ]);
  const input = json(courseWithoutId(1, { long_description: OURS, published: true }));
  expect(await sides("-", input)).toEqual([
    "Course 1, long_description in file, published in file",
  ]);
});

test("push --base sends courses that the base lacks as push without --base does, and counts them in a notice", async () => {
  const r = await applied([1, 2]);
  await rm(join(r.folder, "base/1.json"));
  await theirs(r, 1, { name: "Theirs" });
  const ran = await r.run(`courses push ${BASE}`);
  expect([ran.code, writeRequests(ran).length]).toEqual([0, 1]);
  const notice = "Not in the base, so all values of the files are sent: 1 course.";
  expect(ran.stderr).toContain(`${notice}\n`);
  expect((await storedCourses(r))[0]).toMatchObject({ name: "Course 1" });
});

test("push --prune --base also deletes the courses of a provider whose last file was removed", async () => {
  const school = { provider_id: SCHOOL.id, url: "https://school.example/2" };
  const r = await rigWithTwoProviders(numberedCourse(1), numberedCourse(2, school));
  await r.write("base/a.json", [numberedCourse(1), numberedCourse(2, school)]);
  await r.write("courses/a.json", numberedCourse(1));
  expect(writeRequests(await r.run("courses push courses --prune --yes"))).toEqual([]);
  expect((await r.run(`courses push ${BASE} --prune --yes`)).code).toBe(0);
  expect(await storedCourses(r)).toMatchObject([{ id: id(1) }]);
});

test("push --base and diff --base send nothing if there is no such folder, or no course in it", async () => {
  const r = await applied([1]);
  await change(r, { "1.json": numberedCourse(1, { name: "Ours" }) });
  await mkdir(join(r.folder, "empty"));
  for (const line of ["push courses --base absent", "diff courses --base empty"]) {
    const ran = await r.run(`courses ${line}`);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toMatch(/absent|empty/);
  }
  expect((await r.run("courses push courses --base=")).code).toBe(2);
});
