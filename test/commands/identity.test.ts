/** How a file identifies its course: id, key or url, and what `--complete` clears. */
import { expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { id, jsonMessages, jsonRows, numberedCourse, rigWith, storedCourses } from "./helpers.ts";
import { courseWithoutId, push, rigForPrune, storedIds, writeRequests } from "./push-files.ts";

test("push derives the id of a course from its key and keeps the id if the url changes", async () => {
  const r = await rigWith();
  await r.write("a.json", courseWithoutId(1, { key: "SKU-1" }));
  await push(r, ["a.json"]);
  await r.write("a.json", courseWithoutId(2, { key: "SKU-1", name: "Course 1" }));
  const ran = await push(r, ["a.json", "--json"]);
  expect(jsonRows(ran)).toMatchObject([{ action: "update", id: uuid5("key:SKU-1") }]);
  const [stored, ...others] = await storedCourses(r);
  expect([stored?.url, others]).toEqual(["https://academy.example/2", []]);
  expect(Object.keys(stored ?? {})).not.toContain("key");
});

test.each(["push", "create", "check --online"])(
  "%s reports a key that two courses of one provider have",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", courseWithoutId(1, { key: "A" }));
    const other = { key: "A", provider_id: undefined, provider: "example-academy" };
    await r.write("b.json", courseWithoutId(2, other));
    const ran = await r.run(`courses ${command} a.json b.json`);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(
      /^b\.json:1:\d+: error: same key as the course at a\.json:1 \[duplicate-key\]$/m,
    );
  },
);

test("check accepts fields that begin with x-, and push never sends or compares them", async () => {
  const r = await rigWith();
  await r.write("a.json", courseWithoutId(1, { "x-owner": { team: ["a"] } }));
  expect((await r.run("courses check a.json --strict")).code).toBe(0);
  expect((await push(r, ["a.json"])).code).toBe(0);
  await r.write("a.json", courseWithoutId(1, { "x-owner": 7 }));
  expect(writeRequests(await push(r, ["a.json"]))).toEqual([]);
});

const RICH = { image_url: "https://i.example/1", published: false, level: ["beginner"] };

test("push prints a notice that counts the fields that files omit, and JSON lists these fields", async () => {
  const r = await rigWith(numberedCourse(1, RICH), numberedCourse(2, { number_of_lessons: 1 }));
  await r.write("a.json", [numberedCourse(1), numberedCourse(2)]);
  const ran = await push(r, ["a.json", "--json"]);
  expect(writeRequests(ran)).toEqual([]);
  expect(jsonRows(ran)[0]).toMatchObject({ unmanaged: ["level", "image_url"] });
  expect(jsonMessages(ran)).toContainEqual({
    notice: expect.stringMatching(
      /^Kept what only the catalog has: 2 fields of 1 course\. .*--complete/,
    ),
  });
});

test.each([
  ["--complete", ["--complete"], {}, ""],
  ["CATALOG_COMPLETE", [], { CATALOG_COMPLETE: "true" }, ""],
  ["a config file", [], {}, "complete: true\n"],
])(
  "push clears omitted fields if %s requires complete files, but never id, slug or published",
  async (_, flags, environment, config) => {
    const r = await rigWith(numberedCourse(1, RICH));
    const [before] = await storedCourses(r);
    await r.write(".catalogrc.yaml", config || "retries: 1\n");
    await r.write("a.json", courseWithoutId(1));
    const planned = await push(r, ["a.json", "--dry-run", ...flags], { environment });
    expect(planned.stderr).toContain("level, image_url");
    const ran = await push(r, ["a.json", ...flags], { environment });
    expect([ran.code, ran.stderr.includes("left out")]).toEqual([0, false]);
    expect(await storedCourses(r)).toMatchObject([
      { id: id(1), slug: before?.slug, image_url: null, level: [], published: false },
    ]);
  },
);

test.each([
  ["the same name", { name: " course 2 ", url: "https://academy.example/new" }],
  ["an equivalent url", { name: "B", url: "http://WWW.academy.example/%32/?utm_a=1&gclid=1#b" }],
])("push warns about a new course with %s as a course that is in no file", async (_, changes) => {
  const r = await rigWith(numberedCourse(2));
  await r.write("a.json", `${JSON.stringify(courseWithoutId(1, changes), null, 1)}\n`);
  const ran = await push(r, ["a.json", "--dry-run"]);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^a\.json:3:9: warning: .*possible-move/m);
  expect(ran.stderr).toContain(`add "id: ${id(2)}"`);
});

test("push --prune refuses to delete a course that may have moved, but deletes it after a push", async () => {
  const r = await rigForPrune();
  const moved = courseWithoutId(2, { url: "https://academy.example/moved" });
  await r.write("courses/b.json", moved);
  const refused = await push(r, ["courses", "--prune", "--yes"]);
  expect([refused.code, writeRequests(refused)]).toEqual([2, []]);
  expect(refused.stderr).toMatch(
    /^courses\/b\.json:1:\d+: warning: .*would be deleted; .* \[possible-move\]/m,
  );
  expect(refused.stderr).toContain(
    "error: 1 new course looks like a course that --prune would delete\n",
  );
  expect((await push(r, ["courses"])).code).toBe(0);
  const ran = await push(r, ["courses", "--prune", "--yes"]);
  expect([ran.code, (await storedIds(r)).length]).toEqual([0, 2]);
});

test("push --prune refuses to delete more than 10%, rounded down, even with --yes or --dry-run", async () => {
  const r = await rigWith(...Array.from({ length: 69 }, (_, number) => numberedCourse(number)));
  await r.write(
    "a.json",
    Array.from({ length: 62 }, (_, number) => numberedCourse(number)),
  );
  for (const flag of ["--yes", "--dry-run"]) {
    const ran = await push(r, ["a.json", "--prune", flag]);
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toContain("delete 7 of the 69 courses of Example Academy; the limit is 6");
  }
  expect((await push(r, ["a.json", "--prune", "--yes", "--max-deletes", "11%"])).code).toBe(0);
});

test.each(["-1", "many", "101%", ""])("push exits with 2 for --max-deletes %j", async (limit) => {
  const r = await rigForPrune();
  const ran = await push(r, ["courses", "--prune", "--yes", `--max-deletes=${limit}`]);
  expect([ran.code, ran.requests]).toEqual([2, []]);
});
