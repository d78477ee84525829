/** The program when files cannot grow: existing files stay complete, and no partial file remains. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import { type CrampedFolder, crampedFolder, readFiles } from "./disk.ts";
import { numberedCourses, readRecords, STACK, serve, storedIds } from "./rig.ts";

const id = (number: number): string =>
  `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;

/** Four courses with small files, and a third one with a large file. */
const COURSES = [1, 2, 3, 4, 5].map((number) =>
  course({
    id: id(number),
    slug: `course-${number}`,
    url: `https://academy.example/${number}`,
    long_description: number === 3 ? "A long text. ".repeat(10_000) : "Short.",
  }),
);

/** Expects a failed run with the reason, and exactly these files in the folder. */
async function expectFailed(
  { folder }: CrampedFolder,
  ended: { code: number | null; stderr: string },
  after: Readonly<Record<string, string>>,
  exit = 1,
): Promise<void> {
  expect(ended.stderr).not.toMatch(STACK);
  expect(ended.stderr).toMatch(/^error: .*(EFBIG|file too large)/m);
  expect(ended.code).toBe(exit);
  expect(await readFiles(folder)).toEqual(after);
}

test.runIf(IS_LONG)(
  "pull at a write limit writes the files that fit and names the others",
  async () => {
    const cramped = await crampedFolder();
    const { environment } = await serve(COURSES);
    cramped.limit(100);
    const ended = await cramped.run(["courses", "pull", "out"], { environment });
    const files = await readFiles(cramped.folder);
    const [, big = ""] = /cannot write (out\/\S+): /.exec(ended.stderr) ?? [];
    await expectFailed(cramped, ended, files);
    expect(Object.keys(files)).toHaveLength(4);
    expect(files[big]).toBeUndefined();
    for (const text of Object.values(files)) expect(text).toMatch(/\nassignments: false\n$/);
    expect(ended.stderr).toContain("Courses in files: 4 written, 1 failed.");
  },
);

test.runIf(IS_LONG)("check at a write limit leaves an existing report unchanged", async () => {
  const cramped = await crampedFolder();
  const before = { "a.json": JSON.stringify(COURSES[0]), "old.xml": "<old/>" };
  for (const [name, text] of Object.entries(before)) {
    await writeFile(join(cramped.folder, name), text);
  }
  cramped.limit(0);
  const words = ["courses", "check", "a.json"];
  const ended = await cramped.run([...words, "--report", "junit=old.xml"]);
  await expectFailed(cramped, ended, before);
});

test.runIf(IS_LONG)(
  "rm and push --prune at a write limit delete and create nothing without an undo record",
  async () => {
    const cramped = await crampedFolder();
    const served = await serve(COURSES);
    await writeFile(join(cramped.folder, "new.json"), JSON.stringify(numberedCourses(1)));
    const before = await readFiles(cramped.folder);
    cramped.limit(0);
    for (const words of [
      ["rm", "--yes", id(1), id(2)],
      ["push", "new.json", "--prune", "--yes"],
    ]) {
      const ended = await cramped.run(["courses", ...words], served);
      await expectFailed(cramped, ended, before, 2);
    }
    expect(await storedIds(served)).toEqual([1, 2, 3, 4, 5].map(id));
  },
);

test.runIf(IS_LONG)(
  "a push whose record cannot be continued ends there with exit 2, and undo reverses what it did",
  async () => {
    const cramped = await crampedFolder();
    const served = await serve();
    await writeFile(join(cramped.folder, "new.json"), JSON.stringify(numberedCourses(60)));
    cramped.limit(16);
    const ended = await cramped.run(["courses", "push", "new.json"], served);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("cannot write the record");
    const created = await storedIds(served);
    expect(created.length).toBeGreaterThan(0);
    expect(ended.stderr).toContain(
      `Created ${created.length} courses. ${60 - created.length} were not sent`,
    );
    // Every line is complete. Some of the recorded steps waited for their turn, and were not sent.
    const [record] = await readRecords(cramped.folder);
    const recorded = record?.lines.filter(({ action }) => action === "create").length;
    expect(recorded).toBeGreaterThanOrEqual(created.length);
    cramped.limit();
    expect(await cramped.run(["undo", "--yes"], served)).toMatchObject({ code: 0 });
    expect(await storedIds(served)).toEqual([]);
  },
);
