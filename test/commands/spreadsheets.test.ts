/** A table of courses in many languages that another program damaged. */
import { expect, test } from "vitest";
import { decodeWindows1252 } from "../../src/course/text-rules.ts";
import { IS_LONG } from "../long.ts";
import { realCourses } from "../real-courses.ts";
import { numberedCourse, rigWith } from "./helpers.ts";
import { push, writeRequests } from "./push-files.ts";

test("push refuses UTF-8 that a program read as Windows-1252, and check --fix repairs the file", async () => {
  const real = realCourses(IS_LONG ? undefined : 10);
  const courses = real.map(({ name, short_description, long_description }, index) =>
    numberedCourse(index + 1, { name, short_description, long_description }),
  );
  const r = await rigWith(...courses);
  const { stdout } = await r.run("courses ls --all -o csv");
  await r.write("a.csv", decodeWindows1252(Buffer.from(stdout)));
  const pushed = await push(r, ["a.csv", "--yes"]);
  expect([pushed.code, writeRequests(pushed)]).toEqual([3, []]);
  expect(pushed.stderr).toContain("was damaged by a wrong encoding");
  await r.run("courses check a.csv --fix");
  expect(await r.read("a.csv")).toBe(stdout);
}, 120_000);
