import { describe, expect, test } from "vitest";
import { courseText } from "../../src/files/write.ts";
import { rig } from "../rig.ts";
import {
  ABSENT,
  expectRefused,
  id,
  jsonErrors,
  jsonRows,
  lines,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

async function two() {
  return await rigWith(numberedCourse(1, { certificate: { type: "free" } }), numberedCourse(2));
}

describe("courses get: formats", () => {
  test("off a terminal, one id prints one complete JSON object", async () => {
    const r = await two();
    const ran = await r.run(["courses", "get", id(1)]);
    expect(JSON.parse(ran.stdout)).toEqual((await storedCourses(r))[0]);
    expect((await r.run(["courses", "get", id(1), "--json"])).stdout).toBe(ran.stdout);
    expect(ran.requests).toEqual([`GET /developer/v1/courses?id=${id(1)}`]);
  });

  test("several ids print one array in the given order", async () => {
    const ran = await (await two()).run(["courses", "get", id(2), id(1), "--json"]);
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(2), id(1)]);
  });

  test("one id from standard input prints an array, so that scripts need not count", async () => {
    const r = await two();
    const piped = await r.run(["courses", "get", "-", "--json"], { input: `${id(1)}\n` });
    const typed = await r.run(["courses", "get", id(1), "--json"]);
    expect(JSON.parse(piped.stdout)).toEqual([JSON.parse(typed.stdout)]);
  });

  test("on a terminal, each course is one readable block", async () => {
    const r = await two();
    const ran = await r.run(["courses", "get", id(1), id(2), "--no-color"], { terminal: true });
    expect(ran.stdout).toMatch(/^Course 1\nid +00000000-/);
    expect(ran.stdout).toContain("\n\nCourse 2\n");
    expect(ran.stdout).toMatch(/pace +self_paced/);
    expect(ran.stdout).not.toContain("null");
  });

  test("yaml, csv, ndjson and id print the requested courses", async () => {
    const r = await two();
    const [first] = await storedCourses(r);
    const get = async (format: string) =>
      (await r.run(["courses", "get", id(1), "-o", format])).stdout;
    expect(await get("yaml")).toBe(courseText(first ?? {}, "yaml"));
    expect(JSON.parse(await get("ndjson"))).toEqual(first);
    expect(await get("id")).toBe(`${id(1)}\n`);
    expect(await get("csv")).toMatch(/^id,name,url,.*\r\n00000000-.*\r\n$/);
  });

  test("--fields selects fields and paths", async () => {
    const ran = await (await two()).run(["courses", "get", id(1), "--fields", "certificate.type"]);
    expect(JSON.parse(ran.stdout)).toEqual({ "certificate.type": "free" });
  });

  test("unknown fields of the service are printed", async () => {
    const r = await two();
    const body = JSON.stringify([{ id: id(1), name: "A", brand_new: { deep: [1] } }]);
    const { environment } = await unreliableService(r, () => ({ status: 200, body }));
    const ran = await r.run(["courses", "get", id(1)], { environment });
    expect(JSON.parse(ran.stdout)).toEqual({ id: id(1), name: "A", brand_new: { deep: [1] } });
  });
});

describe("courses get: ids", () => {
  test("are read from standard input for -, one per line", async () => {
    const ran = await (await two()).run(["courses", "get", "-", "--json"], {
      input: `${id(1)}\n\n  ${id(2)}\r\n${id(1)}\n`,
    });
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), id(2)]);
    expect(requestsOf(ran)).toHaveLength(2);
  });

  test("an empty standard input exits with 0 and a notice", async () => {
    const ran = await (await two()).run(["courses", "get", "-"], { input: "\n" });
    expect([ran.code, ran.stdout, ran.requests]).toEqual([0, "[]\n", []]);
    expect(ran.stderr).toBe("No ids on standard input, so there is nothing to do.\n");
  });

  test("an empty standard input with --json prints an empty array", async () => {
    const ran = await (await two()).run(["courses", "get", "-", "--json"], { input: "" });
    expect([ran.code, ran.stdout]).toEqual([0, "[]\n"]);
  });

  test("ids from standard input keep their place among the others", async () => {
    const ran = await (await two()).run(["courses", "get", id(2), "-", "--json"], {
      input: id(1),
    });
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(2), id(1)]);
  });

  test.each(["", " "])("an empty one is a usage error before any request: %j", async (word) => {
    expectRefused(await (await two()).run(["courses", "get", id(1), word]), 2);
  });

  test("a missing id is a usage error", async () => {
    expectRefused(await (await rig()).run(["courses", "get"]), 2);
  });
});

describe("courses get: a missing course", () => {
  test("exits with 5, a message with its id and nothing on stdout", async () => {
    const ran = await (await two()).run(["courses", "get", ABSENT]);
    expect([ran.code, ran.stdout]).toEqual([5, ""]);
    expect(ran.stderr).toContain(ABSENT);
  });

  test("among others is reported, and the others are printed", async () => {
    const ran = await (await two()).run(["courses", "get", id(1), ABSENT, id(2), "--json"]);
    expect(ran.code).toBe(5);
    expect(jsonRows(ran).map((row) => row.id)).toEqual([id(1), id(2)]);
    expect(jsonErrors(ran)).toHaveLength(1);
    expect(jsonErrors(ran)[0]?.message).toContain(ABSENT);
  });

  test("is not what a rejected key means: it is one error for all ids", async () => {
    const environment = { CATALOG_API_KEY: "another-key-0123456789" };
    const ran = await (await two()).run(["courses", "get", id(1), id(2), "--json"], {
      environment,
    });
    expect([ran.code, jsonErrors(ran).map(({ kind }) => kind)]).toEqual([4, ["auth"]]);
  });

  test("with -o ndjson is one JSON object on one line of stderr", async () => {
    const ran = await (await two()).run(["courses", "get", ABSENT, "-o", "ndjson"]);
    expect([ran.code, ran.stdout]).toEqual([5, ""]);
    expect(jsonErrors(ran)).toMatchObject([{ kind: "missing" }]);
  });

  test("may belong to another user", async () => {
    const provider = { id: id(90), name: "B", url: "https://b.example" };
    const { parseSeed } = await import("../../src/sandbox/seed.ts");
    const { testClock } = await import("../rig.ts");
    const course = numberedCourse(5, { provider_id: id(90), url: "https://b.example/5" });
    const seed = parseSeed(
      {
        users: [
          { key: "sandbox.0123456789abcdef", providers: [] },
          { key: "other.key", providers: [provider], courses: [course] },
        ],
      },
      testClock(),
    );
    const ran = await (await rig({ seed })).run(["courses", "get", id(5)]);
    expect(ran.code).toBe(5);
  });
});

test("courses get: the printed course can be created again with the same id", async () => {
  const r = await two();
  const { stdout } = await r.run(["courses", "get", id(1), "-o", "yaml"]);
  await r.run(["courses", "rm", "--yes", id(1)]);
  const ran = await r.run(["courses", "create", "-"], { input: stdout });
  expect([ran.code, lines(ran.stdout)]).toEqual([0, [id(1)]]);
});
