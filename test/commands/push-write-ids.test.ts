/** The ids that `push --write-ids` writes into the files. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { PROVIDER_ID, type Rig, rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith, storedCourses, unreliableService } from "./helpers.ts";
import {
  courseWithoutId,
  json,
  push,
  READS,
  SEWING,
  SEWING_ID,
  writeRequests,
} from "./push-files.ts";

const read = async ({ folder }: Rig, name: string) => await readFile(join(folder, name), "utf8");

/** The lines of one string that another does not contain. */
const added = (text: string, before: string): string[] => {
  const old = before.split("\n");
  return text.split("\n").filter((line) => !old.includes(line));
};

describe("--write-ids", () => {
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

  test("push --write-ids writes ids into files whose other fields have default values", async () => {
    const r = await rig();
    await r.write("catalog.defaults.yaml", "level: [beginner]\n");
    await r.write("a.yaml", SEWING);
    const ran = await push(r, [".", "--write-ids"]);
    expect(ran.code).toBe(0);
    expect(added(await read(r, "a.yaml"), SEWING)).toEqual([`id: ${SEWING_ID}`]);
  });

  test("push finds a course by the id that --write-ids wrote, even if the url changes", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    await push(r, ["a.yaml", "--write-ids"]);
    const text = await read(r, "a.yaml");
    await r.write("a.yaml", text.replace("academy.example/sewing", "academy.example/moved"));
    const ran = await push(r, ["a.yaml"]);
    expect(writeRequests(ran)).toEqual([`PATCH /developer/v1/courses?id=${SEWING_ID}`]);
    expect(await storedCourses(r)).toHaveLength(1);
  });

  test("push --write-ids writes an id into every course without an id, in YAML documents and in JSON", async () => {
    const r = await rig();
    const documents = `${SEWING}---\n# The second one.\n${SEWING.replaceAll("sewing", "other")}`;
    await r.write("a.yaml", documents);
    await r.write(
      "b.json",
      `${JSON.stringify([numberedCourse(1), courseWithoutId(2)], null, 4)}\n`,
    );
    const ran = await push(r, ["a.yaml", "b.json", "--write-ids"]);
    expect([ran.code, lines(ran.stderr).at(-1)]).toEqual([0, "Added 3 ids to the files."]);
    const yaml = await read(r, "a.yaml");
    expect(added(yaml, documents)).toEqual([
      `id: ${SEWING_ID}`,
      `id: ${uuid5("https://academy.example/other")}`,
    ]);
    expect(yaml).toContain("# The second one.");
    const courses = JSON.parse(await read(r, "b.json"));
    expect(courses).toEqual([
      numberedCourse(1),
      { ...courseWithoutId(2), id: uuid5("https://academy.example/2") },
    ]);
    const again = await push(r, ["a.yaml", "b.json", "--write-ids"]);
    expect([again.code, again.requests, await read(r, "a.yaml")]).toEqual([0, READS, yaml]);
    expect(again.stderr).not.toContain("Wrote");
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

  test("push --write-ids writes the id of a course that it found by its url", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(courseWithoutId(1)));
    await push(r, ["a.json", "--write-ids"]);
    expect(JSON.parse(await read(r, "a.json"))).toEqual({ ...courseWithoutId(1), id: id(1) });
  });

  test("push --write-ids writes nothing for a course that the service rejected", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? { status: 400 } : "pass",
    );
    expect((await push(r, ["a.yaml", "--write-ids"], { environment })).code).toBe(1);
    expect(await read(r, "a.yaml")).toBe(SEWING);
  });

  test("push --write-ids keeps the field provider in a file that uses it", async () => {
    const r = await rig();
    const text = SEWING.replace(`provider_id: ${PROVIDER_ID}`, "provider: example-academy");
    await r.write("a.yaml", text);
    await push(r, ["a.yaml", "--write-ids"]);
    expect(added(await read(r, "a.yaml"), text)).toEqual([`id: ${SEWING_ID}`]);
  });

  test("push without --write-ids changes no file", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    await push(r, ["a.yaml"]);
    expect(await read(r, "a.yaml")).toBe(SEWING);
  });

  test("push --write-ids prints a warning for courses from standard input", async () => {
    const ran = await push(await rig(), ["-", "--write-ids"], { input: SEWING });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^warning: .*standard input/m);
  });
});
