/** Which course is meant, and whether its url is free: every command gives the same answer. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { PRINTED_FORMATS } from "../../src/output/formats.ts";
import { uuid5 } from "../core/plans.ts";
import {
  ABSENT,
  id,
  jsonErrors,
  numberedCourse,
  recordFiles,
  recordLines,
  rigWith,
  runOf,
} from "./helpers.ts";
import { courseWithoutId, json, push, storedUrls, writeRequests } from "./push-files.ts";

/** The text of a plan or record with these lines. */
const ndjson = (...lines: readonly unknown[]) => lines.map((line) => `${json(line)}\n`).join("");

const URL_1 = "https://academy.example/1";
const OTHER = { image_url: "https://i.example/1", level: ["beginner"] };
const TWIN = numberedCourse(1, { id: id(5), url: `${URL_1}/`, ...OTHER });

test("files with the ids of two courses in the catalog that share a url are a warning, and an error where one would be created", async () => {
  const r = await rigWith(numberedCourse(1), TWIN);
  await r.write("c/a.json", numberedCourse(1));
  await r.write("c/b.json", TWIN);
  const checked = await r.run("courses check c");
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("[shared-url]")]);
  expect(await push(r, ["c"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Already up to date/m),
  });
  const empty = await rigWith();
  await empty.write("c/a.json", numberedCourse(1));
  await empty.write("c/b.json", TWIN);
  for (const command of ["push", "create"]) {
    const ran = await empty.run(["courses", command, "c"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain("same url as the course at c/a.json:1");
  }
});

test("courses of files that are one course in the catalog are an error that names the place of the first one", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.ndjson", ndjson({ id: id(1), name: "A" }, { url: URL_1, name: "B" }));
  const ran = await r.run("courses update a.ndjson");
  expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
  expect(ran.stderr).toContain(`is the same course as the one at a.ndjson:1 (id ${id(1)})`);
});

test("an edited plan gives no two courses one url, and no step another course than its id", async () => {
  const r = await rigWith();
  await r.write("c/a.json", numberedCourse(1));
  await r.write("c/b.json", numberedCourse(2));
  await r.run("courses diff c --out plan.ndjson");
  const [header, one, two] = await recordLines(`${r.folder}/plan.ndjson`);
  const sameUrl = { ...two, body: { ...(two?.body as object), url: `${URL_1}/` } };
  await r.write("twice.ndjson", ndjson(header, one, sameUrl));
  const twice = await push(r, ["--plan", "twice.ndjson"]);
  expect([twice.code, await storedUrls(r)]).toEqual([1, [URL_1]]);
  const other = { ...two, body: { ...(two?.body as object), id: id(9) } };
  await r.write("other.ndjson", ndjson(header, other));
  const ran = await push(r, ["--plan", "other.ndjson"]);
  expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
  const renamed = { ...two, name: "Harmless" };
  await r.write("name.ndjson", ndjson(header, renamed));
  expect((await push(r, ["--plan", "name.ndjson", "--dry-run"])).stderr).toContain("+ Course 2");
});

test("a new course with the url that another one was created with is an error that names both ways out", async () => {
  const r = await rigWith(
    numberedCourse(1, { id: uuid5(URL_1), url: "https://academy.example/moved" }),
  );
  await r.write("b.json", courseWithoutId(1, { name: "Weaving" }));
  const pushed = await push(r, ["b.json", "--json"]);
  expect([pushed.code, writeRequests(pushed)]).toEqual([3, []]);
  expect(jsonErrors(pushed)[0]?.message).toContain(
    `add "id: ${uuid5(URL_1)}" if it is the same course, or a key`,
  );
  const created = await r.run("courses create b.json");
  expect([created.code, writeRequests(created)]).toEqual([1, []]);
  expect(created.stderr).toContain("give the new course a key or an id");
  await r.write("c.json", { ...courseWithoutId(1, { name: "Weaving" }), key: "W" });
  expect((await r.run("courses create c.json")).code).toBe(0);
});

test("a key that is added to a course which is found by its url is named in a notice", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", { ...courseWithoutId(1), key: "K1" });
  const ran = await push(r, ["a.json"]);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining(`A key was added after the course was created: "Course 1" (${id(1)})`),
  ]);
  await push(r, ["a.json", "--write-ids"]);
  expect((await push(r, ["a.json"])).stderr).not.toContain("was added");
});

test("every question follows the list of what it asks about, with --quiet and in every format", async () => {
  const formats = PRINTED_FORMATS.results.map((format) => ["-o", format]);
  for (const flags of [["-q"], ["-o", "id", "-q"], ...formats]) {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const options = { terminal: true, input: "n\n", environment: { NO_COLOR: "1" } };
    await r.write("a.json", numberedCourse(1));
    for (const words of [
      ["rm", id(2)],
      ["push", "a.json", "--prune"],
    ]) {
      const ran = await r.run(["courses", ...words, ...flags], options);
      expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
      expect(ran.stderr.replaceAll("\n", "")).toMatch(/- Course 2 .*Delete 1 .*course.*\?/);
    }
  }
});

test("undo of a run of which nothing is left names the run before it, and changes nothing", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.run(`courses unpublish ${id(2)}`);
  const [first = ""] = await recordFiles(r);
  await r.run(`courses unpublish ${id(1)}`);
  await r.run(`courses publish ${id(1)} --no-record`);
  const ran = await r.run("undo --yes");
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  expect(ran.stderr).toMatch(/^Nothing to undo\. Nothing of run .* is left to undo\./);
  expect(ran.stderr).toContain(`catalog undo ${runOf(first)}`);
});

test("an argument that names no course is not found, also if a course was created with this url and moved", async () => {
  const r = await rigWith(
    numberedCourse(1, { id: uuid5(URL_1), url: "https://academy.example/moved" }),
  );
  for (const word of [URL_1, ABSENT, "K-9"]) {
    expect((await r.run(["courses", "rm", word, "--yes"])).code).toBe(5);
  }
});

const [A, B] = [numberedCourse(1, { key: "a" }), numberedCourse(2, { key: "b" })];
const importRow = async (rows: readonly string[], ...files: readonly object[]) => {
  const r = await rigWith();
  const texts = files.map((file) => json(file));
  for (const [index, text] of texts.entries()) await r.write(`c/${index}.json`, text);
  await r.write("rows.csv", `id,key,url,name,level\n${rows.join("\n")}\n`);
  const ran = await r.run("courses import rows.csv --out c");
  const names = (await readdir(join(r.folder, "c"))).sort();
  const after = names.map((name) => r.read(`c/${name}`));
  return { ...ran, isChanged: !isDeepStrictEqual(await Promise.all(after), texts) };
};

const OTHER_URL = "but the course with this url is c/1.json:1";

test.each<[rows: string[], second: object, message: RegExp]>([
  [[`${A.id},,${B.url},A`], B, RegExp(`id ${A.id} names the course c/0.json:1, ${OTHER_URL}`)],
  [[`${id(3)},,${B.url}/,A`], B, RegExp(`id ${id(3)} names no course in the files, ${OTHER_URL}`)],
  [[`,a,${B.url},A`], B, RegExp(`key a names the course c/0.json:1, ${OTHER_URL}`)],
  [[`,,${A.url},A`], { ...B, url: A.url }, /several courses .* \(c\/0\.json:1 and c\/1\.json:1\)/],
  [[`${A.id},,,A`, `,,${A.url},B`], B, /is also in row 3, so neither course is imported/],
])(
  "the rows %j of an import that mean two courses of the files, or one twice, are an error that names both",
  async (rows, second, message) => {
    const ran = await importRow(rows, A, second);
    expect([ran.code, ran.isChanged]).toEqual([3, false]);
    expect(ran.stderr.replaceAll(/\s+/g, " ")).toMatch(message);
  },
);

test("a row of an import with an id edits the file that has its url and no id", async () => {
  const ran = await importRow([`${A.id},,${A.url}/,Spinning`], courseWithoutId(1));
  expect([ran.code, ran.isChanged]).toEqual([0, true]);
  expect(ran.stderr).toContain("1 written");
});
