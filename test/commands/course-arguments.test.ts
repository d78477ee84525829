/** How commands find the courses that their arguments name: by id, key or url. */
import { expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import { ABSENT, id, jsonErrors, jsonRows, numberedCourse, rigWith } from "./helpers.ts";
import { deleteRequest, READS, SCHOOL, writeRequests } from "./push-files.ts";

const UUID_KEY = "7c9e6679-7425-40DE-944b-e07fc1f90ae7";
const [KEYED, UUID_KEYED] = ["K-0001", UUID_KEY].map((key) =>
  derivedId({ provider_id: PROVIDER_ID, key }),
) as [string, string];

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
const CHANGES = ["publish", "unpublish", "rm --yes", "update --pace instructor_paced"];

/** Runs a command of courses, such as `rm --yes`, with arguments. */
async function runWith(r: Rig, command: string, ...words: readonly string[]) {
  return await r.run(["courses", ...command.split(" "), ...words]);
}

test.each([
  ["its id in uppercase", KEYED.toUpperCase(), KEYED],
  ["its key", "K-0001", KEYED],
  ["its key, which is a UUID", UUID_KEY, UUID_KEYED],
  ["its key with spaces around it", " K-0001 ", KEYED],
  ["its url", "https://academy.example/1", id(1)],
  ["its url with a slash at the end", "HTTPS://Academy.example/1/", id(1)],
  ["its url with percent escapes", "https://academy.example/%C3%9Cbung/?a=1", id(3)],
])("get finds a course by %s", async (_, word, found) => {
  const ran = await runWith(await catalog(), "get", word);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ id: found });
});

test.each(CHANGES)("%s accepts ids, urls and keys, and changes each course once", async (verb) => {
  const words = [id(1).toUpperCase(), "https://academy.example/1", "K-0001", KEYED, "--json"];
  const ran = await runWith(await catalog(), verb, ...words);
  expect(ran.code).toBe(0);
  expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), KEYED]);
  expect(writeRequests(ran).length).toBeLessThanOrEqual(2);
});

test("get finds a key under any of several providers; unpublish refuses a key that two providers have", async () => {
  const courses = [PROVIDER_ID, SCHOOL.id].map((provider_id, index) =>
    numberedCourse(index, { id: derivedId({ provider_id, key: "A" }), provider_id }),
  );
  const [own = {}, other = {}] = courses;
  const r = await rigWith({ ...own, id: id(1) }, other);
  expect(JSON.parse((await r.run("courses get A")).stdout)).toMatchObject({ id: other.id });
  const ran = await (await rigWith(...courses)).run("courses unpublish A");
  expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
  for (const { id } of courses) expect(ran.stderr).toContain(`${id}`);
});

test("get looks up a key in the complete listing", async () => {
  expect((await (await catalog()).run("courses get K-0001")).requests).toEqual(READS);
});

test.each([ABSENT, "K-9", "Knitting", `${id(1)}0`, "https://academy.example/9", "\ud83e"])(
  "commands exit with 5 and change nothing if no course is named %s",
  async (word) => {
    const r = await catalog();
    for (const verb of CHANGES) {
      const ran = await runWith(r, verb, id(1), word, "--json");
      expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([5, "", []]);
      const message = expect.stringContaining(word === ABSENT ? word : JSON.stringify(word));
      const next = expect.stringContaining("catalog courses ls");
      expect(jsonErrors(ran)).toMatchObject([{ kind: "missing", message, next }]);
    }
  },
);

test("get shows the courses that it finds, and exits with 5 if an argument names none", async () => {
  const ran = await runWith(await catalog(), "get", id(1), "K-9", ABSENT, "-o", "id");
  expect([ran.code, ran.stdout]).toEqual([5, `${id(1)}\n`]);
  expect(ran.stderr).toMatch(new RegExp(`"K-9"[^]*${ABSENT}`));
});

test.each(["courses/knitting", "..\\a"])(
  "commands exit with 3 and change nothing if no file or course is named %s",
  async (word) => {
    const r = await catalog();
    const message = `not the id, key or url of a course: ${JSON.stringify(word)}`;
    for (const verb of [...CHANGES, "get"]) {
      const ran = await runWith(r, verb, id(1), word, "--json");
      expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
      expect(jsonErrors(ran)).toMatchObject([{ kind: "file", message }]);
    }
  },
);

test("rm --ignore-not-found skips ids, keys and urls of courses that do not exist", async () => {
  const missing = [ABSENT, "K-9", "https://academy.example/9"];
  const command = "rm --yes --ignore-not-found --json";
  const ran = await runWith(await catalog(), command, ...missing, id(1));
  expect([ran.code, writeRequests(ran)]).toEqual([0, [deleteRequest(1)]]);
  expect(jsonRows(ran)).toMatchObject([{ id: id(1), status: "done" }]);
});

test("commands exit with 2 before any request if a course argument is empty", async () => {
  const r = await catalog();
  for (const verb of [...CHANGES, "get"]) {
    expect(await runWith(r, verb, " ")).toMatchObject({ code: 2, requests: [] });
  }
});
