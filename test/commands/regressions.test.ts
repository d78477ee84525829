/** Regressions: each of these failed once. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { course, PROVIDER_ID, rig } from "../rig.ts";

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

describe("folders", () => {
  test("check does not enter folders through links to each other", async () => {
    const r = await rig();
    const names = Array.from({ length: 9 }, (_, index) => `d${index}`);
    for (const name of names) await mkdir(join(r.folder, "bomb", name), { recursive: true });
    for (const one of names) {
      for (const other of names) {
        await symlink(join(r.folder, "bomb", other), join(r.folder, "bomb", one, other));
      }
    }
    await r.write("bomb/d0/a.json", JSON.stringify(course()));
    const { code, stdout } = await r.run(["courses", "check", "bomb"]);
    expect([code, stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
  });
});

describe("--set and --unset", () => {
  const price = (amount: string) => ({ type: "single_course", price: amount, currency: "EUR" });

  test("update --unset reads indexes as positions in the original list", async () => {
    const r = await rigWithCourse({ prices: [price("1"), price("2"), price("3")] });
    await r.run(["courses", "update", ID, "--unset", "prices[0]", "--unset", "prices[1]"]);
    expect((await storedCourse(r)).prices).toEqual([price("3")]);
  });

  test.each([
    ["a change that makes another key missing", {}, ["--set", "prices[0].currency=EUR"]],
    [
      "a change that makes another key invalid",
      { certificate: { type: "paid", price: "1", currency: "EUR" } },
      ["--set", "certificate.type=free"],
    ],
    ["an unknown key", { video: { type: "vimeo", id: "1" } }, ["--unset", "video.thumbnial_url"]],
    ["a value of another type", {}, ["--set", "video.type=dailymotion"]],
    ["two flags for the same value", {}, ["--set", "prices[0].price=1", "--unset", "prices"]],
    ["an unset provider", {}, ["--unset", "provider"]],
    ["two providers", {}, ["--set", "provider=example-academy", "--provider", PROVIDER_ID]],
  ])("update exits with 2 and sends nothing for %s", async (_, changes, words) => {
    const r = await rigWithCourse(changes);
    const { code, requests } = await r.run(["courses", "update", ID, ...words]);
    expect(code).toBe(2);
    expect(requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  test("update --unset changes nothing if it removes a part of a field that is not set", async () => {
    const r = await rigWithCourse();
    const { code } = await r.run(["courses", "update", ID, "--unset", "video.thumbnail_url"]);
    expect([code, (await storedCourse(r)).video]).toEqual([0, null]);
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
    url.includes("offset=100") ? { status: 400, body: '{"hint":"no"}' } : "pass",
  );
  const environment = { CATALOG_BASE_URL: server.baseUrl };
  const { code, stdout } = await r.run(["courses", "ls", "--all", "--json"], { environment });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toHaveLength(100);
});

test("ls exits with 2 for a base URL with a password and does not show the password", async () => {
  const r = await rig();
  for (const url of [
    "ftp://me:geheim@host.example",
    "https://me:geheim@host.example",
    "geheim@x",
  ]) {
    const { code, stderr } = await r.run(["courses", "ls", "--base-url", url]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("geheim");
  }
});

test("sandbox exits with 2 for a command without -- and for -- without a command", async () => {
  const r = await rig();
  expect(await r.run(["sandbox", "foo", "--", "true"])).toMatchObject({ code: 2 });
  expect(await r.run(["sandbox", "--"])).toMatchObject({ code: 2 });
  expect(await r.run(["sandbox", "--latency", "3000000000", "--", "true"])).toMatchObject({
    code: 2,
  });
});
