/** What a push reports about courses that the service rejected. */
import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { courseWithoutId, json, push, SEWING, SEWING_ID, writeRequests } from "./push-files.ts";

const refusal = (hint: string | null, details: string | null = null) =>
  ({ status: 400, body: json({ hint, details }) }) as const;

/** A rig with Sewing in a file, and a service that gives this response to every POST. */
async function refusing(...answer: Parameters<typeof refusal>) {
  const r = await rig();
  await r.write("courses/sewing.yaml", SEWING);
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "GET" ? "pass" : refusal(...answer),
  );
  return { r, environment };
}

describe("push: a rejected course", () => {
  test("is reported with the file, the line of the field in the hint, the hint and the rule: exit 1", async () => {
    const { r, environment } = await refusing("audio is not to our taste");
    const ran = await push(r, ["courses"], { environment });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:6:8: error: \S.*\[service\]$/m);
    expect(ran.stderr).toMatch(/^ +hint: audio is not to our taste$/m);
    expect(lines(ran.stderr).at(-1)).toBe("Nothing was changed. 1 course failed.");
  });

  test("is located at a field that the details name, and the details are printed", async () => {
    const { r, environment } = await refusing("no", "see long_description, please");
    const ran = await push(r, ["courses"], { environment });
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:5:19: error: /m);
    expect(ran.stderr).toMatch(/^ +details: see long_description, please$/m);
  });

  test("is located at the course if no field is named", async () => {
    const { r, environment } = await refusing("we do not want this");
    const ran = await push(r, ["courses"], { environment });
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:2:1: error: .*\[service\]$/m);
    expect(ran.stderr).toContain("hint: we do not want this");
  });

  test("is one JSON object on one line with --json, with all facts", async () => {
    const { r, environment } = await refusing("pace is too slow", "hurry");
    const ran = await push(r, ["courses", "--json"], { environment });
    expect(ran.code).toBe(1);
    const error = {
      kind: "refused",
      message: expect.any(String),
      hint: "pace is too slow",
      details: "hurry",
      status: 400,
      file: "courses/sewing.yaml",
      line: 8,
      column: 7,
      rule: "service",
    };
    expect(jsonErrors(ran)).toEqual([error]);
    expect(jsonRows(ran)).toMatchObject([
      { id: SEWING_ID, file: "courses/sewing.yaml", action: "create", status: "failed", error },
    ]);
  });

  test("prints no control characters to a terminal", async () => {
    const { r, environment } = await refusing("name \u001b[2J\u202eis bad");
    const options = { terminal: true, environment: { ...environment, NO_COLOR: "1" } };
    const ran = await push(r, ["courses"], options);
    expect(ran.stderr).not.toContain("\u001b[2J");
    expect(ran.stderr).toContain("name \\x1b[2J\\u202eis bad");
  });

  test("shows the line of the file on a terminal", async () => {
    const { r, environment } = await refusing("audio is not to our taste");
    const options = { terminal: true, environment: { ...environment, NO_COLOR: "1" } };
    const ran = await push(r, ["courses"], options);
    expect(ran.stderr).toMatch(/audio: \[en\]\n.*\^/);
  });

  test("does not stop the others, and each is reported with its file", async () => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
    const named = (number: number) => json(numberedCourse(number, { name: "New" }));
    for (const number of [1, 2, 3]) await r.write(`${number}.json`, named(number));
    const { environment } = await unreliableService(r, ({ method, url }) =>
      method === "PATCH" && !url.includes(id(2)) ? refusal("name is unusual") : "pass",
    );
    const ran = await push(r, ["1.json", "2.json", "3.json"], { environment });
    expect(ran.code).toBe(1);
    expect(writeRequests(ran)).toHaveLength(3);
    expect(ran.stderr).toMatch(/^1\.json:1:\d+: error: /m);
    expect(ran.stderr).toMatch(/^3\.json:1:\d+: error: /m);
    expect(ownLines(ran.stderr).at(-1)).toBe("Updated 1 course. 2 failed.");
    expect((await storedCourses(r)).map(({ name }) => name)).toEqual([
      "Course 1",
      "New",
      "Course 3",
    ]);
  });

  test("is the only thing that --quiet prints", async () => {
    const { r, environment } = await refusing("audio is unusual");
    const ran = await push(r, ["courses", "--quiet"], { environment });
    expect(lines(ran.stderr)).toEqual([
      expect.stringMatching(/^courses\/sewing\.yaml:6:8: error: /),
      "  hint: audio is unusual",
    ]);
  });

  test("to delete is reported with its id and the service's message", async () => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? refusal("too popular") : "pass",
    );
    const ran = await push(r, ["a.json", "--prune", "--yes"], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(new RegExp(`^error: .*${id(2)}`, "m"));
    expect(ran.stderr).toContain("hint: too popular");
    expect(lines(ran.stderr).at(-1)).toBe(
      "Nothing was changed. 1 course was up to date. 1 failed.",
    );
  });
});

describe("push: in a GitHub workflow", () => {
  const GITHUB = { GITHUB_ACTIONS: "true" };

  test("a failure is an annotation of its line, on stderr, in addition to the message", async () => {
    const { r, environment } = await refusing("audio is not to our taste");
    const ran = await push(r, ["courses"], { environment: { ...environment, ...GITHUB } });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    const [annotation = "", ...others] = lines(ran.stderr).filter((line) => line.startsWith("::"));
    expect(others).toEqual([]);
    expect(annotation).toMatch(
      /^::error file=courses\/sewing\.yaml,line=6,col=8,endLine=6,endColumn=12,title=service::/,
    );
    expect(annotation).toContain("audio is not to our taste");
    expect(ran.stderr).toContain("hint: audio is not to our taste");
  });

  test("an error in a file that stops the push is an annotation, too", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING.replace("self_paced", "slowly"));
    const ran = await push(r, ["a.yaml"], { environment: GITHUB });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/^::error file=a\.yaml,line=8,col=7,.*title=choice::/m);
  });

  test("success is no annotation, and with --json stderr stays JSON", async () => {
    const { r, environment } = await refusing("audio is unusual");
    const ran = await push(r, ["courses", "--json"], {
      environment: { ...environment, ...GITHUB },
    });
    expect(jsonMessages(ran).slice(2)).toMatchObject([
      { error: {} },
      { notice: "Nothing was changed. 1 course failed.", counts: { failed: 1 } },
    ]);
    const good = await push(r, ["courses"], { environment: GITHUB });
    expect([good.code, good.stderr.includes("::")]).toEqual([0, false]);
  });
});

describe("push: exit codes", () => {
  /** Two courses in one file, and what the service answers to the POST of the first and second. */
  async function codeFor(...statuses: readonly (number | "pass")[]) {
    const r = await rig();
    await r.write("a.json", json([courseWithoutId(1), courseWithoutId(2)]));
    let posts = 0;
    const { environment } = await unreliableService(r, ({ method }) => {
      const status = method === "POST" ? statuses[posts++ % statuses.length] : "pass";
      return status === undefined || status === "pass" ? "pass" : { status };
    });
    const words = ["a.json", "--concurrency", "1", "--retries", "0"];
    return (await push(r, words, { environment })).code;
  }

  test.each<[readonly (number | "pass")[], number]>([
    [["pass", "pass"], 0],
    [[400, "pass"], 1],
    [["pass", 400], 1],
    [[401, "pass"], 4],
    [[400, 401], 4],
    [[429, "pass"], 6],
    [[400, 503], 6],
    [[503, 401], 4],
  ])("two creations answered with %j give exit code %i", async (statuses, code) => {
    expect(await codeFor(...statuses)).toBe(code);
  });

  test("a missing base URL is 2 and a missing key is 4, both before any request", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const noKey = { CATALOG_API_KEY: undefined };
    expectRefused(await push(r, ["a.yaml"], { environment: noKey }), 4);
    const nothing = { ...noKey, CATALOG_BASE_URL: undefined };
    expectRefused(await push(r, ["a.yaml"], { environment: nothing }), 2);
  });

  test("connection refused is 6", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const environment = { CATALOG_BASE_URL: "http://127.0.0.1:1" };
    expect((await push(r, ["a.yaml", "--retries", "0"], { environment })).code).toBe(6);
  });

  test("a course that disappeared before its PATCH is 5", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(1, { name: "New" })));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "PATCH" ? { status: 404 } : "pass",
    );
    const ran = await push(r, ["a.json"], { environment });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("a.json");
  });

  test("a key that is rejected midway stops the rest, and the summary counts it", async () => {
    const r = await rig();
    await r.write("a.json", json([courseWithoutId(1), courseWithoutId(2), courseWithoutId(3)]));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? { status: 401 } : "pass",
    );
    const ran = await push(r, ["a.json", "--concurrency", "1"], { environment });
    expect([ran.code, writeRequests(ran).length]).toEqual([4, 1]);
    expect(lines(ran.stderr).at(-1)).toBe("Nothing was changed. 1 course failed. 2 were not sent.");
  });
});
