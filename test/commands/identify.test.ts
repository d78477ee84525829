/** Which course a file means, if its id or key and its url disagree, and what of it is sent. */
import { expect, test } from "vitest";
import { course } from "../rig.ts";
import { ABSENT, id, numberedCourse, recordFiles, recordLines, rigWith } from "./helpers.ts";
import { json, push, writeRequests } from "./push-files.ts";

test.each([
  ["the id of no course", ABSENT, "no course in the catalog"],
  ["the id of another course", id(2), `the course ${id(2)}`],
])("push refuses a file with %s and the url of a course, and names both", async (_, own, named) => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", json(numberedCourse(1, { id: own })));
  const ran = await push(r, ["a.json"]);
  expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
  expect(ran.stderr).toContain(
    `error: id names ${named}, but the course with this url is ${id(1)}: correct the id or the url [other-id]\n`,
  );
});

test("push refuses a file whose key finds another course than its url", async () => {
  const r = await rigWith(numberedCourse(1));
  const keyed = course({ key: "k", name: "Keyed", url: "https://academy.example/keyed" });
  await r.write("a.json", json(keyed));
  expect((await push(r, ["a.json"])).code).toBe(0);
  await r.write("a.json", json({ ...keyed, url: "https://academy.example/1" }));
  const ran = await push(r, ["a.json"]);
  expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
  expect(ran.stderr).toMatch(
    new RegExp(`error: key names the course \\S+, but the course with this url is ${id(1)}: `),
  );
});

test("push sends the slug when it creates a course, and never afterwards", async () => {
  const r = await rigWith();
  await r.write("a.json", json(course({ slug: "first" })));
  expect((await push(r, ["a.json"])).code).toBe(0);
  const [, step] = await recordLines((await recordFiles(r))[0] ?? "");
  expect(step).toMatchObject({ action: "create", body: { slug: "first" } });
  await r.write("a.json", json(course({ slug: "second" })));
  const ran = await push(r, ["a.json"]);
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
});
