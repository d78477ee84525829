import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import { BAD_COURSE, json, parseReport, rigWithMixedFiles } from "./check-files.ts";
import { expectRefused, jsonErrors, lines, numberedCourse, unreliableService } from "./helpers.ts";

/** An object as YAML, one key per line. */
function spread(mapping: Readonly<Record<string, unknown>>): string {
  return Object.entries(mapping)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");
}

describe("problems", () => {
  test("check prints each problem of each file as path:line:column: severity: message [rule]", async () => {
    const ran = await (await rigWithMixedFiles()).run(["courses", "check", "courses"]);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([3, "", []]);
    const found = lines(ran.stdout);
    expect(found.slice(0, 4).map((line) => /^\S+ \w+: /.exec(line)?.[0])).toEqual([
      "courses/b-bad.yaml:5:13: error: ",
      "courses/b-bad.yaml:7:7: error: ",
      "courses/b-bad.yaml:8:1: error: ",
      expect.stringMatching(/^courses\/c-warned\.json:1:\d+: warning: $/),
    ]);
    for (const line of found.slice(0, 4)) expect(line).toMatch(/ \[[a-z-]+\]$/);
    expect(found[1]).toContain('Did you mean "self_paced"?');
    expect(found[4]).toBe("3 errors and 1 warning in 2 of 3 files");
    expect(found).toHaveLength(5);
  });

  test("check gives each course of a list on one line of NDJSON its own position", async () => {
    const r = await rig();
    await r.write(
      "a.ndjson",
      '{"pace":1,"key":"1"}\n[{"pace":2,"key":"2"},{"pace":3,"key":"3"}]\n',
    );
    const { stdout } = await r.run(["courses", "check", "a.ndjson"]);
    const places = lines(stdout).filter((line) => line.includes("error: pace must"));
    expect(places.map((line) => line.split(": ")[0])).toEqual([
      "a.ndjson:1:9",
      "a.ndjson:2:10",
      "a.ndjson:2:31",
    ]);
  });

  test("check also shows the source line and a caret on a terminal", async () => {
    const ran = await (await rigWithMixedFiles()).run(
      ["courses", "check", "courses", "--no-color"],
      {
        terminal: true,
      },
    );
    expect(ran.stdout).toContain("  7 | pace: self-paced\n    |       ^^^^^^^^^^\n");
  });

  test("check keeps the zeros of a number when it suggests quotes", async () => {
    const r = await rig();
    const { prices: _, ...rest } = numberedCourse(1);
    await r.write("a.yaml", `prices: [{ type: single_course, price: 24.50 }]\n${spread(rest)}`);
    const ran = await r.run(["courses", "check", "a.yaml", "--json"]);
    expect(parseReport(ran).problems).toMatchObject([{ rule: "type", suggestion: '"24.50"' }]);
  });

  test("check prints a count and exits with 0 if no file has a problem", async () => {
    const ran = await (await rigWithMixedFiles()).run(["courses", "check", "courses/a-good.json"]);
    expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
  });

  test("check exits with 0 for warnings only; --strict makes them errors and exits with 3", async () => {
    const r = await rigWithMixedFiles();
    const words = ["courses", "check", "courses/c-warned.json"];
    const ran = await r.run(words);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(": warning: ");
    expect(ran.stdout).toContain("approval_status");
    const strict = await r.run([...words, "--strict"]);
    expect(strict.code).toBe(3);
    expect(strict.stdout).toContain(": error: ");
    expect(strict.stdout).not.toContain("warning");
  });

  test("check reports a duplicate id or url of several files with the line of the first", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write(
      "b.json",
      json([numberedCourse(1), numberedCourse(2, { id: `${numberedCourse(1).id}` })]),
    );
    const ran = await r.run(["courses", "check", "a.json", "b.json", "--json"]);
    expect(parseReport(ran).problems.map(({ file, rule }) => [file, rule])).toEqual([
      ["b.json", "duplicate-url"],
      ["b.json", "duplicate-id"],
      ["b.json", "duplicate-id"],
    ]);
    expect(String(parseReport(ran).problems[0]?.message)).toContain("the course at a.json:1");
  });

  test("check reads standard input if the path is -", async () => {
    const ran = await (await rig()).run(["courses", "check", "-"], { input: BAD_COURSE });
    expect(ran.code).toBe(3);
    expect(ran.stdout).toMatch(/^\S*stdin\S*:5:13: error: /);
  });
});

describe("check --online", () => {
  const ONLINE = ["courses", "check", "--online"];

  test("check --online reads the providers once and checks the provider and host of each course", async () => {
    const r = await rig();
    const other = "11111111-1111-4111-8111-111111111111";
    await r.write("a.json", json(numberedCourse(1, { provider_id: other })));
    await r.write("b.json", json(numberedCourse(2, { url: "https://elsewhere.example/b" })));
    await r.write("c.json", json(numberedCourse(3, { url: "https://www.academy.example/c" })));
    const files = ["a.json", "b.json", "c.json"];
    expect((await r.run(["courses", "check", ...files])).code).toBe(0);
    const ran = await r.run([...ONLINE, ...files, "--json"]);
    expect([ran.code, ran.requests]).toEqual([3, ["GET /developer/v1/providers"]]);
    expect(parseReport(ran).problems.map(({ file, path }) => [file, path])).toEqual([
      ["a.json", ["provider_id"]],
      ["b.json", ["url"]],
    ]);
  });

  test("check --online suggests a provider if the name is unknown", async () => {
    const r = await rig();
    const { provider_id: _, ...rest } = numberedCourse(1);
    await r.write("a.json", json({ ...rest, provider: "exemple-academy" }));
    const ran = await r.run([...ONLINE, "a.json", "--json"]);
    expect(parseReport(ran).problems).toMatchObject([
      { rule: "provider-unknown", suggestion: "example-academy" },
    ]);
  });

  test("check --online exits with 4 without a key or with an invalid key", async () => {
    const r = await rigWithMixedFiles();
    const none = { environment: { CATALOG_API_KEY: undefined } };
    expect((await r.run([...ONLINE, "courses/a-good.json"], none)).code).toBe(4);
    const wrong = { environment: { CATALOG_API_KEY: "a.b" } };
    expect((await r.run([...ONLINE, "courses/a-good.json"], wrong)).code).toBe(4);
  });

  test("check --online exits with 6 if the service is unreachable, and still reports local problems", async () => {
    const r = await rigWithMixedFiles();
    const { environment } = await unreliableService(r, () => ({ status: 503 }));
    const ran = await r.run([...ONLINE, "courses"], { environment });
    expect(ran.code).toBe(6);
    expect(`${ran.stdout}${ran.stderr}`).toContain("b-bad.yaml:7:7");
  });
});

describe("unreadable files", () => {
  test("check exits with 3 for an unreadable file and still checks the other files", async () => {
    const r = await rigWithMixedFiles();
    const ran = await r.run(["courses", "check", "absent.yaml", "courses/b-bad.yaml"]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("b-bad.yaml:7:7");
    expect(ran.stderr).toContain("absent.yaml");
  });

  test("check --json reports an unreadable file as an error on stderr and as a diagnostic", async () => {
    const ran = await (await rigWithMixedFiles()).run([
      "courses",
      "check",
      "absent.yaml",
      "courses",
      "--json",
    ]);
    expect(jsonErrors(ran)).toMatchObject([{ kind: "file", file: "absent.yaml" }]);
    expect(parseReport(ran)).toMatchObject({ files: 4, courses: 3 });
    expect(parseReport(ran).problems[0]).toMatchObject({
      ...{ file: "absent.yaml", line: 1, column: 1, rule: "unreadable" },
    });
  });

  test.skipIf(process.getuid?.() === 0)("check exits with 3 without read permission", async () => {
    const r = await rigWithMixedFiles();
    await chmod(join(r.folder, "courses/a-good.json"), 0);
    const ran = await r.run(["courses", "check", "courses/a-good.json"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toContain("permission denied");
  });

  test("check exits with 2 and names the path of an empty file or a folder without course files", async () => {
    const r = await rigWithMixedFiles();
    await r.write("empty.yaml", "# nothing\n");
    await r.write("empty.csv", "\ufeff\r\n");
    await r.write("folder/readme.md", "x");
    for (const path of ["empty.yaml", "empty.csv", "folder"]) {
      const ran = await r.run(["courses", "check", path]);
      expectRefused(ran, 2);
      expect(ran.stderr).toContain(path);
    }
  });

  test("check exits with 2 without a path", async () => {
    expectRefused(await (await rig()).run(["courses", "check"]), 2);
  });
});

describe("syntax errors", () => {
  test.each([
    ["a.yaml", "name: Knit: purl", "1:7", 'put quotes around a value that contains ": "'],
    ["a.yaml", "name: @ada", "1:7", "put a value that starts with this character in quotes"],
    ["a.yaml", "name: 'Knit\nurl: x", "1:7", "this quote is never closed"],
    ["a.yaml", "audio: [en\nurl: x", "1:8", "this [ is never closed"],
    ["a.yaml", "name: A\nurl:x\n", "2:1", "a colon with a space after it"],
    ["a.yaml", "prices:\n\t- type: x\n", "2:1", "tabs are not allowed for indentation; use spaces"],
    ["a.yaml", "video:\n    type: a\n  id: b\n", "3:3", "wrong indentation: align this line"],
    ["a.yaml", "name: A\nurl b\npace: c\n", "2:1", "this line has no colon"],
    [
      "a.yaml",
      "name: **Knit**\n",
      "1:7",
      "there is no anchor with this name; put a value that starts with *",
    ],
    ["a.json", '{"name": "A', "1:10", "this quote is never closed"],
    ["a.json", '{"audio": ["en"', "1:11", "this [ is never closed"],
    ["a.json", '{"name": "A",}', "1:14", "expected a name in double quotes; remove the comma"],
    ["a.json", "{“name”: 1}", "1:2", "unexpected text; names and strings need straight"],
    ["a.json", "{'name': 1}", "1:2", "unexpected text; names and strings need"],
  ])("check explains the syntax error in %s: %j", async (file, text, place, says) => {
    const r = await rig();
    await r.write(file, text);
    const [found] = lines((await r.run(["courses", "check", file])).stdout);
    const language = file.endsWith("json") ? "JSON" : "YAML";
    expect(found).toContain(`${file}:${place}: error: not valid ${language}: ${says}`);
  });
});

describe("unusual files", () => {
  test("check reports hundreds of duplicate courses in one file, each with the line of the first", async () => {
    const r = await rig();
    const courses = Array.from({ length: 300 }, (_, index) => numberedCourse(index));
    await r.write("a.json", json([...courses, ...courses]));
    const ran = await r.run(["courses", "check", "a.json", "--json"]);
    expect(parseReport(ran)).toMatchObject({ courses: 600, errors: 600 });
    expect(parseReport(ran).problems[0]?.message).toMatch(
      /^same (id|url) as the course at a\.json:1$/,
    );
  });

  test("check reports a key that appears three times twice, with the position of the first", async () => {
    const r = await rig();
    await r.write("a.yaml", "name: a\nname: b\nname: c\n");
    const ran = await r.run(["courses", "check", "a.yaml"]);
    const twice = lines(ran.stdout).filter((line) => line.endsWith("[duplicate-key]"));
    expect(twice.map((line) => line.split(" [")[0])).toEqual([
      'a.yaml:2:1: error: duplicate key "name" (first used at 1:1)',
      'a.yaml:3:1: error: duplicate key "name" (first used at 1:1)',
    ]);
  });

  test("check does not read its own earlier report as a course file", async () => {
    const r = await rigWithMixedFiles();
    const words = ["courses", "check", ".", "--report", "sarif=report.json"];
    const first = await r.run(words);
    expect((await r.run(words)).stdout).toBe(first.stdout);
  });
});

describe("suggestions", () => {
  const suggestionFor = async (
    change: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1, change)));
    const found = lines((await r.run(["courses", "check", "a.json"])).stdout);
    return /Did you mean (.*)\? \[/.exec(found[0] ?? "")?.[1];
  };

  test.each<[Readonly<Record<string, unknown>>, string | undefined]>([
    [{ published: "true" }, "true"],
    [{ number_of_lessons: "6" }, "6"],
    [{ name: 42 }, '"42"'],
    [{ prices: [{ type: "single_course", price: -5 }] }, undefined],
    [{ audio: [false] }, undefined],
    [{ id: 12345 }, undefined],
    [{ image: "https://academy.example/a.jpg" }, '"image_url"'],
    [{ hours: 3 }, '"duration_in_hours"'],
    [{ prices: [{ type: "single" }] }, '"single_course"'],
    [{ lveel: ["beginner"] }, '"level"'],
    [{ note: "x" }, undefined],
    [{ date: "2026-11-21" }, undefined],
    [{ video: { type: "youtube", id: "a", ulr: "x" } }, '"url"'],
  ])("check reads %j and suggests %s", async (change, suggestion) => {
    expect(await suggestionFor(change)).toBe(suggestion);
  });

  test("check does not suggest a key that the object already has", async () => {
    const r = await rig();
    await r.write("a.yaml", "name: A\ncertificate: { type: paid, curency: EUR, currency: EUR }\n");
    const found = (await r.run(["courses", "check", "a.yaml"])).stdout;
    expect(found).toContain('unknown field "certificate.curency" [unknown-key]');
  });
});
