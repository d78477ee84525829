/** Outputs that a command line names: no file from which the run reads is written, and no output is left out of the reading. */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECK_REPORTS, REPORT_FORMATS } from "../../src/output/formats.ts";
import { loadAllCommands } from "../../tools/documents/commands.ts";
import { id, numberedCourse, rigWith } from "../commands/helpers.ts";
import type { Rig } from "../rig.ts";

/** A folder of two courses that are in the catalog, with its base, a plan and a record. */
async function desk(): Promise<Rig> {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  for (const folder of ["c", "base"]) {
    await r.write(`${folder}/1.json`, JSON.stringify(numberedCourse(1)));
    await r.write(`${folder}/2.json`, JSON.stringify(numberedCourse(2, { name: "Changed" })));
  }
  await r.write("c/catalog.defaults.yaml", "pace: self_paced\n");
  await r.write("map.jsonata", '{"name": name}');
  await r.write("c/.catalogignore", "drafts/\n");
  for (const config of CONFIGS) await r.write(config, '{"retries": 2}\n');
  await r.run("courses diff c --out plan.ndjson");
  await r.run(["courses", "publish", id(1), "--record", "run.ndjson"]);
  return r;
}

const CONFIGS = [".catalogrc", "own.yaml", ".config/catalog/config.json"];
const COMMANDS = ["check", "diff", "push"];
const DRY = ["courses", "push", "c", "--prune", "--yes", "--dry-run"];
const TAKEN = "c/2.json";

/** Command lines with an output that they also read, by that file. */
const LINES: readonly (readonly [file: string, line: readonly string[]])[] = [
  ...COMMANDS.flatMap((command) =>
    (command === "check" ? CHECK_REPORTS : REPORT_FORMATS).map((format) => {
      return [TAKEN, ["courses", command, "c", "--report", `${format}=${TAKEN}`]] as const;
    }),
  ),
  [TAKEN, ["courses", "diff", "c", "--prune", "--out", "./c/2.json"]],
  [TAKEN, ["courses", "diff", TAKEN, "--out", TAKEN]],
  [TAKEN, [...DRY, "--out", TAKEN]],
  [TAKEN, [...DRY, "--report", `markdown=${TAKEN}`]],
  ["base/2.json", ["courses", "diff", "c", "--base", "base", "--out", "base/2.json"]],
  ["plan.ndjson", ["courses", "diff", "--plan", "plan.ndjson", "--report", "html=plan.ndjson"]],
  [
    "c/catalog.defaults.yaml",
    ["courses", "check", "c", "--report", "html=c/catalog.defaults.yaml"],
  ],
  ["run.ndjson", ["history", "run.ndjson", "--report", "html=run.ndjson"]],
  ...["c/.catalogignore", ".catalogrc", ".config/catalog/config.json"].map((file) => {
    return [file, ["courses", "check", "c", "--report", `html=${file}`]] as const;
  }),
  ["own.yaml", ["courses", "ls", "--out", "own.yaml", "--config", "own.yaml"]],
  [TAKEN, ["courses", "preview", "c", "--out", TAKEN]],
  [TAKEN, ["courses", "import", TAKEN, "--out", TAKEN]],
  ["map.jsonata", ["courses", "import", TAKEN, "--map", "map.jsonata", "--out", "map.jsonata"]],
];

test("no output of any command replaces a file that it reads, a config or .catalogignore, also in a folder, a base and a dry run, and nothing is sent", async () => {
  const r = await desk();
  for (const [file, line] of LINES) {
    const before = await readFile(join(r.folder, file), "utf8");
    const ran = await r.run(line);
    const words = line.join(" ");
    expect([words, ran.code, ran.requests.length]).toEqual([words, 2, 0]);
    expect(ran.stderr, words).toContain("it is one of the files that the command reads");
    expect(await readFile(join(r.folder, file), "utf8")).toBe(before);
  }
});

test("two outputs with one name are refused before anything is read", async () => {
  const r = await desk();
  await r.write("sub/other", "");
  await symlink("sub", join(r.folder, "link"));
  for (const line of [
    ["courses", "check", "c", "--report", "html=sub/r.x", "--report", "markdown=link/r.x"],
    ["courses", "push", "c", "--record", "link/new/r.x", "--report", "html=sub/new/r.x"],
    ["courses", "check", "c", "--report", "html=r.x", "--report", "markdown=./r.x"],
    ["courses", "diff", "c", "--out", "r.x", "--report", "html=r.x"],
    ["courses", "push", "c", "--record", "r.x", "--report", "html=r.x"],
  ]) {
    const ran = await r.run(line);
    expect([ran.code, ran.requests.length]).toEqual([2, 0]);
    expect(ran.stderr).toMatch(/^error: two outputs have the name \S*r\.x\n/);
  }
});

test("a report, a plan and a listing in the folder that is read are replaced by the next run", async () => {
  const r = await desk();
  for (const line of [
    ["courses", "check", "c", "--report", "csv=c/report.csv"],
    ["courses", "diff", "c", "--out", "c/plan.ndjson"],
    ["courses", "ls", "--out", "all.json"],
  ]) {
    expect(await r.run(line)).toMatchObject({ code: 0 });
    expect(await r.run(line)).toMatchObject({ code: 0 });
  }
});

test("every flag that names a file to write is declared as one", async () => {
  const commands = await loadAllCommands();
  const flags = commands.flatMap(({ command }) => command.flags ?? []);
  const isNamed = (name: string) => /^(?:out|report|record)$/.test(name);
  expect(flags.filter(({ name }) => isNamed(name)).length).toBeGreaterThan(10);
  expect(flags.filter(({ name, file }) => isNamed(name) !== (file === "written"))).toEqual([]);
});
