/** `update` with files: it finds every course by its id or key. */
import { describe, expect, test } from "vitest";
import { derivedId } from "../../src/course/request-body.ts";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { PROVIDER_ID, rig, testClock } from "../rig.ts";
import {
  expectRefused,
  id,
  numberedCourse,
  requestsOf,
  rigWith,
  rigWithCourse,
  storedCourses,
} from "./helpers.ts";

describe("files", () => {
  test("update changes only the given fields of every course in its files, found by id or key", async () => {
    const keyed = derivedId({ provider_id: PROVIDER_ID, key: "SKU-3" });
    const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3, { id: keyed }));
    const before = await storedCourses(r);
    await r.write("a.csv", `id;name\r\n${id(1)};One\r\n${id(2)};Two\r\n`);
    await r.write("b.yaml", "key: SKU-3\nprices: null\nname: Three\n");
    const ran = await r.run(["courses", "update", "a.csv", "b.yaml", "--set", "level=[beginner]"]);
    expect(ran).toMatchObject({ code: 2 });
    const done = await r.run([
      "courses",
      "update",
      "a.csv",
      "b.yaml",
      "--set",
      'level=["beginner"]',
    ]);
    expect(done).toMatchObject({ code: 0, stdout: "" });
    expect(requestsOf(done, "PATCH")).toHaveLength(3);
    const names = ["One", "Two", "Three"];
    expect(await storedCourses(r)).toEqual(
      before.map((course, index) => ({ ...course, name: names[index], level: ["beginner"] })),
    );
  });

  test("update finds a key without a provider at the default provider, and reports a key of two courses", async () => {
    const providers = [
      { id: PROVIDER_ID, slug: "first", name: "First", url: "https://first.example" },
      { id: id(9), slug: "second", name: "Second", url: "https://second.example" },
    ];
    const r = await rig({ seed: parseSeed(providers, testClock()) });
    const keyed = derivedId({ provider_id: id(9), key: "SKU-3" });
    const second = { id: keyed, provider_id: id(9), url: "https://second.example/3" };
    const other = derivedId({ provider_id: PROVIDER_ID, key: "SKU-3" });
    const first = { id: other, url: "https://first.example/3" };
    const stored = [numberedCourse(3, second), numberedCourse(3, first)];
    await r.write("stored.json", JSON.stringify(stored));
    expect(await r.run(["courses", "create", "stored.json"])).toMatchObject({ code: 0 });
    await r.write("a.yaml", "key: SKU-3\nname: Three\n");
    const ambiguous = await r.run(["courses", "update", "a.yaml"]);
    expect(ambiguous).toMatchObject({ code: 3, stderr: expect.stringContaining("a.yaml:1:6") });
    await r.write("catalog.defaults.yaml", "provider: second\n");
    const found = await r.run(["courses", "update", "a.yaml"]);
    expect(found.code).toBe(0);
    expect(requestsOf(found, "PATCH")).toEqual([expect.stringContaining(keyed)]);
  });

  test("update exits with 3 before any request and names the row of a course without id, key and url", async () => {
    const r = await rigWithCourse();
    await r.write("a.csv", `id,name\n${id(1)},One\n,Two\n`);
    const ran = await r.run(["courses", "update", "a.csv"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toContain("a.csv:3:1");
    expect(ran.stderr).toContain("id, key and url are missing");
  });

  test("update reports a course that does not exist at its id or key", async () => {
    const r = await rigWith();
    const rows = `key,id,name\nSKU-9,,Nine\n,${id(9)},Ten\n`;
    await r.write("a.csv", rows);
    const ran = await r.run(["courses", "update", "a.csv"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('a.csv:2:1: error: no course has the key "SKU-9"');
    expect(ran.stderr).toContain(`a.csv:3:2: error: no course has the id "${id(9)}"`);
  });
});
