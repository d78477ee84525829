/** Approval of courses: in the sandbox and in listings. */
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { courseSeed } from "../../src/sandbox/seed.ts";
import { course, type Rig, rig, testClock } from "../rig.ts";
import {
  ABSENT,
  id,
  lines,
  numberedCourse,
  rigWith,
  startCommand,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

/** A rig whose sandbox approves new courses after a time. */
async function approvingRig(after: number, as = "approved"): Promise<Rig> {
  return await rig({ approval: { after, as } });
}

describe("sandbox approve", () => {
  test("sandbox approve sets the status of a course of the running sandbox", async () => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    const ran = await r.run(["sandbox", "approve", id(1)]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "", "1 course is now approved.\n"]);
    await r.run(["sandbox", "approve", `${numberedCourse(2).url}`, "--approve-as", "rejected"]);
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
    const ran = await r.run(["sandbox", "approve", id(1)], { environment });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("is not a sandbox");
    expect(server.requests).toHaveLength(1);
  });

  test("sandbox approve changes no course if one word names no course", async () => {
    const r = await rigWith(numberedCourse(1));
    expect((await r.run(["sandbox", "approve", id(1), "no-such-key"])).code).toBe(5);
    expect(await storedCourses(r)).toMatchObject([{ approval_status: "pending" }]);
  });

  test("sandbox approve exits with 5 for a course that the key does not have", async () => {
    const ran = await (await rigWith()).run(["sandbox", "approve", ABSENT]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(ABSENT);
  });

  test.each([
    [["approve"]],
    [["approve", id(1), "--approve-as", ""]],
    [["approve", id(1), "--port", "1"]],
  ])("sandbox %j exits with 2 instead of approving a course", async (words) => {
    expect((await (await rigWith()).run(["sandbox", ...words])).code).toBe(2);
  });
});

describe("sandbox --approve-after", () => {
  test("sandbox --approve-after sets new courses, but no course of the seed, to --approve-as", async () => {
    const clock = testClock();
    const seed = courseSeed([numberedCourse(1)], clock);
    const r = await rig({ seed, clock, approval: { after: 2000, as: "live" } });
    await r.write("a.json", JSON.stringify(numberedCourse(2)));
    await r.run(["courses", "create", "a.json"]);
    const statuses = async () => (await storedCourses(r)).map((each) => each.approval_status);
    expect(await statuses()).toEqual(["pending", "pending"]);
    await clock.sleep(2000);
    expect(await statuses()).toEqual(["pending", "live"]);
  });

  test("sandbox --approve-after 0 approves a course at once", async () => {
    const r = await approvingRig(0);
    await r.write("a.json", JSON.stringify(course()));
    await r.run(["courses", "create", "a.json"]);
    expect(await storedCourses(r)).toMatchObject([{ approval_status: "approved" }]);
  });

  test.each([
    [["--approve-after", "soon"]],
    [["--approve-after", ""]],
    [["--approve-as", "x"]],
    [["--approve-after", "1", "--approve-as", ""]],
    [["--host", ""]],
    [["--seed", ""]],
  ])("sandbox %j exits with 2 instead of starting", async (words) => {
    const ran = await (await rigWith()).run(["sandbox", "--port", "0", ...words]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
  });
});

/** An address of this machine on a network; of none without one. */
const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .flatMap((each) => (each?.internal === false && each.family === "IPv4" ? [each.address] : []))
  .slice(0, 1);

test.each(["0.0.0.0", "0x0", ...OUTSIDE])(
  "sandbox warns that everyone on the network can reach --host %s",
  async (host) => {
    const running = startCommand(await rig(), ["sandbox", "--port", "0", "--host", host]);
    running.stop("SIGINT");
    expect(await running.code).toBe(130);
    expect(running.err.text).toContain(
      `warning: anyone on the network can use the sandbox, because --host is ${host}\n`,
    );
  },
);

describe("ls by approval, url and order", () => {
  const courses = [
    numberedCourse(1, { name: "b", approval_status: "approved", duration_in_hours: 10 }),
    numberedCourse(2, { name: "B 10", approval_status: "odd one", duration_in_hours: 9 }),
    numberedCourse(3, { name: "B 2" }),
    numberedCourse(4, { name: "A", duration_in_hours: 0.5 }),
  ];
  const list = async (...words: string[]) => {
    const r = await rigWith(...courses);
    const ran = await r.run(["courses", "ls", "-o", "id", ...words]);
    return { ...ran, numbers: lines(ran.stdout).map((line) => Number(line.slice(-1))) };
  };

  test.each([
    ["--approval pending", [3, 4]],
    ["--approval approved", [1]],
    ["--approval PENDING", [3, 4]],
    ["--approval none", []],
    ["--url https://academy.example/2", [2]],
    ["--url HTTPS://Academy.example/2/", [2]],
    ["--sort name", [4, 1, 3, 2]],
    ["--sort -name", [2, 3, 1, 4]],
    ["--sort duration_in_hours", [4, 2, 1, 3]],
    ["--sort -duration_in_hours", [1, 2, 4, 3]],
    ["--sort name --limit 2 --offset 1", [1, 3]],
    ["--approval pending --limit 1", [3]],
  ])("ls %s lists the courses %j", async (words, numbers) => {
    const found = await list(...words.split(" "));
    expect([found.code, found.numbers]).toEqual([0, numbers]);
    expect(found.stderr.includes("For all: --all")).toBe(/--limit/.test(words));
  });

  test("ls --approval accepts a status with spaces and prints the status unchanged", async () => {
    const { stdout } = await (await rigWith(...courses)).run([
      ...["courses", "ls", "--approval", "odd one", "--fields", "approval_status"],
    ]);
    expect(stdout).toBe("odd one\n");
  });

  test.each(["--sort nam", "--approval=", "--url="])("ls exits with 2 for %s", async (words) => {
    expect((await list(...words.split(" "))).code).toBe(2);
  });
});
