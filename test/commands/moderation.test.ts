/** Approval of courses: in the sandbox and in listings. */
import { expect, test } from "vitest";
import { parseSeeds } from "../../src/sandbox/seed.ts";
import { rig, testClock } from "../rig.ts";
import { id, numberedCourse, rigWith, storedCourses, unreliableService } from "./helpers.ts";

test("sandbox approve sets the status of a course of the running sandbox", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const ran = await r.run(`sandbox approve ${id(1)}`);
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "", "1 course is now approved.\n"]);
  await r.run(`sandbox approve ${numberedCourse(2).url} --approve-as rejected`);
  expect(await storedCourses(r)).toMatchObject([
    { approval_status: "approved" },
    { approval_status: "rejected" },
  ]);
});

test("sandbox approve refuses a service that is not a sandbox and sends no change", async () => {
  const r = await rigWith(numberedCourse(1));
  const { environment, server } = await unreliableService(r, ({ url }) =>
    url.startsWith("/sandbox") ? { status: 200, body: "[]" } : "pass",
  );
  const ran = await r.run(`sandbox approve ${id(1)}`, { environment });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("is not a sandbox");
  expect(server.requests).toHaveLength(1);
});

test("sandbox --approve-after sets new courses, but no course of the seed, to --approve-as", async () => {
  const clock = testClock();
  const seed = parseSeeds([[numberedCourse(1)]], clock);
  const r = await rig({ seed, clock, approval: { after: 2000, as: "live" } });
  await r.write("a.json", numberedCourse(2));
  await r.run("courses create a.json");
  const statuses = async () => (await storedCourses(r)).map((each) => each.approval_status);
  expect(await statuses()).toEqual(["pending", "pending"]);
  await clock.sleep(2000);
  expect(await statuses()).toEqual(["pending", "live"]);
});
