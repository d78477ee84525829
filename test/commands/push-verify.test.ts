/** `push --verify` reads courses back; `push --report` writes reports. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findElements, readJunit } from "../output/report-schemas.ts";
import { type Rig, rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonErrors,
  numberedCourse,
  requestsOf,
  rigWith,
  unreliableService,
} from "./helpers.ts";
import { courseWithoutId, json, push, reads, SEWING, SEWING_ID } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

/** A service that accepts this field and does not store it. */
async function forgetting(r: Rig, field: string) {
  return await startRecordingProxy(r, {
    request: ({ body }) => {
      if (typeof body !== "object" || body === null) return body;
      return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
    },
  });
}

describe("--verify", () => {
  const LEVEL = `${SEWING}level: [beginner]\n`;

  test("push --verify exits with 1 and gives the position of a field that the service did not store", async () => {
    const r = await rig();
    await r.write("a.yaml", LEVEL);
    const { environment } = await forgetting(r, "level");
    expect((await push(r, ["a.yaml"], { environment })).code).toBe(0);
    // The next push tries again, because the field still differs.
    const ran = await push(r, ["a.yaml", "--verify"], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^a\.yaml:9:8: error: .*\blevel\b.*\[service\]$/m);
    expect(ran.stderr).toMatch(/Verified 1 course: 1 differs from what was sent/);
  });

  test("push --verify also checks new courses", async () => {
    const r = await rig();
    await r.write(
      "a.json",
      json([courseWithoutId(1, { image_url: "https://i.example/1" }), courseWithoutId(2)]),
    );
    const { environment } = await forgetting(r, "image_url");
    const ran = await push(r, ["a.json", "--verify", "--json"], { environment });
    expect(ran.code).toBe(1);
    expect(jsonErrors(ran)).toMatchObject([
      { kind: "refused", rule: "service", file: "a.json", line: 1 },
    ]);
    expect(jsonErrors(ran)[0]?.message).toContain("image_url");
  });

  test("push --verify reports the path of a nested value that differs", async () => {
    const price = { type: "single_course", price: "10", currency: "USD" };
    const r = await rig();
    await r.write(
      "a.json",
      json(courseWithoutId(1, { prices: [price, { ...price, currency: "EUR" }] })),
    );
    const { environment } = await startRecordingProxy(r, {
      request: ({ body }) => JSON.parse(json(body ?? null).replace('"EUR"', '"GBP"')) ?? undefined,
    });
    const ran = await push(r, ["a.json", "--verify"], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/prices\[1\]\.currency/);
  });

  test("push --verify reads only changed courses, each once, and reports that they match", async () => {
    const r = await rigWith(
      numberedCourse(1),
      numberedCourse(2, { image_url: "https://i.example/1" }),
    );
    const file = [
      numberedCourse(1),
      numberedCourse(2, { image_url: null, audio: ["de", "en"] }),
      numberedCourse(3),
    ];
    await r.write("a.json", json(file));
    const ran = await push(r, ["a.json", "--verify"]);
    expect(ran.code).toBe(0);
    const reading = requestsOf(ran, "GET").filter((line) => !reads(2).includes(line));
    // The new course is also looked up before the plan, because its file names an id.
    expect(reading.sort()).toEqual(
      [2, 3, 3].map((key) => `GET /developer/v1/courses?id=${id(key)}`),
    );
    expect(ran.stderr).toContain("Verified 2 courses: all match what was sent.");
  });

  test("push --verify reports a course that is missing", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const { environment } = await startRecordingProxy(r, {
      rows: (all, { url }) => (url.includes("?id=") ? [] : all),
    });
    const ran = await push(r, ["a.yaml", "--verify"], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(new RegExp(`^a\\.yaml:2:1: error: .*${SEWING_ID}`, "m"));
  });

  test("push --verify reports a deleted course that still exists", async () => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? { status: 204 } : "pass",
    );
    const words = ["a.json", "--prune", "--yes", "--verify"];
    const ran = await push(r, words, { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`the deletion of course ${id(2)} but still returns it`);
  });

  test("push --verify exits with 6 and names the file if it cannot read a course", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("?id=") ? { status: 503 } : "pass",
    );
    const ran = await push(r, ["a.yaml", "--verify"], { environment });
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain("a.yaml");
  });

  test("push --verify reads nothing if the push changed nothing", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(1)));
    expect((await push(r, ["a.json", "--verify"])).requests).toEqual(reads(1));
  });
});

describe("--report", () => {
  const HINT = "audio is not to our taste";
  const refused = async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("courses/a.yaml", SEWING);
    await r.write("courses/b.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? { status: 400, body: json({ hint: HINT }) } : "pass",
    );
    return { r, environment };
  };
  const read = async (r: Rig, name: string) => await readFile(join(r.folder, name), "utf8");

  test("push --report markdown contains what the push did or would do", async () => {
    const r = await rig();
    await r.write("courses/a.json", json(numberedCourse(1)));
    const words = ["courses", "--report", "markdown=r.md"];
    await push(r, [...words, "--dry-run"]);
    expect(await read(r, "r.md")).toContain("\n\n1 course to create. Nothing was sent.\n\n");
    await push(r, words);
    expect(await read(r, "r.md")).toContain("\n\nCreated 1 course.\n\n");
    await push(r, words);
    expect(await read(r, "r.md")).toContain("\n\nAlready up to date: 1 course.\n\n");
  });

  test("push --report json contains a rejected course at its line, with the rule service", async () => {
    const { r, environment } = await refused();
    const ran = await push(r, ["courses", "--report", "json=out/r.json"], { environment });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    const report = JSON.parse(await read(r, "out/r.json"));
    expect(report).toMatchObject({ files: 2, courses: 2, errors: 1, warnings: 0 });
    expect(report.diagnostics).toMatchObject([
      {
        file: "courses/a.yaml",
        line: 6,
        column: 8,
        endLine: 6,
        endColumn: 12,
        severity: "error",
        rule: "service",
        message: expect.stringContaining(HINT),
      },
    ]);
  });

  test("push --report junit contains a rejected course as a failure and the other course as a success", async () => {
    const { r, environment } = await refused();
    await push(r, ["courses", "--report", "junit=r.xml"], { environment });
    const text = await read(r, "r.xml");
    expect(findElements(readJunit(text), "failure")).toHaveLength(1);
    expect(text).toContain(HINT);
    expect(text).toContain(">courses/a.yaml:6:8: error: ");
    expect(text).toContain('<testcase name="Course 1" classname="catalog courses push" time="0"/>');
  });

  test("push --report json contains no problem after a successful push or dry run", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    for (const flags of [["--dry-run"], []]) {
      expect((await push(r, ["a.yaml", ...flags, "--report", "json=r.json"])).code).toBe(0);
      expect(JSON.parse(await read(r, "r.json"))).toMatchObject({
        command: "catalog courses push",
        files: 1,
        courses: 1,
        errors: 0,
        warnings: 0,
        diagnostics: [],
        results: [{ name: "Sewing", file: "a.yaml", line: 2, action: "create" }],
      });
    }
  });

  test.each([
    ["a file with an error", SEWING.replace("self_paced", "slow"), "choice", 8],
    ["a url of no provider's website", SEWING.replace("academy.", "elsewhere."), "url-host", 3],
  ])("push writes its report if it refuses %s", async (_, text, rule, line) => {
    const r = await rig();
    await r.write("a.yaml", text);
    expect((await push(r, ["a.yaml", "--report", "json=r.json"])).code).toBe(3);
    const { errors: count, diagnostics } = JSON.parse(await read(r, "r.json"));
    expect([count, diagnostics]).toMatchObject([1, [{ rule, line, file: "a.yaml" }]]);
  });

  test("push --report json contains files that describe the same course, and what --verify finds", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write(
      "a.json",
      json([numberedCourse(1, { url: "https://academy.example/m" }), courseWithoutId(1)]),
    );
    expect((await push(r, ["a.json", "--report", "json=r.json"])).code).toBe(3);
    expect(JSON.parse(await read(r, "r.json")).diagnostics).toMatchObject([
      { rule: "same-course" },
    ]);
    await r.write("a.json", json(courseWithoutId(2, { image_url: "https://i.example/1" })));
    const { environment } = await forgetting(r, "image_url");
    const words = ["a.json", "--verify", "--report", "json=r.json"];
    expect((await push(r, words, { environment })).code).toBe(1);
    expect(JSON.parse(await read(r, "r.json")).diagnostics).toMatchObject([{ rule: "service" }]);
  });

  test("push does not read its report in the folder of the courses as a course file", async () => {
    const r = await rig();
    await r.write("courses/a.yaml", SEWING);
    const words = ["courses", "--prune", "--report", "json=courses/report.json"];
    expect([(await push(r, words)).code, (await push(r, words)).code]).toEqual([0, 0]);
    expect(JSON.parse(await read(r, "courses/report.json"))).toMatchObject({ files: 1, errors: 0 });
  });

  test.each(["yaml=r.yaml", "json", "json="])(
    "push exits with 2 before any request for --report %s",
    async (word) => {
      expectRefused(await push(await rig(), ["a.yaml", "--report", word]), 2);
    },
  );
});
