/** `update` with files: it finds every course by its id or key. */
import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID } from "../rig.ts";
import { id, numberedCourse, requestsOf, rigWith, storedCourses } from "./helpers.ts";

test("update changes only the given fields of every course in its files, found by id or key", async () => {
  const keyed = derivedId({ provider_id: PROVIDER_ID, key: "SKU-3" });
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3, { id: keyed }));
  const before = await storedCourses(r);
  await r.write("a.csv", `id;name\r\n${id(1)};One\r\n${id(2)};Two\r\n`);
  await r.write("b.yaml", "key: SKU-3\nprices: null\nname: Three\n");
  const ran = await r.run("courses update a.csv b.yaml --set level=[beginner]");
  expect(ran).toMatchObject({ code: 2 });
  const done = await r.run(["courses", "update", "a.csv", "b.yaml", "--set", 'level=["beginner"]']);
  expect(done).toMatchObject({ code: 0, stdout: "" });
  expect(requestsOf(done, "PATCH")).toHaveLength(3);
  const names = ["One", "Two", "Three"];
  expect(await storedCourses(r)).toEqual(
    before.map((course, index) => ({ ...course, name: names[index], level: ["beginner"] })),
  );
});

test("update reports a course that does not exist at its id or key, and changes no other course", async () => {
  const r = await rigWith();
  const rows = `key,id,name\nSKU-9,,Nine\n,${id(9)},Ten\n,${id(1)},One\n`;
  await r.write("a.csv", rows);
  const ran = await r.run("courses update a.csv");
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([5, []]);
  expect(ran.stderr).toContain('a.csv:2:1: error: no course has the key "SKU-9"');
  expect(ran.stderr).toContain(`a.csv:3:2: error: no course has the id "${id(9)}"`);
});
