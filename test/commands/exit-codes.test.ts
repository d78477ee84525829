import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  ABSENT,
  courseRequests,
  id,
  numberedCourse,
  rigWith,
  unreliableService,
} from "./helpers.ts";

const REFUSED: ServerBehavior = { status: 400, body: '{"hint":"name is unusual","details":null}' };
const NO_KEY: ServerBehavior = {
  status: 401,
  body: '{"hint":"Invalid API Key","details":"Check"}',
};

describe("exit codes", () => {
  test("unpublish exits with 1 if the service rejects the request", async () => {
    const r = await rigWith(numberedCourse(1));
    const { environment } = await unreliableService(r, () => REFUSED);
    expect((await r.run(["courses", "unpublish", id(1)], { environment })).code).toBe(1);
  });

  test.each([400, 404])(
    "ls exits with 1 and says what to check if the service rejects with %i and no reason",
    async (status) => {
      const r = await rigWith(numberedCourse(1));
      const { environment } = await unreliableService(r, () => ({ status }));
      const ran = await r.run(["courses", "ls"], { environment });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(
        "\n  Is the base URL right? A proxy, a firewall or a login page",
      );
    },
  );

  test("ls asks for the base URL, not for the key, if a firewall answers 403 with a page", async () => {
    const r = await rigWith(numberedCourse(1));
    const page = { status: 403, body: "<html>Sorry, you have been blocked</html>" };
    const { environment } = await unreliableService(r, () => page);
    const ran = await r.run(["courses", "ls"], { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("\n  Is the base URL right? A proxy, a firewall or a login page");
    expect(ran.stderr).not.toContain("API key");
  });

  test("unpublish exits with 1 and does not retry after a 500 with a hint", async () => {
    const r = await rigWith(numberedCourse(1));
    const body = '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';
    const { environment } = await unreliableService(r, () => ({ status: 500, body }));
    const ran = await r.run(["courses", "unpublish", id(1)], { environment });
    expect([ran.code, ran.requests.length]).toEqual([1, 1]);
  });

  test("get, publish, rm and update exit with 5 for a course that does not exist", async () => {
    const r = await rig();
    for (const words of [["get"], ["publish"], ["rm", "--yes"], ["update", "--name", "X"]]) {
      expect((await r.run(["courses", ...words, ABSENT])).code).toBe(5);
    }
  });

  test.each<ServerBehavior>([
    "drop before",
    { status: 429 },
    { status: 500 },
    { status: 500, body: '{"hint":null,"details":null,"code":"XX000","message":"internal error"}' },
    { status: 500, body: "<html>Internal Server Error</html>" },
    { status: 502 },
    { status: 503 },
    { status: 504 },
  ])("ls exits with 6 if the service still fails after all retries: %j", async (fate) => {
    const r = await rig();
    const { environment, server } = await unreliableService(r, () => fate);
    const ran = await r.run(["courses", "ls", "--retries", "2"], { environment });
    expect([ran.code, ran.stdout, server.requests.length]).toEqual([6, "", 3]);
  });
});

describe("several failures", () => {
  /** The exit code of a run with one course per server behavior. */
  async function codeOf(...fates: readonly ServerBehavior[]): Promise<number> {
    const r = await rigWith(...fates.map((_, index) => numberedCourse(index)));
    const { environment } = await unreliableService(r, ({ method, url }) => {
      if (method === "GET") return "pass";
      const index = fates.findIndex((_, number) => url.includes(id(number)));
      return fates[index] ?? "pass";
    });
    const ids = fates.map((_, index) => id(index));
    // The courses are published: a lookup after a lost response shows that nothing has changed.
    const words = ["courses", "unpublish", ...ids, "--concurrency", "1", "--retries", "0"];
    return (await r.run(words, { environment })).code;
  }

  test.each<[string, number, ServerBehavior[]]>([
    ["refused and done", 1, [REFUSED, "pass"]],
    ["missing and refused", 5, [{ status: 404 }, REFUSED]],
    ["refused and missing", 5, [REFUSED, { status: 404 }]],
    ["missing and unreachable", 6, [{ status: 404 }, { status: 503 }]],
    ["unreachable, missing and refused", 6, ["drop before", { status: 404 }, REFUSED]],
    ["unreachable and rejected with the key", 4, [{ status: 503 }, NO_KEY]],
    [
      "refused, missing, unreachable and rejected with the key",
      4,
      [REFUSED, { status: 404 }, { status: 502 }, NO_KEY],
    ],
  ])("unpublish of courses whose requests are %s exits with %i", async (_, code, fates) => {
    expect(await codeOf(...fates)).toBe(code);
  });

  test("diff --exit-code exits with 7 only if nothing failed", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", JSON.stringify(numberedCourse(1, { name: "New" })));
    await r.write("bad.json", JSON.stringify(numberedCourse(2, { pace: "slow" })));
    const diff = ["courses", "diff", "--exit-code", "a.json"];
    expect((await r.run(diff)).code).toBe(7);
    expect((await r.run([...diff, "bad.json"])).code).toBe(3);
  });

  test("check --online exits with 6 for an invalid file and an unreachable service", async () => {
    const r = await rig();
    await r.write("a.json", "{}");
    const { environment } = await unreliableService(r, () => ({ status: 503 }));
    const ran = await r.run(["courses", "check", "--online", "a.json"], { environment });
    expect(ran.code).toBe(6);
  });

  test("unpublish stops after a rejected key and shows the other courses as skipped", async () => {
    const r = await rigWith(...[0, 1, 2, 3].map((number) => numberedCourse(number)));
    const { environment } = await unreliableService(r, ({ method, url }) =>
      method === "PATCH" && url.includes(id(1)) ? NO_KEY : "pass",
    );
    const words = [
      "courses",
      "unpublish",
      id(0),
      id(1),
      id(2),
      id(3),
      "--concurrency",
      "1",
      "--json",
    ];
    const ran = await r.run(words, { environment });
    expect([ran.code, courseRequests(ran).length]).toEqual([4, 6]);
    const results = JSON.parse(ran.stdout) as { status: string }[];
    expect(results.map(({ status }) => status)).toEqual(["done", "failed", "skipped", "skipped"]);
  });

  test("commands exit with 2 for a missing base URL even if the key is also missing", async () => {
    const environment = { CATALOG_BASE_URL: undefined, CATALOG_API_KEY: undefined };
    for (const words of [
      ["courses", "ls"],
      ["courses", "get", id(1)],
      ["providers", "ls"],
    ]) {
      expect((await (await rig()).run(words, { environment })).code).toBe(2);
    }
  });
});
