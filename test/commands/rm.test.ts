import { expect, test } from "vitest";
import type { RunOptions } from "../rig.ts";
import {
  courseRequests,
  id,
  numberedCourse,
  recordFiles,
  recordLines,
  requestsOf,
  rigWith,
  unreliableService,
} from "./helpers.ts";
import { deleteRequest, listRequest, readRequest, storedIds } from "./push-files.ts";

async function three() {
  return await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
}

test("rm reads each course immediately before it deletes it, and prints nothing on stdout", async () => {
  const r = await three();
  const ran = await r.run(`courses rm --yes ${id(1)} ${id(2)} --concurrency 1`);
  expect([ran.code, ran.stdout]).toEqual([0, ""]);
  expect(courseRequests(ran)).toEqual([
    listRequest(),
    readRequest(1),
    readRequest(2),
    deleteRequest(1),
    deleteRequest(2),
  ]);
  expect(await storedIds(r)).toEqual([id(3)]);
});

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
    expect(await storedIds(r)).toEqual([id(1), id(2), id(3)]);
  },
);

test("rm names the courses on a terminal, and y deletes them", async () => {
  const r = await three();
  const options = { terminal: true, input: "y\n", environment: { NO_COLOR: "1" } };
  const ran = await r.run(`courses rm ${id(1)} ${id(2)}`, options);
  expect([ran.code, ran.stdout]).toEqual([0, ""]);
  const asked = ran.stderr.replaceAll("\n", "");
  expect(asked).toContain(`- Course 1 (${id(1)})- Course 2 (${id(2)})`);
  expect(asked).toMatch(/^- Course 1.*Target: .*Delete 2 courses\?/);
  expect(await storedIds(r)).toEqual([id(3)]);
  expect(await recordFiles(r)).toHaveLength(1);
});

test.each([[[]], [["--ignore-not-found"]]])(
  "rm exits with 5 if the first response to DELETE says that the course does not exist, with %j",
  async (words) => {
    const r = await three();
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? { status: 406 } : "pass",
    );
    const ran = await r.run(["courses", "rm", "--yes", id(1), ...words], { environment });
    expect([ran.code, courseRequests(ran)]).toEqual([
      5,
      [listRequest(), readRequest(1), deleteRequest(1)],
    ]);
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
  await r.run(`courses rm --yes ${id(1)}`, { environment });
  await r.run(`courses rm --yes --no-record ${id(1)}`);
  const undo = await r.run("undo --yes", { environment });
  expect([undo.code, requestsOf(undo, "POST")]).toEqual([0, []]);
  const forced = await r.run("undo --yes --force", { environment });
  expect([forced.code, requestsOf(forced, "POST")]).toEqual([0, [expect.anything()]]);
});

const SIX = [1, 2, 3, 4, 5, 6];
const question = "Delete 6 courses? Type 6 to confirm:";

test.each([
  ["6\n", 0, 1],
  ["7\n", 2, 7],
  ["\n", 2, 7],
])("rm of six courses asks for their number: %j", async (input, code, count) => {
  const r = await rigWith(...[...SIX, 7].map((number) => numberedCourse(number)));
  const options = { terminal: true, columns: 200, environment: { NO_COLOR: "1" }, input };
  const ran = await r.run(["courses", "rm", ...SIX.map(id)], options);
  expect([ran.code, (await storedIds(r)).length]).toEqual([code, count]);
  expect(ran.stderr).toContain(question);
  expect(ran.stderr.match(/- Course \d \(/g)).toHaveLength(6);
  const cancelled = ran.stderr.match(/^Cancelled: nothing was changed\.$/gm);
  expect(cancelled?.length).toBe(code === 0 ? undefined : 1);
});
