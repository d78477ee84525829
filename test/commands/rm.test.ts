import { describe, expect, test } from "vitest";
import type { Rig, RunOptions } from "../rig.ts";
import {
  courseRequests,
  id,
  jsonMessages,
  jsonRows,
  numberedCourse,
  recordFiles,
  recordLines,
  requestsOf,
  rigWith,
  runOf,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const remove = (number: number): string => `DELETE /developer/v1/courses?id=${id(number)}`;
const read = (number: number): string => `GET /developer/v1/courses?id=${id(number)}`;

async function three() {
  return await rigWith(
    numberedCourse(1, { certificate: { type: "free" } }),
    numberedCourse(2),
    numberedCourse(3),
  );
}

const left = async (r: Rig) => (await storedCourses(r)).map((course) => course.id);

describe("deletions", () => {
  test("rm reads each course, then deletes it, and prints nothing on stdout", async () => {
    const r = await three();
    const ran = await r.run(["courses", "rm", "--yes", id(1), id(2), "--concurrency", "1"]);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(courseRequests(ran)).toEqual([read(1), read(2), remove(1), remove(2)]);
    expect(await left(r)).toEqual([id(3)]);
  });

  test("rm sends the single-object Accept header with the vendor prefix", async () => {
    const r = await three();
    const { environment, server } = await unreliableService(r, () => "pass");
    const accepts = () =>
      server.headers
        .filter((_, index) => server.requests[index]?.startsWith("DELETE"))
        .map((head) => head.accept);
    await r.run(["courses", "rm", "--yes", id(1)], { environment });
    await r.run(["courses", "rm", "--yes", id(2)], {
      environment: { ...environment, CATALOG_VENDOR: "acme" },
    });
    expect(accepts()).toEqual([
      "application/vnd.pgrst.object+json",
      "application/vnd.acme.object+json",
    ]);
  });

  test("rm --json prints one result per course, and the last notice names the run", async () => {
    const r = await three();
    const ran = await r.run(["courses", "rm", "--yes", id(1), id(2), "--json"]);
    const [file = ""] = await recordFiles(r);
    const result = { action: "delete", status: "done" };
    expect(jsonRows(ran)).toMatchObject([
      { id: id(1), ...result },
      { id: id(2), ...result },
    ]);
    expect(jsonMessages(ran).at(-1)).toMatchObject({
      counts: { deleted: 2, failed: 0 },
      target: { providers: ["Example Academy"] },
      next: expect.stringContaining(runOf(file)),
    });
  });

  test("rm - counts a repeated id once, exits with 0 without ids and with 5 for a malformed line", async () => {
    const r = await three();
    const words = ["courses", "rm", "--yes", "-"];
    expect((await r.run(words, { input: "\n" })).requests).toEqual([]);
    const malformed = await r.run(words, { input: `${id(1)}\nnope` });
    expect([malformed.code, requestsOf(malformed, "DELETE")]).toEqual([5, []]);
    const ran = await r.run(words, { input: `${id(1)}\n${id(1)}\n` });
    expect(requestsOf(ran, "DELETE")).toEqual([remove(1)]);
  });

  test.each([406, 403, 404])(
    "rm looks a course up if its repeated DELETE gets %i after a lost response, and undo restores it",
    async (status) => {
      const r = await three();
      let deletions = 0;
      const { environment } = await unreliableService(r, ({ method }) => {
        if (method !== "DELETE") return "pass";
        return ++deletions === 1 ? "drop after" : { status };
      });
      const ran = await r.run(["courses", "rm", "--yes", id(1)], { environment });
      expect([ran.code, courseRequests(ran)]).toEqual([
        0,
        [read(1), remove(1), remove(1), read(1)],
      ]);
      expect((await r.run(["undo", "--yes"], { environment })).code).toBe(0);
      expect((await r.run(["courses", "get", id(1)])).code).toBe(0);
    },
  );
});

describe("confirmation", () => {
  test.each<[string, RunOptions, string]>([
    ["without a terminal", { input: "y\n" }, id(1)],
    ["in CI", { terminal: true, input: "y\n", environment: { CI: "1" } }, id(1)],
    ["after it has read its courses from standard input", { terminal: true, input: id(1) }, "-"],
  ])(
    "rm without --yes exits with 2, changes nothing and names --yes %s",
    async (_, options, word) => {
      const r = await three();
      const ran = await r.run(["courses", "rm", word], options);
      expect([ran.code, ran.stdout, requestsOf(ran, "DELETE")]).toEqual([2, "", []]);
      expect(ran.stderr).toContain("pass --yes");
      expect(await left(r)).toEqual([id(1), id(2), id(3)]);
    },
  );

  test("rm names the courses on a terminal, and y deletes them", async () => {
    const r = await three();
    const options = { terminal: true, input: "y\n", environment: { NO_COLOR: "1" } };
    const ran = await r.run(["courses", "rm", id(1), id(2)], options);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    const asked = ran.stderr.replaceAll("\n", "");
    expect(asked).toContain(`- Course 1 (${id(1)})- Course 2 (${id(2)})`);
    expect(await left(r)).toEqual([id(3)]);
    expect(await recordFiles(r)).toHaveLength(1);
  });

  test.each(["n\n", "\n"])(
    "rm deletes nothing and exits with 2 after any other answer: %j",
    async (input) => {
      const r = await three();
      const ran = await r.run(["courses", "rm", id(1)], { terminal: true, input });
      expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([2, []]);
      expect(ran.stderr).toMatch(/Cancelled: nothing was changed\.\n$/);
      expect(await recordFiles(r)).toEqual([]);
    },
  );

  test.each(["\u0004", ""])(
    "rm exits with 130 if the input ends before an answer: %j",
    async (input) => {
      const r = await three();
      const ran = await r.run(["courses", "rm", id(1)], { terminal: true, input });
      expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([130, []]);
      expect(await recordFiles(r)).toEqual([]);
    },
  );
});

describe("missing courses", () => {
  test.each([[[]], [["--ignore-not-found"]]])(
    "rm exits with 5 if the first response to DELETE says that the course does not exist, with %j",
    async (words) => {
      const r = await three();
      const { environment } = await unreliableService(r, ({ method }) =>
        method === "DELETE" ? { status: 406 } : "pass",
      );
      const ran = await r.run(["courses", "rm", "--yes", id(1), ...words], { environment });
      expect([ran.code, courseRequests(ran)]).toEqual([5, [read(1), remove(1)]]);
      expect((await recordLines((await recordFiles(r))[0] ?? ""))[2]).toMatchObject({
        status: "failed",
      });
    },
  );

  test("undo brings back a course that rm did not find only with --force", async () => {
    const r = await three();
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? { status: 404 } : "pass",
    );
    await r.run(["courses", "rm", "--yes", id(1)], { environment });
    await r.run(["courses", "rm", "--yes", "--no-record", id(1)]);
    const undo = await r.run(["undo", "--yes"], { environment });
    expect([undo.code, requestsOf(undo, "POST")]).toEqual([0, []]);
    const forced = await r.run(["undo", "--yes", "--force"], { environment });
    expect([forced.code, requestsOf(forced, "POST")]).toEqual([0, [expect.anything()]]);
  });
});
