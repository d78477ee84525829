/** Reports and annotations name files relative to the root of the repository, as CI services expect. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPORT_FORMATS } from "../../src/output/formats.ts";
import { Rig } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";
import { json } from "./push-files.ts";

/** A file with one error. */
const WRONG = json({ ...numberedCourse(1), nmae: "x" });

/** A team's folder in a repository, with a course that has an error. */
async function team(course: unknown = { ...numberedCourse(1), nmae: "x" }) {
  const r = await rigWith();
  await mkdir(join(r.folder, ".git"));
  const inside = new Rig(r.sandbox, join(r.folder, "team"));
  await inside.write("courses/a b.json", json(course));
  return { root: r.folder, inside };
}

const FLAGS = REPORT_FORMATS.flatMap((format) => ["--report", `${format}=../out/${format}`]);

async function readReports(root: string): Promise<Readonly<Record<string, string>>> {
  const read = async (format: string) =>
    [format, await readFile(join(root, "out", format), "utf8")] as const;
  return Object.fromEntries(await Promise.all(REPORT_FORMATS.map(read)));
}

/** The paths of annotations: the beginning of `::error file=…`. */
function annotated(text: string): readonly string[] {
  return [...text.matchAll(/^::error file=([^,\n]*)/gm)].map(([, file = ""]) => file);
}

describe("in a folder of a repository", () => {
  test.each(["check", "push", "diff"])(
    "%s writes paths from the root of the repository into reports, and typed paths into text for people",
    async (command) => {
      const { root, inside } = await team();
      const words = ["courses", command, "./courses", ...FLAGS];
      const ran = await inside.run(words, { environment: { GITHUB_ACTIONS: "true" } });
      expect(ran.code).toBe(3);
      expect(annotated(`${ran.stdout}${ran.stderr}`)).toEqual(["team/courses/a b.json"]);
      expect(`${ran.stdout}${ran.stderr}`).toMatch(/^courses\/a b\.json:\d+:\d+: error/m);
      const { junit, sarif, codequality, markdown } = await readReports(root);
      expect(junit).toMatch(/team\/courses\/a b\.json:\d+:\d+: error/);
      expect(sarif).toContain('"uri": "team/courses/a%20b.json"');
      expect(JSON.parse(codequality ?? "")[0].location.path).toBe("team/courses/a b.json");
      expect(markdown).toMatch(/`team\/courses\/a b\.json:\d+:\d+`/);
    },
  );

  test("diff and push write paths from the root into reports, diff prints typed paths", async () => {
    const { root, inside } = await team(numberedCourse(1));
    const printed = await inside.run(["courses", "diff", "./courses", "--json", ...FLAGS]);
    expect(JSON.parse(printed.stdout)[0].file).toBe("courses/a b.json");
    const { markdown } = await readReports(root);
    expect(markdown).toContain("`team/courses/a b.json:1`");
    const missing = await inside.run(["courses", "push", "missing.json", ...FLAGS]);
    expect(missing.code).toBe(3);
    const { codequality } = await readReports(root);
    expect(JSON.parse(codequality ?? "")[0].location.path).toBe("team/missing.json");
  });

  test("check annotates a file outside of the repository by its absolute path", async () => {
    const { root, inside } = await team();
    const outside = join(dirname(root), `${basename(root)}.json`);
    await writeFile(outside, WRONG);
    const ran = await inside.run(["courses", "check", "-o", "github", outside]);
    await rm(outside);
    expect(annotated(ran.stdout)).toEqual([outside]);
  });

  test("check annotates standard input as <stdin>", async () => {
    const { inside } = await team();
    const words = ["courses", "check", "-o", "github", "-"];
    const ran = await inside.run(words, { input: WRONG });
    expect(annotated(ran.stdout)).toEqual(["<stdin>"]);
  });
});

test("check annotates paths from the current folder without a repository", async () => {
  const r = await rigWith();
  await r.write("courses/a.json", WRONG);
  const ran = await r.run(["courses", "check", "-o", "github", `${r.folder}/courses`]);
  expect(annotated(ran.stdout)).toEqual(["courses/a.json"]);
});
