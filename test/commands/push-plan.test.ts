/** The plan that a push shows before it is applied. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { MemoryOutput, type Rig, rig } from "../rig.ts";
import { id, lines, numberedCourse, ownLines, rigWith, storedCourses } from "./helpers.ts";
import { courseWithoutId, json, push, SEWING, writeRequests } from "./push-files.ts";

/** Runs a push with standard error in a file and standard output on a terminal. */
async function pushWithErrorsInFile(r: Rig, words: readonly string[]) {
  const out = new MemoryOutput(true);
  const err = new MemoryOutput(false);
  const environment = { TERM: "xterm-256color" };
  const code = await main(
    ["courses", "push", ...words],
    r.system({ out, err, terminal: true, environment }),
  );
  r.requireKeyless({ words, keys: [DEFAULT_KEY], outputs: [out.text, err.text] });
  return { code, stdout: out.text, stderr: err.text };
}

describe("plan before the push", () => {
  const three = async () => {
    const r = await rigWith(
      numberedCourse(1),
      numberedCourse(2, { image_url: "https://i.example/2" }),
      numberedCourse(3),
    );
    await r.write("a.yaml", SEWING);
    await r.write(
      "b.json",
      json([numberedCourse(1), numberedCourse(2, { name: "New", image_url: null, audio: ["de"] })]),
    );
    return r;
  };

  test("push first shows sign, name, file and fields of each course, and the counts", async () => {
    const r = await three();
    const ran = await push(r, ["a.yaml", "b.json", "--prune", "--yes"]);
    expect(lines(ran.stderr).slice(0, 6)).toEqual([
      "Look at these first:",
      "! Course 3: deleted",
      "+ Sewing (a.yaml)",
      `~ Course 2 (b.json, ${id(2)}): name, audio, image_url`,
      `- Course 3 (${id(3)})`,
      "1 course to create, 1 to update and 1 to delete. 1 is up to date.",
    ]);
    expect(ownLines(ran.stderr).at(-1)).toBe(
      "Created 1 course, updated 1 and deleted 1. 1 was up to date.",
    );
  });

  test("push --dry-run shows only the plan and the target, changes nothing and exits with 0", async () => {
    const r = await three();
    const before = await storedCourses(r);
    const ran = await push(r, ["a.yaml", "b.json", "--prune", "--dry-run"]);
    expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([0, "", []]);
    expect(lines(ran.stderr).map((line) => line[0])).toEqual(["L", "!", "+", "~", "-", "1", "T"]);
    expect(await storedCourses(r)).toEqual(before);
  });

  test.each([
    ["on a terminal", 100, true],
    ["in a pipe", 1000, false],
  ])(
    "push shortens a long plan %s to %i lines, but not with --dry-run",
    async (_, most, terminal) => {
      const r = await rig();
      const courses = Array.from({ length: most + 30 }, (_, number) => courseWithoutId(number));
      await r.write("a.json", json(courses));
      const options = { terminal, environment: { NO_COLOR: "1" } };
      const planned = (text: string) => text.match(/^\+ /gm)?.length;
      expect(planned((await push(r, ["a.json", "--dry-run"], options)).stderr)).toBe(most + 30);
      const ran = await push(r, ["a.json", "--concurrency", "16"], options);
      expect(planned(ran.stderr)).toBe(most);
      expect(ran.stderr).toMatch(/^… and 30 more\n1?,?[01]30 courses to create\.$/m);
    },
  );

  test("push names a field once in the plan if several parts of the field differ", async () => {
    const lessons = (...titles: string[]) => titles.map((title) => ({ title }));
    const r = await rigWith(numberedCourse(1, { syllabus: lessons("A", "B", "C") }));
    await r.write("a.json", json(numberedCourse(1, { syllabus: lessons("X", "B", "Z") })));
    const ran = await push(r, ["a.json", "--dry-run"]);
    expect(lines(ran.stderr)[0]).toBe(`~ Course 1 (a.json, ${id(1)}): syllabus`);
  });

  test("push shows one line per course in the plan for any names of courses and files", async () => {
    const r = await rig();
    const name = await r.write("two\nlines.json", json(courseWithoutId(1, { name: "Two\nlines" })));
    const ran = await push(r, [name, "--dry-run"]);
    expect(ownLines(ran.stderr)).toEqual([
      "+ Two\\nlines (two\\nlines.json)",
      "1 course to create.",
    ]);
  });

  test("push shows colors in the plan on a terminal, and names cannot add other colors", async () => {
    const r = await rig();
    await r.write("a.json", json(courseWithoutId(1, { name: "Red \u001b[31m\u202e\nname" })));
    const environment = { TERM: "xterm-256color" };
    const ran = await push(r, ["a.json", "--dry-run"], { environment, terminal: true });
    const [line = ""] = lines(ran.stderr);
    expect(line).toContain("\u001b[32m+\u001b[39m");
    expect(line).toContain("Red \\x1b[31m\\u202e\\nname");
  });

  test("push shows no colors in a plan in a file, even if standard output is a terminal", async () => {
    const r = await rig();
    await r.write("a.json", json(courseWithoutId(1)));
    const { stdout, stderr } = await pushWithErrorsInFile(r, ["a.json", "--dry-run"]);
    expect([stdout, ownLines(stderr)]).toEqual([
      "",
      ["+ Course 1 (a.json)", "1 course to create."],
    ]);
  });

  test("push shows only the counts of the plan with --output, and nothing with --quiet", async () => {
    const r = await rig();
    await r.write("a.json", json(courseWithoutId(1)));
    for (const [flag, shown] of [
      ["--output=csv", ["1 course to create."]],
      ["--output=id", ["1 course to create."]],
      ["--quiet", []],
    ] as const) {
      const ran = await push(r, ["a.json", "--dry-run", flag]);
      expect([flag, ran.code, ownLines(ran.stderr)]).toEqual([flag, 0, shown]);
    }
  });
});
