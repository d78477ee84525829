/** `push --report` writes reports. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findElements, readJunit } from "../output/report-schemas.ts";
import { type Rig, rig } from "../rig.ts";
import { expectRefused, numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { courseWithoutId, json, push, SEWING } from "./push-files.ts";

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
    expect(await read(r, "r.md")).toContain("\n\n1 course to create.\n");
    await push(r, words);
    expect(await read(r, "r.md")).toContain("\n\nCreated 1 course.\n\n");
    await push(r, words);
    expect(await read(r, "r.md")).toContain("\n\nAlready up to date: 1 course.\n");
  });

  test("push --report sarif contains a rejected course at its line, with the rule service", async () => {
    const { r, environment } = await refused();
    const ran = await push(r, ["courses", "--report", "sarif=out/r.json"], { environment });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    const [log] = JSON.parse(await read(r, "out/r.json")).runs;
    expect(log.properties.counts).toMatchObject({ errors: 1, unchanged: 1, failed: 1 });
    expect(log.results).toMatchObject([
      {
        ruleId: "service",
        level: "error",
        message: { text: expect.stringContaining(HINT) },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "courses/a.yaml" },
              region: { startLine: 6, startColumn: 8, endLine: 6, endColumn: 12 },
            },
          },
        ],
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
    expect(text).toContain("create: name");
  });

  test("push --report codequality contains no problem after a successful push or dry run", async () => {
    const r = await rig();
    await r.write("a.yaml", SEWING);
    for (const flags of [["--dry-run"], []]) {
      expect((await push(r, ["a.yaml", ...flags, "--report", "codequality=r.json"])).code).toBe(0);
      expect(JSON.parse(await read(r, "r.json"))).toEqual([]);
    }
  });

  test.each([
    ["a file with an error", SEWING.replace("self_paced", "slow"), "choice", 8],
    ["a url of no provider's website", SEWING.replace("academy.", "elsewhere."), "url-host", 3],
  ])("push writes its report if it refuses %s", async (_, text, rule, line) => {
    const r = await rig();
    await r.write("a.yaml", text);
    expect((await push(r, ["a.yaml", "--report", "codequality=r.json"])).code).toBe(3);
    expect(JSON.parse(await read(r, "r.json"))).toMatchObject([
      { check_name: rule, location: { path: "a.yaml", lines: { begin: line } } },
    ]);
  });

  test("push --report codequality contains files that describe the same course", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write(
      "a.json",
      json([numberedCourse(1, { url: "https://academy.example/m" }), courseWithoutId(1)]),
    );
    expect((await push(r, ["a.json", "--report", "codequality=r.json"])).code).toBe(3);
    expect(JSON.parse(await read(r, "r.json"))).toMatchObject([{ check_name: "same-course" }]);
  });

  test("push does not read its report in the folder of the courses as a course file", async () => {
    const r = await rig();
    await r.write("courses/a.yaml", SEWING);
    const words = ["courses", "--prune", "--report", "codequality=courses/report.json"];
    expect([(await push(r, words)).code, (await push(r, words)).code]).toEqual([0, 0]);
    expect(JSON.parse(await read(r, "courses/report.json"))).toEqual([]);
  });

  test.each(["yaml=r.yaml", "json=r.json", "junit", "junit="])(
    "push exits with 2 before any request for --report %s",
    async (word) => {
      expectRefused(await push(await rig(), ["a.yaml", "--report", word]), 2);
    },
  );
});
