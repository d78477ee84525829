/** The ids that `push --write-ids` writes into the files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { lines, numberedCourse, storedCourses } from "./helpers.ts";
import { push, SEWING, SEWING_ID } from "./push-files.ts";

const read = async ({ folder }: Rig, name: string) => await readFile(join(folder, name), "utf8");

/** The lines of one string that another does not contain. */
const added = (text: string, before: string): string[] => {
  const old = before.split("\n");
  return text.split("\n").filter((line) => !old.includes(line));
};

test("push --write-ids writes the id of a new course into its file and changes nothing else", async () => {
  const r = await rig();
  await r.write("a.yaml", SEWING);
  const ran = await push(r, ["a.yaml", "--write-ids"]);
  const text = await read(r, "a.yaml");
  expect(ran.code).toBe(0);
  expect(added(text, SEWING)).toEqual([`id: ${SEWING_ID}`]);
  expect(added(SEWING, text)).toEqual([]);
  expect((await storedCourses(r)).map((course) => course.id)).toEqual([SEWING_ID]);
});

test("push --write-ids adds a column to a CSV file without ids", async () => {
  const r = await rig();
  const { id: _, audio: __, ...first } = numberedCourse(1);
  const table = [Object.keys(first), Object.values(first)].map((row) => `${row.join(",")},en\n`);
  await r.write("a.csv", table.join("").replace(",en", ",audio"));
  const ran = await push(r, ["a.csv", "--write-ids"]);
  const ids = (await storedCourses(r)).map((course) => course.id);
  const [header, row] = lines(await read(r, "a.csv"));
  expect([ran.code, header?.endsWith(",audio,id"), row?.endsWith(`,en,${ids}`)]).toEqual([
    0,
    true,
    true,
  ]);
});
