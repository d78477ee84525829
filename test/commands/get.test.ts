import { expect, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { rig, testClock } from "../rig.ts";
import { id, jsonRows, numberedCourse, rigWith, storedCourses } from "./helpers.ts";

const two = () => rigWith(numberedCourse(1, { certificate: { type: "free" } }), numberedCourse(2));

test("get of one id prints one complete JSON object without a terminal", async () => {
  const r = await two();
  const ran = await r.run(`courses get ${id(1)}`);
  expect(JSON.parse(ran.stdout)).toEqual((await storedCourses(r))[0]);
  expect((await r.run(`courses get ${id(1)} --json`)).stdout).toBe(ran.stdout);
  expect(ran.requests).toEqual([`GET /developer/v1/courses?id=${id(1)}`]);
});

test("get of several ids prints one array in the given order", async () => {
  const ran = await (await two()).run(`courses get ${id(2)} ${id(1)} --json`);
  expect(jsonRows(ran).map((row) => row.id)).toEqual([id(2), id(1)]);
});

test("get - prints an array even for one id", async () => {
  const ran = await (await two()).run("courses get - --json", { input: `${id(1)}\n` });
  expect(jsonRows(ran)).toMatchObject([{ id: id(1) }]);
});

test("get prints each course as a readable block on a terminal", async () => {
  const r = await two();
  const ran = await r.run(`courses get ${id(1)} ${id(2)} --no-color`, { terminal: true });
  const block = (number: number) =>
    `id: ${id(number)}\nname: Course ${number}\n(.+\n)*pace: self_paced\n(.+\n)*`;
  expect(ran.stdout).toMatch(new RegExp(`^${block(1)}\n${block(2)}$`));
  expect(ran.stdout).not.toContain("null");
});

test("get --fields selects fields and paths", async () => {
  const ran = await (await two()).run(`courses get ${id(1)} --fields certificate.type`);
  expect(JSON.parse(ran.stdout)).toEqual({ "certificate.type": "free" });
});

test("get exits with 5 for a course of another user", async () => {
  const other = { key: "other.key", providers: [DEFAULT_PROVIDER], courses: [numberedCourse(5)] };
  const users = [{ key: DEFAULT_KEY, providers: [] }, other];
  const r = await rig({ seed: parseSeeds([{ users }], testClock()) });
  expect((await r.run(`courses get ${id(5)}`)).code).toBe(5);
});
