import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, type Rig, rig } from "../rig.ts";
import { expectRefused, id, numberedCourse, startCommand } from "./helpers.ts";

const COURSES = "/developer/v1/courses";
/** Milliseconds; the machine may be busy. */
const PATIENT = { interval: 1, timeout: 10_000 };

/** Starts a sandbox with the data file x.data. */
async function serving(r: Rig, ...words: readonly string[]) {
  const running = startCommand(r, ["sandbox", "--port", "0", "--data", "x.data", ...words]);
  await Promise.race([
    vi.waitUntil(() => running.out.text.includes("CATALOG_API_KEY="), PATIENT),
    running.code.then((code) => {
      throw new Error(`ended with ${code}: ${running.err.text}`);
    }),
  ]);
  const [, baseUrl = ""] = /CATALOG_BASE_URL=(\S+)$/m.exec(running.out.text) ?? [];
  const [, key = ""] = /CATALOG_API_KEY=(\S+)$/m.exec(running.out.text) ?? [];
  const call = async (method: string, query = "", body?: unknown) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return await fetch(`${baseUrl}${COURSES}${query}`, { method, headers, ...sent });
  };
  const ids = async (): Promise<string[]> =>
    ((await (await call("GET", "?limit=100")).json()) as { id: string }[]).map(
      ({ id: own }) => own,
    );
  const end = async (): Promise<number> => {
    running.stop("SIGINT");
    return await running.code;
  };
  return { running, key, call, ids, end };
}

describe("--data", () => {
  test("sandbox --data keeps its data until the next run and prints the number of courses", async () => {
    const r = await rig();
    const first = await serving(r);
    expect(first.running.err.text).toBe("Ctrl-C stops it. x.data keeps its data: 0 courses.\n");
    for (const number of [1, 2, 3]) {
      expect((await first.call("POST", "", numberedCourse(number))).status).toBe(201);
    }
    expect((await first.call("PATCH", `?id=${id(2)}`, { published: false })).status).toBe(204);
    expect((await first.call("DELETE", `?id=${id(1)}`)).status).toBe(204);
    const before = await (await first.call("GET")).text();
    expect(await first.end()).toBe(130);
    const second = await serving(r);
    expect(second.running.err.text).toContain("x.data keeps its data: 2 courses.");
    expect(await (await second.call("GET")).text()).toBe(before);
    expect(await second.end()).toBe(130);
    expect((await readdir(r.folder)).sort()).toEqual(["x.data"]);
  });

  test("sandbox --data starts a new file from --seed, and later ignores --seed with a notice", async () => {
    const r = await rig();
    const seeded = numberedCourse(1, { approval_status: "approved" });
    await r.write("seed.yaml", JSON.stringify([seeded]));
    const first = await serving(r, "--seed", "seed.yaml");
    expect(first.running.err.text).toContain("x.data keeps its data: 1 course.");
    await first.end();
    const second = await serving(r, "--seed", "absent.yaml");
    expect(second.running.err.text).toContain(
      "Ignored --seed absent.yaml, because x.data already exists.",
    );
    expect(await (await second.call("GET")).json()).toMatchObject([
      { id: id(1), approval_status: "approved" },
    ]);
    await second.end();
  });

  test("sandbox --data keeps the users and keys of the seed", async () => {
    const r = await rig();
    const users = [{ key: "first.key", providers: [] }, { key: "second.key" }];
    await r.write("seed.yaml", JSON.stringify({ users }));
    const first = await serving(r, "--seed", "seed.yaml");
    await first.end();
    const second = await serving(r);
    expect([first.key, second.key]).toEqual(["first.key", "first.key"]);
    expect(second.running.err.text).toContain("The seed has 1 more user, with another key.");
    await second.end();
  });

  test("sandbox --data saves the changes of a command that it runs", async () => {
    const r = await rig();
    const program = `
      const { CATALOG_BASE_URL: url, CATALOG_API_KEY: key } = process.env;
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const body = ${JSON.stringify(JSON.stringify(course({ id: id(1) })))};
      fetch(url + "${COURSES}", { method: "POST", headers, body })
        .then(({ status }) => process.exit(status === 201 ? 7 : 1));`;
    const words = ["sandbox", "--data", "x.data", "--", process.execPath, "-e", program];
    const running = startCommand(r, words);
    expect([await running.code, running.out.text, running.err.text]).toEqual([7, "", ""]);
    const { ids, end } = await serving(r);
    expect(await ids()).toEqual([id(1)]);
    await end();
  });

  test("sandbox --data refuses a damaged file with the line, and leaves the file unchanged", async () => {
    const r = await rig();
    const { call, end } = await serving(r);
    for (const number of [1, 2, 3]) await call("POST", "", numberedCourse(number));
    await end();
    const path = join(r.folder, "x.data");
    const damaged = (await readFile(path, "utf8")).replace('"name":"Course 2"', '"name":Course 2"');
    await writeFile(path, damaged);
    const ran = await r.run(["sandbox", "--port", "0", "--data", "x.data"]);
    expectRefused(ran, 3);
    expect(ran.stderr).toMatch(/^x\.data:3:1: error: this line must put or remove a course\n/);
    expect(await readFile(path, "utf8")).toBe(damaged);
    expect(await readdir(r.folder)).toEqual(["x.data"]);
  });

  test("sandbox --data drops only a change that was written incompletely", async () => {
    const r = await rig();
    const first = await serving(r);
    await first.call("POST", "", numberedCourse(1));
    await first.end();
    await appendFile(join(r.folder, "x.data"), '{"put":{"id":"000');
    const second = await serving(r);
    expect(await second.ids()).toEqual([id(1)]);
    await second.call("POST", "", numberedCourse(2));
    await second.end();
    const third = await serving(r);
    expect(await third.ids()).toEqual([id(1), id(2)]);
    await third.end();
  });

  test("sandbox --data refuses a course file, and --seed refuses a data file", async () => {
    const r = await rig();
    const text = JSON.stringify(numberedCourse(1));
    await r.write("course.json", text);
    const asData = await r.run(["sandbox", "--port", "0", "--data", "course.json"]);
    expectRefused(asData, 3);
    expect(asData.stderr).toContain(
      "course.json:1:1: error: this is not a data file of this version of the sandbox",
    );
    expect(await readFile(join(r.folder, "course.json"), "utf8")).toBe(text);
    await (await serving(r)).end();
    const asSeed = await r.run(["sandbox", "--port", "0", "--seed", "x.data"]);
    expect([2, 3]).toContain(asSeed.code);
    expect(asSeed.stdout).toBe("");
    expect(asSeed.stderr).not.toContain(DEFAULT_KEY);
  });

  test.each([
    ["a folder", ".", "cannot write .: it is a folder", 1],
    ["empty", "", "--data must not be empty", 2],
  ])("sandbox refuses --data if it is %s", async (_, path, message, code) => {
    const r = await rig();
    const ran = await r.run(["sandbox", "--port", "0", "--data", path]);
    expectRefused(ran, code);
    expect(ran.stderr).toContain(message);
    expect(await readdir(r.folder)).toEqual([]);
  });
});
