import { describe, expect, test } from "vitest";
import { course, PROVIDER_ID, rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  requestsOf,
  storedCourses,
} from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** A course file in YAML, with one field per line. */
function yaml(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

describe("input", () => {
  test("create reads the catalog, sends one POST, and prints only the new id on stdout", async () => {
    const r = await rig();
    await r.write("intro.yaml", yaml(course()));
    const ran = await r.run(["courses", "create", "intro.yaml"]);
    expect(ran).toMatchObject({
      code: 0,
      requests: [
        "GET /developer/v1/providers",
        "GET /developer/v1/courses?limit=100&offset=0",
        "POST /developer/v1/courses",
      ],
    });
    const [stored] = await storedCourses(r);
    expect(ran.stdout).toBe(`${stored?.id}\n`);
    expect(stored).toMatchObject(course());
    expect(ownLines(ran.stderr)).toEqual(["Created 1 course."]);
  });

  test("create accepts JSON files, JSON arrays, several YAML documents and folders", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("b.json", json([numberedCourse(2), numberedCourse(3)]));
    await r.write("c.yml", [numberedCourse(4), numberedCourse(5)].map(yaml).join("---\n"));
    await r.write("more/deep/d.yaml", yaml(numberedCourse(6)));
    await r.write("more/.hidden/e.yaml", yaml(numberedCourse(7)));
    await r.write("more/package.json", "{}");
    const ran = await r.run(["courses", "create", "c.yml", "a.json", "b.json", "more"]);
    expect(ran.code).toBe(0);
    expect(lines(ran.stdout)).toEqual([4, 5, 1, 2, 3, 6].map(id));
  });

  test("create prints the ids in the order of the input with parallel requests", async () => {
    const r = await rig();
    await r.write(
      "all.json",
      json(Array.from({ length: 40 }, (_, index) => numberedCourse(index))),
    );
    const ran = await r.run(["courses", "create", "all.json", "--concurrency", "16"]);
    expect(lines(ran.stdout)).toEqual(Array.from({ length: 40 }, (_, index) => id(index)));
  });

  test.each([
    ["JSON", json(course())],
    ["YAML", yaml(course())],
    ["flow YAML", `{name: A, ${yaml({ ...course(), name: undefined }).replaceAll("\n", ", ")}}`],
  ])("create - reads %s from standard input", async (_, input) => {
    const r = await rig();
    const text = input.replace("name: undefined, ", "");
    const ran = await r.run(["courses", "create", "-"], { input: text });
    expect(ran.code).toBe(0);
    expect(await storedCourses(r)).toHaveLength(1);
  });

  test("create exits with 2 without a course", async () => {
    expectRefused(await (await rig()).run(["courses", "create"]), 2);
  });

  test("create uses the id in the file", async () => {
    const r = await rig();
    await r.write("a.yaml", yaml(numberedCourse(7)));
    expect((await r.run(["courses", "create", "a.yaml"])).stdout).toBe(`${id(7)}\n`);
  });

  test("create accepts read-only fields and nulls as get prints them", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.run(["courses", "create", "a.json"]);
    const { stdout } = await r.run(["courses", "get", id(1)]);
    await r.write("b.json", stdout.replaceAll(id(1), id(2)).replace("/1", "/2"));
    const ran = await r.run(["courses", "create", "b.json"]);
    expect([ran.code, ran.stdout]).toEqual([0, `${id(2)}\n`]);
  });

  test("create finds the provider by slug, domain or name", async () => {
    for (const provider of ["example-academy", "academy.example", "Example Academy"]) {
      const r = await rig();
      const { provider_id: _, ...rest } = course();
      await r.write("a.yaml", yaml({ ...rest, provider }));
      expect((await r.run(["courses", "create", "a.yaml"])).code).toBe(0);
      expect(await storedCourses(r)).toMatchObject([{ provider_id: PROVIDER_ID }]);
    }
  });

  test("create exits with 3 and lists the candidates if the provider is unknown", async () => {
    const r = await rig();
    const { provider_id: _, ...rest } = course();
    await r.write("a.yaml", yaml({ ...rest, provider: "example-acadmy" }));
    const ran = await r.run(["courses", "create", "a.yaml"]);
    expect([ran.code, ran.stdout, requestsOf(ran, "POST")]).toEqual([3, "", []]);
    expect(ran.stderr).toContain("a.yaml:7:11");
    expect(ran.stderr).toContain("example-academy");
  });

  test("create exits with 3 and gives the position of a url on the website of no provider of the user", async () => {
    const r = await rig();
    await r.write("a.yaml", yaml(course({ url: "https://elsewhere.example/x" })));
    const ran = await r.run(["courses", "create", "a.yaml"]);
    expect([ran.code, requestsOf(ran, "POST")]).toEqual([3, []]);
    expect(ran.stderr).toContain("a.yaml:2:6");
  });
});

describe("results", () => {
  test("create --json prints one result per course and no plain ids", async () => {
    const r = await rig();
    await r.write("all.json", json([numberedCourse(1), numberedCourse(2)]));
    const ran = await r.run(["courses", "create", "all.json", "--json"]);
    expect(jsonRows(ran)).toMatchObject(
      [1, 2].map((n) => ({ id: id(n), file: "all.json", action: "create", status: "done" })),
    );
  });

  test("create --dry-run names the courses that it would create, and prints ids only as results", async () => {
    const r = await rig();
    await r.write("all.json", json([numberedCourse(1), course()]));
    const ran = await r.run(["courses", "create", "all.json", "--dry-run"]);
    expect([ran.code, ran.stdout, requestsOf(ran, "POST")]).toEqual([0, "", []]);
    expect(ran.stderr).toMatch(
      /^\+ Course 1 \(all\.json\)\n\+ .* \(all\.json\)\n2 courses to create\.\nTarget: /,
    );
    const planned = await r.run(["courses", "create", "all.json", "--dry-run", "--json"]);
    expect(jsonRows(planned)).toMatchObject([
      { id: id(1), action: "create", status: "planned" },
      { action: "create", status: "planned" },
    ]);
    expect(await storedCourses(r)).toEqual([]);
  });
});
