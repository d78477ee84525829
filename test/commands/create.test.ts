import { expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import { id, lines, numberedCourse, ownLines, requestsOf, storedCourses } from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** A course file in YAML, with one field per line. */
function yaml(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

test("create reads the catalog, sends one POST, and prints only the new id on stdout", async () => {
  const r = await rig();
  await r.write("intro.yaml", yaml(course()));
  const ran = await r.run("courses create intro.yaml");
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
  const ran = await r.run("courses create c.yml a.json b.json more");
  expect(ran.code).toBe(0);
  expect(lines(ran.stdout)).toEqual([4, 5, 1, 2, 3, 6].map(id));
});

test("create prints the ids in the order of the input with parallel requests", async () => {
  const r = await rig();
  await r.write("all.json", json(Array.from({ length: 40 }, (_, index) => numberedCourse(index))));
  const ran = await r.run("courses create all.json --concurrency 16");
  expect(lines(ran.stdout)).toEqual(Array.from({ length: 40 }, (_, index) => id(index)));
});

test("create exits with 3 and lists the candidates if the provider is unknown", async () => {
  const r = await rig();
  const { provider_id: _, ...rest } = course();
  await r.write("a.yaml", yaml({ ...rest, provider: "example-acadmy" }));
  const ran = await r.run("courses create a.yaml");
  expect([ran.code, ran.stdout, requestsOf(ran, "POST")]).toEqual([3, "", []]);
  expect(ran.stderr).toContain("a.yaml:7:11");
  expect(ran.stderr).toContain("example-academy");
});

test("create exits with 3 and gives the position of a url on the website of no provider of the user", async () => {
  const r = await rig();
  await r.write("a.yaml", yaml(course({ url: "https://elsewhere.example/x" })));
  const ran = await r.run("courses create a.yaml");
  expect([ran.code, requestsOf(ran, "POST")]).toEqual([3, []]);
  expect(ran.stderr).toContain("a.yaml:2:6");
});
