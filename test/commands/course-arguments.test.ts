/** How commands find the courses that their arguments name: by id, url, key or name. */
import { describe, expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { PROVIDER_ID, type Rig, type RunOptions } from "../rig.ts";
import {
  ABSENT,
  expectRefused,
  id,
  jsonErrors,
  jsonRows,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
} from "./helpers.ts";

const KEYED = derivedId({ provider_id: PROVIDER_ID, key: "K-0001" });

/** A second provider of the user. */
const OTHER = "0c2f1b9e-5a55-4f5e-8d56-6f0c8b1f0a11";

/** Courses with names, and one with the key K-0001. */
async function catalog(): Promise<Rig> {
  return await rigWith(
    numberedCourse(1, { name: "Knitting" }),
    numberedCourse(2, { name: "Straße nach Norden" }),
    numberedCourse(3, { name: "Übung", url: "https://academy.example/Übung/?a=1" }),
    numberedCourse(4, { id: KEYED }),
    numberedCourse(5, { name: "\u200eCourse\u00a0 Five\u200f " }),
  );
}

/** What changes courses, as requests of a run. */
function changesOf(ran: Awaited<ReturnType<Rig["run"]>>): string[] {
  return requestsOf(ran).filter((line) => !line.startsWith("GET "));
}

const ON_TERMINAL: RunOptions = { terminal: true, environment: { NO_COLOR: "1" } };

describe("arguments that name a course", () => {
  test.each([
    ["its id in uppercase", KEYED.toUpperCase(), KEYED],
    ["its key", "K-0001", KEYED],
    ["its key with spaces around it", " K-0001 ", KEYED],
    ["its url", "https://academy.example/1", id(1)],
    ["its url with a slash at the end", "HTTPS://Academy.example/1/", id(1)],
    ["its url with percent escapes", "https://academy.example/%C3%9Cbung/?a=1", id(3)],
    ["its name", "Straße nach Norden", id(2)],
    ["its name in uppercase", "KNITTING", id(1)],
    ["its name without invisible characters", "course five", id(5)],
    ["its name in decomposed Unicode", "übung".normalize("NFD"), id(3)],
  ])("get, open and wait find a course by %s", async (_, word, found) => {
    const r = await catalog();
    const ran = await r.run(["courses", "get", word]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: found });
    const opened = await r.run(["courses", "open", word]);
    expect(opened.stdout.startsWith("https://academy.example/")).toBe(true);
    const waited = await r.run(["courses", "wait", word, "--timeout", "1s", "--json"]);
    expect(jsonRows(waited)).toMatchObject([{ id: found, approval_status: "pending" }]);
  });

  test.each(["publish", "unpublish", "rm"])(
    "%s accepts ids, urls, keys and names, and changes each course once",
    async (verb) => {
      const r = await catalog();
      const words = ["knitting", id(1).toUpperCase(), "https://academy.example/1", "K-0001", KEYED];
      const ran = await r.run(["courses", verb, ...words, "--yes", "--json"]);
      expect(ran.code).toBe(0);
      expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), KEYED]);
      expect(changesOf(ran).length).toBeLessThanOrEqual(2);
      for (const request of changesOf(ran)) expect(request).toMatch(/\?id=[0-9a-f-]{36}$/);
    },
  );

  test("get - accepts ids, urls, keys and names on the lines of standard input", async () => {
    const input = `\ufeffKnitting\r\n\n  K-0001\n${id(1)}\nhttps://academy.example/4\n`;
    const ran = await (await catalog()).run(["courses", "get", "-", "--json"], { input });
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), KEYED]);
  });

  test("get finds a key under any of several providers; unpublish refuses a key that two providers have", async () => {
    const courses = [PROVIDER_ID, OTHER].map((provider, index) =>
      numberedCourse(index, {
        id: derivedId({ provider_id: provider, key: "A" }),
        provider_id: provider,
      }),
    );
    const [own, other] = courses;
    const r = await rigWith({ ...own, id: id(1) }, { ...other });
    expect(JSON.parse((await r.run(["courses", "get", "A"])).stdout)).toMatchObject({
      id: other?.id,
    });
    const both = await rigWith(...courses);
    const ran = await both.run(["courses", "unpublish", "A", "--json"]);
    expect([ran.code, changesOf(ran)]).toEqual([2, []]);
    expect(jsonErrors(ran)[0]?.message).toContain(`${own?.id} (https://academy.example/0)`);
    expect(jsonErrors(ran)[0]?.message).toContain(`${other?.id} (https://academy.example/1)`);
  });
});

describe("requests for course arguments", () => {
  test("get sends one request for each id", async () => {
    const ran = await (await catalog()).run(["courses", "get", id(1), id(2)]);
    expect(requestsOf(ran)).toEqual(
      [id(1), id(2)].map((each) => `GET /developer/v1/courses?id=${each}`),
    );
  });

  test("get reads the providers and sends one look-up for a key", async () => {
    const ran = await (await catalog()).run(["courses", "get", "K-0001"]);
    expect(requestsOf(ran)).toEqual([
      "GET /developer/v1/providers",
      `GET /developer/v1/courses?id=${KEYED}`,
    ]);
  });

  test("get reads the listing once for 150 names", async () => {
    const courses = Array.from({ length: 150 }, (_, index) => numberedCourse(index));
    const r = await rigWith(...courses);
    const input = courses.map(({ name }) => `${name}\n`).join("");
    const ran = await r.run(["courses", "get", "-", "-o", "id"], { input });
    expect(ran.stdout).toBe(courses.map((each) => `${each.id}\n`).join(""));
    expect(requestsOf(ran).filter((line) => line.includes("offset=0"))).toHaveLength(1);
    expect(requestsOf(ran).filter((line) => line.includes("?id="))).toEqual([]);
    expect(requestsOf(ran).length).toBeLessThan(10);
  });
});

describe("arguments that name no course", () => {
  test.each(["K-9", `${id(1)}0`, "https://academy.example/9"])(
    "commands exit with 5 and change nothing if no course is named %s",
    async (word) => {
      const message = `no course has the id, url, key or name ${JSON.stringify(word)}`;
      const r = await catalog();
      for (const words of [
        ["publish", "--yes"],
        ["unpublish", "--yes"],
        ["rm", "--yes"],
        ["get"],
      ]) {
        const ran = await r.run(["courses", ...words, id(1), word]);
        expect([ran.code, ran.stdout, changesOf(ran)]).toEqual([5, "", []]);
        expect(ran.stderr.replace(/\s+/g, " ")).toContain(`error: ${message}`);
        expect(ran.stderr).toContain("catalog courses ls");
      }
    },
  );

  test("get suggests a course whose name is similar", async () => {
    const ran = await (await catalog()).run(["courses", "get", "Kniting"]);
    expect(ran.stderr).toContain("Did you mean Knitting?");
  });

  test.each(["courses/knitting", "knitting.yaml", "prices.CSV", "..\\a"])(
    "commands exit with 3 and change nothing if no file or course is named %s",
    async (word) => {
      const r = await catalog();
      for (const words of [["publish", "--yes"], ["rm", "--yes"], ["get"]]) {
        const ran = await r.run(["courses", ...words, id(1), word, "--json"]);
        expect([ran.code, changesOf(ran)]).toEqual([3, []]);
        const message = `no such file or course: ${JSON.stringify(word)}`;
        expect(jsonErrors(ran)).toMatchObject([{ kind: "file", message }]);
      }
    },
  );

  test("publish says that its argument is a file if a file has this name", async () => {
    const r = await catalog();
    await r.write("a.yaml", "name: Knitting\n");
    const ran = await r.run(["courses", "publish", "a.yaml"]);
    expect([ran.code, changesOf(ran)]).toEqual([3, []]);
    expect(ran.stderr).toContain('"a.yaml" is a file, not a course');
  });

  test("rm reports all arguments that name no course in one run", async () => {
    const ran = await (await catalog()).run([
      "courses",
      "rm",
      "--yes",
      "K-9",
      "a/b",
      ABSENT,
      "--json",
    ]);
    expect([ran.code, changesOf(ran)]).toEqual([3, []]);
    expect(jsonErrors(ran).map(({ kind }) => kind)).toEqual(["missing", "file"]);
  });

  test("unpublish reports an unknown UUID as failed and still changes the other course", async () => {
    const ran = await (await catalog()).run(["courses", "unpublish", ABSENT, "K-0001", "--json"]);
    expect([ran.code, jsonRows(ran).map((row) => row.status)]).toEqual([5, ["failed", "done"]]);
  });

  test("commands exit with 2 before any request if a course argument is empty", async () => {
    for (const words of [["get"], ["publish"], ["rm", "--yes"], ["wait"], ["open"]]) {
      expectRefused(await (await catalog()).run(["courses", ...words, " "]), 2);
    }
  });
});

test("unpublish finds no course for an argument with half of a surrogate pair", async () => {
  const ran = await (await catalog()).run(["courses", "unpublish", "\ud83e"]);
  expect([ran.code, ran.stdout, changesOf(ran)]).toEqual([5, "", []]);
  expect(ran.stderr).toContain('no course has the id, url, key or name "\\ud83e"');
});

describe("names that several courses have", () => {
  test("commands list the courses that share a name and change nothing", async () => {
    const r = await rigWith(
      numberedCourse(1, { name: "Knitting" }),
      numberedCourse(2, { name: "knitting " }),
      numberedCourse(3),
    );
    for (const words of [["publish", "--yes"], ["rm", "--yes"], ["get"]]) {
      const ran = await r.run(["courses", ...words, "Course 3", "KNITTING"]);
      expect([ran.code, ran.stdout, changesOf(ran)]).toEqual([2, "", []]);
      const said = ran.stderr.replace(/\s+/g, " ");
      expect(said).toContain('several courses match "KNITTING":');
      for (const number of [1, 2]) {
        expect(said).toContain(`${id(number)} (https://academy.example/${number})`);
      }
    }
  });

  test("get prefers a course with this key over a course with this name", async () => {
    const r = await rigWith(
      numberedCourse(1, { id: KEYED }),
      numberedCourse(2, { name: "K-0001" }),
    );
    const ran = await r.run(["courses", "get", "K-0001"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: KEYED });
  });
});

describe("changes by name", () => {
  test("unpublish asks about a name on a terminal, and y changes the course", async () => {
    const r = await catalog();
    const options = { ...ON_TERMINAL, input: "y\n", columns: 200 };
    const ran = await r.run(["courses", "unpublish", "knitting"], options);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`Unpublish "Knitting" (${id(1)})?`);
    expect(changesOf(ran)).toEqual([`PATCH /developer/v1/courses?id=${id(1)}`]);
  });

  test("publish exits with 2 and changes nothing if the answer is not y", async () => {
    const r = await catalog();
    const ran = await r.run(["courses", "publish", "knitting"], { ...ON_TERMINAL, input: "\n" });
    expect([ran.code, changesOf(ran)]).toEqual([2, []]);
    expect(ran.stderr).toContain("nothing was changed");
  });

  test("unpublish refuses a name without a terminal and advises the id or --yes", async () => {
    const r = await catalog();
    const ran = await r.run(["courses", "unpublish", id(2), "knitting"]);
    expect([ran.code, ran.stdout, changesOf(ran)]).toEqual([2, "", []]);
    const said = ran.stderr.replace(/\s+/g, " ");
    expect(said).toContain('catalog cannot ask before changing the course by name: "Knitting"');
    expect(said).toContain(`Pass ${id(1)} instead. To go ahead with the name, pass --yes.`);
    expect((await storedCourses(r)).map((each) => each.published)).not.toContain(false);
  });

  test("unpublish accepts a name with --yes, and does not ask in a dry run", async () => {
    const r = await catalog();
    const planned = await r.run(["courses", "unpublish", "knitting", "--dry-run"]);
    expect([planned.code, changesOf(planned)]).toEqual([0, []]);
    const done = await r.run(["courses", "unpublish", "knitting", "--yes"]);
    expect([done.code, changesOf(done).length]).toEqual([0, 1]);
  });

  test("unpublish does not ask about a key or a url", async () => {
    const r = await catalog();
    const words = ["K-0001", "https://academy.example/1"];
    const ran = await r.run(["courses", "unpublish", ...words]);
    expect([ran.code, changesOf(ran).length]).toEqual([0, 2]);
  });

  test("rm asks about a name and shows the name of the course", async () => {
    const r = await catalog();
    const ran = await r.run(["courses", "rm", "knitting"], {
      ...ON_TERMINAL,
      input: "y\n",
      columns: 200,
    });
    expect([ran.code, changesOf(ran)]).toEqual([0, [`DELETE /developer/v1/courses?id=${id(1)}`]]);
    expect(ran.stderr).toContain(`Knitting (${id(1)})`);
    expect(ran.stderr.match(/\?/g)?.length).toBeGreaterThan(0);
  });
});

describe("JSON of get", () => {
  test.each([
    ["one object for one word", ["knitting"], "", false],
    ["an array for several words that name one course", ["knitting", id(1)], "", true],
    ["an array for -", ["-"], "K-0001\n", true],
  ])("get --json prints %s", async (_, words, input, isArray) => {
    const ran = await (await catalog()).run(["courses", "get", ...words, "--json"], { input });
    expect([ran.code, Array.isArray(JSON.parse(ran.stdout))]).toEqual([0, isArray]);
  });
});
