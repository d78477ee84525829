/** The built program checks many files. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, numberedCourses, runCatalog, startCatalog } from "./rig.ts";

const MANY = 300;

/** A folder of many files; every hundredth is invalid. */
async function manyFiles(): Promise<string> {
  const folder = await newFolder();
  await mkdir(join(folder, "courses"));
  for (const [index, course] of numberedCourses(MANY).entries()) {
    const wrong = index % 100 === 50 ? { pace: "fast" } : {};
    const text = JSON.stringify({ ...course, ...wrong }, null, 2);
    await writeFile(join(folder, `courses/${String(index).padStart(4, "0")}.yaml`), text);
  }
  return folder;
}

test("check lists the problems of many files in the order of the files", async () => {
  const folder = await manyFiles();
  const ended = await runCatalog(["courses", "check", "--json", "courses"], { folder });
  const { files, problems } = JSON.parse(ended.stdout);
  expect([ended.code, ended.stderr, files]).toEqual([3, "", MANY]);
  expect(problems.map(({ file, rule }: Record<string, string>) => [file, rule])).toEqual(
    Array.from({ length: MANY / 100 }, (_, index) => [`courses/0${index}50.yaml`, "choice"]),
  );
});

test("check of many files ends immediately after a signal", async () => {
  const folder = await manyFiles();
  const words = ["courses", "check", ...Array(20).fill("courses"), "courses/"];
  const running = await startCatalog(words, { folder });
  running.child.kill("SIGTERM");
  const { code, signal, stderr } = await running.ended;
  // Before its first line has run, the system ends it.
  expect([code ?? signal, stderr]).toEqual([expect.toBeOneOf([143, "SIGTERM"]), ""]);
});
