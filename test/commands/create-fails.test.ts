import { describe, expect, test } from "vitest";
import { parseSeed } from "../../src/sandbox/seed.ts";
import { rig, testClock } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonErrors,
  jsonRows,
  lines,
  numberedCourse,
  requestsOf,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);
const BAD = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
`;
const GOOD = BAD.replace("self-paced", "self_paced");
const REFUSAL = (hint: string) => ({ status: 400, body: json({ hint, details: null }) });

describe("checks before requests", () => {
  test("create sends nothing and reports every problem if one of many courses is invalid", async () => {
    const r = await rig();
    await r.write("a.json", json([numberedCourse(1), numberedCourse(2, { pace: "fast" })]));
    await r.write("b.json", json(numberedCourse(3, { audio: ["xx"], nope: 1 })));
    const ran = await r.run(["courses", "create", "a.json", "b.json"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toMatch(/a\.json:1:\d+: .*pace/);
    expect(ran.stderr).toMatch(/b\.json:1:\d+: .*audio/);
    expect(ran.stderr).toMatch(/b\.json:1:\d+: .*nope/);
  });

  test("create sends nothing if a file has a syntax error or cannot be read", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("b.yaml", "name: [");
    await r.write("c.yaml", BAD);
    const ran = await r.run(["courses", "create", "a.json", "b.yaml", "c.yaml", "absent.yaml"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toContain("b.yaml:1:");
    expect(ran.stderr).toContain("c.yaml:7:7");
    expect(ran.stderr).toContain("absent.yaml");
  });

  test.each(["id", "url"])("create refuses the same %s in two files", async (field) => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("b.json", json(numberedCourse(2, { [field]: numberedCourse(1)[field] })));
    const ran = await r.run(["courses", "create", "a.json", "b.json"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toMatch(new RegExp(`b\\.json:1:\\d+: error: same ${field} as .*a\\.json:1`));
  });
});

describe("courses that the service rejects", () => {
  test("create reports a rejected course at the field in the hint, with the rule service", async () => {
    const r = await rig();
    await r.write("a.yaml", GOOD);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? REFUSAL("audio is not spoken here") : "pass",
    );
    const ran = await r.run(["courses", "create", "a.yaml"], { environment });
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toContain("a.yaml:5:8:");
    expect(ran.stderr).toContain("[service]");
    expect(ran.stderr).toContain("audio is not spoken here");
    expect(
      jsonErrors(await r.run(["courses", "create", "a.yaml", "--json"], { environment })),
    ).toEqual([
      expect.objectContaining({
        kind: "refused",
        status: 400,
        hint: "audio is not spoken here",
        file: "a.yaml",
        line: 5,
        column: 8,
      }),
    ]);
  });

  test("create shows the source line and a caret for a rejected course on a terminal", async () => {
    const r = await rig();
    await r.write("a.yaml", GOOD);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? REFUSAL("pace is too slow") : "pass",
    );
    const words = ["courses", "create", "a.yaml", "--no-color"];
    const ran = await r.run(words, { environment, terminal: true });
    expect(ran.stderr).toMatch(/^a\.yaml:7:7: error: [^^]*\[service\]$/m);
    expect(ran.stderr).toContain("7 | pace: self_paced");
    expect(ran.stderr).toContain("^^^^^^^^^^");
  });

  test("create reports a rejected course at its first line if the hint names no field of the file", async () => {
    const r = await rig();
    await r.write("all.yaml", `${GOOD}---\n${GOOD.replaceAll("sewing", "mending")}`);
    for (const hint of ["no more today", "video is blank"]) {
      const { environment } = await unreliableService(r, ({ method }) =>
        method === "POST" ? REFUSAL(hint) : "pass",
      );
      const ran = await r.run(["courses", "create", "all.yaml", "--json"], { environment });
      expect(jsonErrors(ran)).toMatchObject([
        { file: "all.yaml", line: 1, hint },
        { file: "all.yaml", line: 9, hint },
      ]);
    }
  });

  test("create exits with 1 for a rejected course, creates the others and prints their ids", async () => {
    const r = await rig();
    await r.write("all.json", json([1, 2, 3].map((n) => numberedCourse(n))));
    let posts = 0;
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" && ++posts === 2 ? REFUSAL("url is taken") : "pass",
    );
    const words = ["courses", "create", "all.json", "--concurrency", "1"];
    const ran = await r.run(words, { environment });
    expect([ran.code, lines(ran.stdout)]).toEqual([1, [id(1), id(3)]]);
  });

  test("create --json puts the error into the result of a rejected course", async () => {
    const r = await rig();
    await r.write("all.json", json([numberedCourse(1), numberedCourse(2)]));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? REFUSAL("url is taken") : "pass",
    );
    const ran = await r.run(["courses", "create", "all.json", "--json"], { environment });
    expect(jsonRows(ran)).toMatchObject([
      { id: id(1), file: "all.json", action: "create", status: "failed" },
      { status: "failed", error: { kind: "refused", hint: "url is taken", status: 400 } },
    ]);
    expect(jsonErrors(ran)).toHaveLength(2);
  });

  test("create exits with 1 and sends nothing for a course whose id exists", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    await r.write("b.json", json(numberedCourse(1, { name: "Another" })));
    await r.run(["courses", "create", "a.json"]);
    const ran = await r.run(["courses", "create", "b.json"]);
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toMatch(/^b\.json:1:\d+: error: a course with this id exists: /);
    expect(ran.stderr).toContain(`${id(1)}; use push to update it`);
    expect(requestsOf(ran, "POST")).toEqual([]);
    expect(await storedCourses(r)).toMatchObject([{ name: "Course 1" }]);
  });

  test("create creates a course with an id in its file only once in two runs", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    expect((await r.run(["courses", "create", "a.json"])).code).toBe(0);
    expect((await r.run(["courses", "create", "a.json"])).code).toBe(1);
    expect(await storedCourses(r)).toHaveLength(1);
  });
});

describe("providers", () => {
  const provider = (number: number, host: string) => ({
    id: id(900 + number),
    name: "Twin Academy",
    slug: `twin-${number}`,
    url: `https://${host}`,
  });
  const twins = async () =>
    await rig({
      seed: parseSeed([provider(1, "one.example"), provider(2, "two.example")], testClock()),
    });

  test("create exits with 3 and lists the candidates if the provider is ambiguous", async () => {
    const r = await twins();
    const { provider_id: _, ...rest } = numberedCourse(1, { url: "https://one.example/1" });
    await r.write("a.json", json({ ...rest, provider: "Twin Academy" }));
    const ran = await r.run(["courses", "create", "a.json"]);
    expect([ran.code, ran.stdout, requestsOf(ran, "POST")]).toEqual([3, "", []]);
    for (const candidate of [id(901), id(902)]) expect(ran.stderr).toContain(candidate);
    const flag = await r.run(["courses", "create", "a.json", "--provider", "Twin Academy"]);
    expect([flag.code, requestsOf(flag, "POST")]).toEqual([2, []]);
  });

  test("create warns about a url on the website of another provider of the user", async () => {
    const r = await twins();
    const url = "https://www.two.example/1";
    await r.write("a.json", json(numberedCourse(1, { url, provider_id: id(901) })));
    const ran = await r.run(["courses", "create", "a.json"]);
    expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\n`]);
    expect(ran.stderr).toMatch(/^a\.json:1:\d+: warning: url .* \[url-other-provider\]$/m);
    const words = ["create", "a.json", "--set", `id=${id(2)}`, "--url", `${url}/2`, "--json"];
    const flags = await r.run(["courses", ...words]);
    expect(flags.stderr).toMatch(/^\{"warning":"--url is on the website of/);
    const check = await r.run(["courses", "check", "--online", "a.json"]);
    expect(check.code).toBe(0);
    expect(check.stdout).toMatch(/a\.json:1:\d+: warning: url /);
    await r.write(".catalogrc", "rules: { url-other-provider: off }\n");
    const off = await r.run(["courses", "create", "a.json", "--set", `id=${id(3)}`, "--dry-run"]);
    expect(off.stderr).not.toContain("warning");
  });
});
