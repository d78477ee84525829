/** The reports of `push` about courses that the service rejected, and its exit codes. */
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

describe("rejected courses", () => {
  test("push reports a rejected course with the file, the line of the field, the hint and the rule", async () => {
    const { r, environment } = await refusing("audio is not to our taste");
    const ran = await push(r, ["courses"], { environment });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:6:8: error: \S.*\[service\]$/m);
    expect(ran.stderr).toMatch(/^ +hint: audio is not to our taste$/m);
    expect(lines(ran.stderr).at(-1)).toBe("Nothing was changed. 1 course failed.");
  });

  test("push reports a rejected course at a field that the details name, and prints the details", async () => {
    const { r, environment } = await refusing("no", "see long_description, please");
    const ran = await push(r, ["courses"], { environment });
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:5:19: error: /m);
    expect(ran.stderr).toMatch(/^ +details: see long_description, please$/m);
  });

  test("push reports a rejected course at its first line if the response names no field", async () => {
    const { r, environment } = await refusing("we do not want this");
    const ran = await push(r, ["courses"], { environment });
    expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:2:1: error: .*\[service\]$/m);
    expect(ran.stderr).toContain("hint: we do not want this");
  });

  test("push --json reports a rejected course as one JSON object with all facts", async () => {
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

  test("push prints no control characters of the hint on a terminal", async () => {
    const { r, environment } = await refusing("name \u001b[2J\u202eis bad");
    const options = { terminal: true, environment: { ...environment, NO_COLOR: "1" } };
    const ran = await push(r, ["courses"], options);
    expect(ran.stderr).not.toContain("\u001b[2J");
    expect(ran.stderr).toContain("name \\x1b[2J\\u202eis bad");
  });

  test("push shows the line of the file for a rejected course on a terminal", async () => {
    const { r, environment } = await refusing("audio is not to our taste");
    const options = { terminal: true, environment: { ...environment, NO_COLOR: "1" } };
    const ran = await push(r, ["courses"], options);
    expect(ran.stderr).toMatch(/audio: \[en\]\n.*\^/);
  });

  test("push sends the other courses, and reports each rejected course with its file", async () => {
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

  test("push --quiet prints only the rejected course", async () => {
    const { r, environment } = await refusing("audio is unusual");
    const ran = await push(r, ["courses", "--quiet"], { environment });
    expect(lines(ran.stderr)).toEqual([
      expect.stringMatching(/^courses\/sewing\.yaml:6:8: error: /),
      "  hint: audio is unusual",
    ]);
  });

  test("push --prune reports a rejected deletion with the id and the message of the service", async () => {
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

describe("GitHub workflows", () => {
  const GITHUB = { GITHUB_ACTIONS: "true" };

  test("push prints an annotation of the line on stderr besides the message of a rejected course", async () => {
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

  test("push prints an annotation for an error in a file that it refuses", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING.replace("self_paced", "slowly"));
    const ran = await push(r, ["a.yaml"], { environment: GITHUB });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/^::error file=a\.yaml,line=8,col=7,.*title=choice::/m);
  });

  test("push prints no annotation after success, and only JSON on stderr with --json", async () => {
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

describe("exit codes", () => {
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
  ])("push of two courses that get the responses %j exits with %i", async (statuses, code) => {
    expect(await codeFor(...statuses)).toBe(code);
  });

  test("push exits with 2 for a missing base URL and with 4 for a missing key, before any request", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const noKey = { CATALOG_API_KEY: undefined };
    expectRefused(await push(r, ["a.yaml"], { environment: noKey }), 4);
    const nothing = { ...noKey, CATALOG_BASE_URL: undefined };
    expectRefused(await push(r, ["a.yaml"], { environment: nothing }), 2);
  });

  test("push exits with 6 if the connection is refused", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const environment = { CATALOG_BASE_URL: "http://127.0.0.1:1" };
    expect((await push(r, ["a.yaml", "--retries", "0"], { environment })).code).toBe(6);
  });

  test("push exits with 5 if a course disappears before its PATCH", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(1, { name: "New" })));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "PATCH" ? { status: 404 } : "pass",
    );
    const ran = await push(r, ["a.json"], { environment });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("a.json");
  });

  test("push stops after the service rejects the key, and its summary counts the other courses", async () => {
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
