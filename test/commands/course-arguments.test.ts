/** How commands find the courses that their arguments name: by id, key or url. */
import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  ABSENT,
  expectRefused,
  id,
  jsonErrors,
  jsonRows,
  numberedCourse,
  requestsOf,
  rigWith,
} from "./helpers.ts";
import { listRequest, writeRequests } from "./push-files.ts";

const KEYED = derivedId({ provider_id: PROVIDER_ID, key: "K-0001" });

/** A second provider of the user. */
const OTHER = "0c2f1b9e-5a55-4f5e-8d56-6f0c8b1f0a11";

const UUID_KEY = "7c9e6679-7425-40DE-944b-e07fc1f90ae7";

const UUID_KEYED = derivedId({ provider_id: PROVIDER_ID, key: UUID_KEY });

/** Courses with urls, one with the key K-0001, and one with a UUID as its key. */
async function catalog(): Promise<Rig> {
  return await rigWith(
    numberedCourse(1, { name: "Knitting" }),
    numberedCourse(3, { url: "https://academy.example/Übung/?a=1" }),
    numberedCourse(4, { id: KEYED }),
    numberedCourse(5, { id: UUID_KEYED }),
  );
}

/** The commands that change courses by their arguments. */
const CHANGES: readonly (readonly string[])[] = [
  ["publish"],
  ["unpublish"],
  ["rm", "--yes"],
  ["update", "--pace", "instructor_paced"],
];

test.each([
  ["its id in uppercase", KEYED.toUpperCase(), KEYED],
  ["its key", "K-0001", KEYED],
  ["its key, which is a UUID", UUID_KEY, UUID_KEYED],
  ["its key with spaces around it", " K-0001 ", KEYED],
  ["its url", "https://academy.example/1", id(1)],
  ["its url with a slash at the end", "HTTPS://Academy.example/1/", id(1)],
  ["its url with percent escapes", "https://academy.example/%C3%9Cbung/?a=1", id(3)],
])("get finds a course by %s", async (_, word, found) => {
  const ran = await (await catalog()).run(["courses", "get", word]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: found });
});

test.each(CHANGES)(
  "%s accepts ids, urls and keys, and changes each course once",
  async (...verb) => {
    const r = await catalog();
    const words = [id(1).toUpperCase(), "https://academy.example/1", "K-0001", KEYED];
    const ran = await r.run(["courses", ...verb, ...words, "--json"]);
    expect(ran.code).toBe(0);
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), KEYED]);
    expect(writeRequests(ran).length).toBeLessThanOrEqual(2);
    for (const request of writeRequests(ran)) expect(request).toMatch(/\?id=[0-9a-f-]{36}$/);
  },
);

test("get finds a key under any of several providers; unpublish refuses a key that two providers have", async () => {
  const courses = [PROVIDER_ID, OTHER].map((provider, index) =>
    numberedCourse(index, {
      id: derivedId({ provider_id: provider, key: "A" }),
      provider_id: provider,
    }),
  );
  const [own, other] = courses;
  const r = await rigWith({ ...own, id: id(1) }, { ...other });
  expect(JSON.parse((await r.run("courses get A")).stdout)).toMatchObject({
    id: other?.id,
  });
  const both = await rigWith(...courses);
  const ran = await both.run("courses unpublish A --json");
  expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
  expect(jsonErrors(ran)[0]?.message).toContain(`${own?.id}`);
  expect(jsonErrors(ran)[0]?.message).toContain(`${other?.id}`);
});

test("get looks up a key in the complete listing", async () => {
  const ran = await (await catalog()).run("courses get K-0001");
  expect(requestsOf(ran)).toEqual(["GET /developer/v1/providers", listRequest()]);
});

test.each(["K-9", "Knitting", `${id(1)}0`, "https://academy.example/9", "\ud83e"])(
  "commands exit with 5 and change nothing if no course is named %s",
  async (word) => {
    const message = `no such course, or it is not yours: ${JSON.stringify(word)}`;
    const r = await catalog();
    for (const words of CHANGES) {
      const ran = await r.run(["courses", ...words, id(1), word]);
      expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([5, "", []]);
      expect(ran.stderr.replace(/\s+/g, " ")).toContain(`error: ${message}`);
      expect(ran.stderr).toContain("catalog courses ls");
    }
  },
);

test("commands exit with 5 and change nothing if one of several courses does not exist", async () => {
  const r = await catalog();
  for (const words of CHANGES) {
    const ran = await r.run(["courses", ...words, id(1), ABSENT, "--json"]);
    expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([5, "", []]);
    expect(jsonErrors(ran)).toMatchObject([{ kind: "missing" }]);
    expect(jsonErrors(ran)[0]?.message).toContain(ABSENT);
  }
  const planned = await r.run(`courses rm ${ABSENT} --dry-run`);
  expect(planned.code).toBe(5);
});

test("get shows the courses that it finds, and exits with 5 if an argument names none", async () => {
  const words = ["courses", "get", id(1), "K-9", ABSENT, "-o", "id"];
  const ran = await (await catalog()).run(words);
  expect([ran.code, ran.stdout]).toEqual([5, `${id(1)}\n`]);
  expect(ran.stderr).toContain('"K-9"');
  expect(ran.stderr).toContain(ABSENT);
});

test.each(["courses/knitting", "..\\a"])(
  "commands exit with 3 and change nothing if no file or course is named %s",
  async (word) => {
    const r = await catalog();
    const message = `not the id, key or url of a course: ${JSON.stringify(word)}`;
    for (const words of [...CHANGES, ["get"]]) {
      const ran = await r.run(["courses", ...words, id(1), word, "--json"]);
      expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
      expect(jsonErrors(ran)).toMatchObject([{ kind: "file", message }]);
    }
  },
);

test("rm --ignore-not-found skips ids, keys and urls of courses that do not exist", async () => {
  const missing = [ABSENT, "K-9", "https://academy.example/9"];
  const r = await catalog();
  const words = ["courses", "rm", "--yes", "--ignore-not-found", ...missing, id(1), "--json"];
  const ran = await r.run(words);
  expect([ran.code, writeRequests(ran)]).toEqual([0, [`DELETE /developer/v1/courses?id=${id(1)}`]]);
  expect(jsonRows(ran)).toMatchObject([{ id: id(1), status: "done" }]);
});

test("commands exit with 2 before any request if a course argument is empty", async () => {
  for (const words of [...CHANGES, ["get"]]) {
    expectRefused(await (await catalog()).run(["courses", ...words, " "]), 2);
  }
});
