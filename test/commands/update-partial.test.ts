/** `update` with CSV files that contain only some fields of courses. */
import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID } from "../rig.ts";
import {
  expectRefused,
  id,
  numberedCourse,
  PRICES,
  requestsOf,
  rigWith,
  storedCourses,
} from "./helpers.ts";

const UPDATE = ["courses", "update", "p.csv"];

test("update reads an amount with a decimal comma in a table, and neither it nor check --fix decides about one that is ambiguous", async () => {
  const courses = [1, 2, 3].map((number) => numberedCourse(number, { prices: PRICES }));
  const r = await rigWith(...courses);
  const rows = courses.map((each) => `${each.id};1,299\r\n`);
  await r.write("p.csv", `id;prices[0].price\r\n${rows.join("")}`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
  const fixed = await r.run("courses check --fix p.csv");
  expect(fixed.stdout).toContain("No automatic fixes.");
  await r.write("p.csv", `id;prices[0].price\r\n${id(1)};1.299,50\r\n`);
  expect((await r.run(UPDATE)).code).toBe(0);
  expect((await storedCourses(r))[0]?.prices).toMatchObject([{ price: "1299.50" }, {}]);
});

test("update reports two rows for one course as an error, by id or by id and key", async () => {
  const keyed = derivedId({ provider_id: PROVIDER_ID, key: "K-1" });
  const r = await rigWith(numberedCourse(1, { id: keyed, prices: PRICES }));
  await r.write("p.csv", `id;key;prices[0].price\n${keyed};;7\n${keyed};;8\n`);
  expectRefused(await r.run(UPDATE), 3);
  await r.write("p.csv", `id;key;prices[0].price\n${keyed};;7\n;K-1;8\n`);
  const ran = await r.run(UPDATE);
  expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
  expect(ran.stderr).toContain("p.csv:3:");
});
