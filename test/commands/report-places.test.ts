/** Reports and annotations name files relative to the root of the repository, as CI services expect. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPORT_FORMATS } from "../../src/output/formats.ts";
import { Rig } from "../rig.ts";
import { numberedCourse, rigWith } from "./helpers.ts";

/** A team's folder in a repository, with a course that has an error. */
async function team(course: object = { ...numberedCourse(1), nmae: "x" }) {
  const r = await rigWith();
  await mkdir(join(r.folder, ".git"));
  const inside = new Rig(r.sandbox, join(r.folder, "team"));
  await inside.write("courses/a b.json", course);
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

test("what has no place is at the first path that was given, and nowhere if a plan is applied", async () => {
  const { root, inside } = await team(numberedCourse(1));
  const environment = { GITHUB_ACTIONS: "true", CATALOG_API_KEY: "a-wrong-key-0123" };
  const words = ["courses", "push", "./courses", "courses/a b.json", ...FLAGS];
  const ran = await inside.run(words, { environment });
  expect([ran.code, annotated(ran.stderr)]).toEqual([4, ["team/courses"]]);
  const { sarif, codequality } = await readReports(root);
  expect(sarif).toContain('"uri": "team/courses"');
  expect(JSON.parse(codequality ?? "")[0].location.path).toBe("team/courses");
  const planned = ["courses", "push", "--plan", "absent.ndjson"];
  const applied = await inside.run(planned, { environment });
  expect(applied.stderr).toMatch(/^::error title=catalog courses push::/m);
});
