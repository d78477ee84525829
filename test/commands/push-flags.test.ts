/** The flags of push, and the results that it prints. */
import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import {
  gate,
  id,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  rigWith,
  startCommand,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { json, push, SEWING, SEWING_ID, writeCourseFiles, writeRequests } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

test.each([
  [[], 4],
  [["--concurrency", "1"], 1],
  [["--concurrency", "7"], 7],
])(
  "push with %j has at most, and at some time exactly, %i requests in progress",
  async (words, most) => {
    const r = await rig();
    await writeCourseFiles(r, 5, 2);
    let posts = 0;
    const { opened, open } = gate();
    const server = await startRecordingProxy(r, async ({ method }) => {
      // None of the first is answered before all of them are there.
      if (method === "POST" && ++posts === most) open();
      if (method === "POST" && posts <= most) await opened;
    });
    const running = startCommand(r, ["courses", "push", "courses", ...words], server.environment);
    expect(await running.code).toBe(0);
    expect([server.maxParallel(), (await storedCourses(r)).length]).toEqual([most, 10]);
  },
);

const refusingThird = async (r: Rig) => {
  let posts = 0;
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" && ++posts === 3 ? { status: 400, body: '{"hint":"no"}' } : "pass",
  );
  return environment;
};

test("push sends the other courses after a rejected course, which is one failed test of JUnit", async () => {
  const r = await rig();
  await writeCourseFiles(r, 3, 2);
  const ran = await push(r, ["courses", "--report", "junit=r.xml"], {
    environment: await refusingThird(r),
  });
  expect([ran.code, ownLines(ran.stderr).at(-1)]).toEqual([1, "Created 5 courses. 1 failed."]);
  const xml = await r.read("r.xml");
  expect(xml).toMatch(/<testsuites [^>]*tests="6" failures="1" errors="0"/);
});

const mixed = async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  await r.write("a.yaml", SEWING);
  await r.write("b.json", [numberedCourse(1), numberedCourse(2, { name: "New" })]);
  return r;
};
const planned = (status: string) => [
  { id: SEWING_ID, file: "a.yaml", action: "create", status },
  { id: id(1), file: "b.json", action: "unchanged", status: "unchanged" },
  { id: id(2), file: "b.json", action: "update", status },
];

test("push --json prints one result per course in the order of the files", async () => {
  const ran = await push(await mixed(), ["a.yaml", "b.json", "--json"]);
  expect([ran.code, jsonRows(ran)]).toMatchObject([0, planned("done")]);
});

test("push --dry-run --json prints the planned steps, and notices with the counts and the target", async () => {
  const r = await mixed();
  const ran = await push(r, ["a.yaml", "b.json", "--dry-run", "--json"]);
  expect([ran.code, jsonRows(ran)]).toMatchObject([0, planned("planned")]);
  const target = { baseUrl: r.sandbox.baseUrl, providers: ["Example Academy"], decided: [] };
  const notice = "1 course to create and 1 to update. 1 is up to date.";
  expect(jsonMessages(ran)).toMatchObject([
    { notice: `Target: ${r.sandbox.baseUrl} as Example Academy`, target },
    { notice, counts: { created: 1, updated: 1, unchanged: 1, deleted: 0 }, target, risks: 0 },
  ]);
  expect(writeRequests(ran)).toEqual([]);
});

test("push reports a rejected course with the file, the line of the field, the hint and the rule, in GitHub Actions also as an annotation", async () => {
  const r = await rig();
  await r.write("courses/sewing.yaml", SEWING);
  const body = json({ hint: "audio is not to our taste", details: null });
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "GET" ? "pass" : { status: 400, body },
  );
  const ran = await push(r, ["courses"], {
    environment: { ...environment, GITHUB_ACTIONS: "true" },
  });
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:6:8: error: \S.*\[service\]$/m);
  expect(ran.stderr).toMatch(/^ +service: audio is not to our taste$/m);
  expect(ran.stderr).toContain("Nothing was changed. 1 course failed.\n");
  expect(lines(ran.stderr).filter((line) => line.startsWith("::"))).toEqual([
    expect.stringMatching(
      /^::error file=courses\/sewing\.yaml,line=6,col=8,title=catalog courses push::.*audio is not to our taste/,
    ),
  ]);
});
