import { expect, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { rig } from "../rig.ts";
import {
  expectRefused,
  id,
  lines,
  numberedCourse,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import {
  courseWithoutId,
  listRequest,
  push,
  rigWithTwoProviders,
  SCHOOL,
  SEWING,
  writeRequests,
} from "./push-files.ts";

const BAD = SEWING.replace("self_paced", "self-paced");

test("push reports every problem of every file as check does, and sends nothing", async () => {
  const r = await rig();
  await r.write("courses/a.json", [numberedCourse(1), numberedCourse(2, { audio: ["xx"] })]);
  await r.write("courses/b.yaml", BAD);
  await r.write("courses/c.yaml", "name: [");
  const check = await r.run("courses check courses");
  const ran = await push(r, ["courses"]);
  expectRefused(ran, 3);
  const found = lines(check.stdout).filter((line) => /: error: /.test(line));
  expect(found.length).toBeGreaterThan(2);
  expect(lines(ran.stderr)).toEqual(expect.arrayContaining(found));
  expect(ran.stderr).toMatch(/^courses\/b\.yaml:8:7: error: .*\[choice\]$/m);
});

test.each([
  ["an empty folder", "empty/notes.txt", "empty"],
  ["an empty file", "empty.yaml", "empty.yaml"],
  ["an empty file in a folder of others", "courses/empty.yaml", "courses"],
])("push exits with 3 and names %s", async (_, name, path) => {
  const r = await rig();
  await r.write("courses/a.json", numberedCourse(1));
  await r.write(name, "");
  const ran = await push(r, ["courses", path]);
  expectRefused(ran, 3);
  expect(ran.stderr).toContain(name.replace("/notes.txt", ""));
});

test("push only warns about a url on the website of another provider of the user", async () => {
  const r = await rigWithTwoProviders();
  await r.write("a.json", courseWithoutId(1, { url: "https://school.example/1" }));
  const ran = await push(r, ["a.json", "--report", "sarif=r.json"]);
  expect([ran.code, (await storedCourses(r)).length]).toEqual([0, 1]);
  expect(ran.stderr).toMatch(/^a\.json:1:\d+: warning: url .* \[url-other-provider\]$/m);
  const report = JSON.parse(await r.read("r.json"));
  expect(report.runs[0].properties.counts).toMatchObject({ errors: 0, warnings: 1 });
});

test.each([
  ["https://www.academy.example", "https://academy.example/1"],
  ["https://academy.example", "https://www.academy.example/1"],
  ["https://www.academy.example", "https://courses.academy.example/1"],
])("push accepts for the provider %s a course on %s", async (site, url) => {
  const providers = [{ ...DEFAULT_PROVIDER, url: site, domain: null }];
  const r = await rig({ seed: { users: [{ key: DEFAULT_KEY, providers, courses: [] }] } });
  await r.write("a.json", courseWithoutId(1, { url }));
  expect((await push(r, ["a.json"])).code).toBe(0);
});

test("push exits with 3 and names both files if one has the id and the other the url of a course", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", numberedCourse(1, { url: "https://academy.example/moved" }));
  await r.write("b.json", courseWithoutId(1));
  const ran = await push(r, ["a.json", "b.json"]);
  expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([3, "", []]);
  const [line, ...others] = lines(ran.stderr);
  expect(line).toMatch(/^b\.json:1:\d+: error: .*a\.json:1 .*\[same-course\]$/);
  expect(line).toContain(id(1));
  expect(others).toEqual(["1 error in 1 file; nothing was sent."]);
});

test("push exits with 6 and changes nothing if it cannot read a page of the catalog", async () => {
  const r = await rigWith(...Array.from({ length: 150 }, (_, number) => numberedCourse(number)));
  await r.write("a.yaml", SEWING);
  const { environment } = await unreliableService(r, ({ url }) =>
    url.includes("offset=99") ? { status: 503 } : "pass",
  );
  const ran = await push(r, ["a.yaml", "--prune", "--yes"], { environment });
  expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([6, "", []]);
  expect(ran.requests).toContain(listRequest(99));
});

/** Courses of a provider that the user of the key does not have. */
const FOREIGN = [1, 2, 3].map((number) =>
  numberedCourse(number, {
    provider_id: SCHOOL.id,
    url: `https://team07.example/${number}`,
  }),
);

test.each(["push", "diff"])(
  "%s reports a key of another account once, exits with 4 and sends nothing",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", FOREIGN);
    const ran = await r.run(["courses", command, "a.json"]);
    expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([4, "", []]);
    expect(lines(ran.stderr)[0]).toBe(
      `error: this API key belongs to ${DEFAULT_PROVIDER.name}, but all 3 courses are on team07.example: wrong API key or wrong folder?`,
    );
    expect(ran.stderr).toContain(
      '\n  Nothing was sent. To see which API key is in use, run "catalog',
    );
    expect(ran.stderr.match(/error/g)).toHaveLength(1);
  },
);

test.each(["push", "diff", "check --online"])(
  "%s reports the courses of each foreign provider once, with their places, where others are the user's",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", [...FOREIGN, numberedCourse(4)]);
    await r.write("b.json", [numberedCourse(5, { url: "https://team08.example/5" })]);
    const ran = await r.run(["courses", ...command.split(" "), "a.json", "b.json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    const errors = lines(ran.stderr + ran.stdout).filter((line) => line.includes(" error: "));
    expect(errors).toEqual([
      expect.stringMatching(/^a\.json:.* provider_id .*; likewise in a\.json:1 and a\.json:1 /),
      expect.stringMatching(/^b\.json:.* url is on team08\.example/),
    ]);
  },
);
