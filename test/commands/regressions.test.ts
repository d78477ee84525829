/** Regressions: each of these failed once. */
import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

/** Starts a rig whose sandbox contains the course. */
async function rigWithCourse(changes: Readonly<Record<string, unknown>> = {}) {
  const r = await rig();
  await r.write("a.json", JSON.stringify(course({ id: ID, ...changes })));
  await r.run(["courses", "create", "a.json"]);
  return r;
}

/** The course as the sandbox has it. */
async function storedCourse(r: Awaited<ReturnType<typeof rig>>): Promise<Record<string, unknown>> {
  return JSON.parse((await r.run(["courses", "get", ID, "--json"])).stdout);
}

describe("--set and --unset", () => {
  const price = (amount: string) => ({ type: "single_course", price: amount, currency: "EUR" });

  test("update --unset reads indexes as positions in the original list", async () => {
    const r = await rigWithCourse({ prices: [price("1"), price("2"), price("3")] });
    await r.run(["courses", "update", ID, "--unset", "prices[0]", "--unset", "prices[1]"]);
    expect((await storedCourse(r)).prices).toEqual([price("3")]);
  });
});

test("ls prints complete JSON if a page of the listing fails", async () => {
  const { startUnreliableServer } = await import("../unreliable-server.ts");
  const { courseSeed } = await import("../../src/sandbox/seed.ts");
  const { testClock } = await import("../rig.ts");
  const courses = Array.from({ length: 150 }, (_, index) =>
    course({ url: `https://academy.example/${index}` }),
  );
  const r = await rig({ seed: courseSeed(courses, testClock()) });
  const server = await startUnreliableServer(r.sandbox.baseUrl, ({ url }) =>
    url.includes("offset=99") ? { status: 400, body: '{"hint":"no"}' } : "pass",
  );
  const environment = { CATALOG_BASE_URL: server.baseUrl };
  const { code, stdout } = await r.run(["courses", "ls", "--all", "--json"], { environment });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toHaveLength(100);
});
