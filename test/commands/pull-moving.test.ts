/** `courses pull` if the listing or the folder changes, if a page fails, and after stop signals. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { rig } from "../rig.ts";
import { lines, numberedCourse, rigWith, startCommand, unreliableService } from "./helpers.ts";
import { exists, listedCourse, readFolder } from "./pull-rig.ts";

describe("changing listings", () => {
  const page = (from: number, count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => listedCourse(from + index, `s${from + index}`)),
    );

  test("pull reads a listing again that changes while it is read", async () => {
    const r = await rig();
    let beginnings = 0;
    const { environment } = await unreliableService(r, ({ url }) => {
      const isFirst = url.includes("offset=0");
      if (isFirst) beginnings++;
      // The second page of the first reading begins with the last course of its first page.
      if (url.includes("offset=100")) {
        return { status: 200, body: beginnings === 1 ? page(99, 5) : page(100, 5) };
      }
      return { status: 200, body: isFirst ? page(0, 100) : "[]" };
    });
    const ran = await r.run(["courses", "pull", "out"], { environment });
    expect(ran).toMatchObject({ code: 0, stderr: "Wrote 105 files.\n" });
    expect(beginnings).toBe(2);
  });

  test("pull writes the courses with a warning if the listing repeats courses every time", async () => {
    const r = await rig();
    let beginnings = 0;
    const { environment } = await unreliableService(r, ({ url }) => {
      if (url.includes("offset=0")) beginnings++;
      if (url.includes("offset=100")) return { status: 200, body: page(50, 80) };
      return { status: 200, body: url.includes("offset=0") ? page(0, 100) : "[]" };
    });
    const ran = await r.run(["courses", "pull", "out"], { environment });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("Wrote 130 files") });
    expect(ran.stderr).toMatch(/^warning: the service's list of courses is unreliable/);
    expect(beginnings).toBe(6);
  });

  test("pull writes nothing if a page of the listing fails", async () => {
    const r = await rigWith(...Array.from({ length: 150 }, (_, index) => numberedCourse(index)));
    const { environment } = await unreliableService(r, ({ url }) =>
      url.includes("offset=100") ? { status: 400, body: '{"hint": "no"}' } : "pass",
    );
    const ran = await r.run(["courses", "pull", "out"], { environment });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(await exists(join(r.folder, "out"))).toBe(false);
  });
});

test.each([
  ["pull", ["pull", "out"]],
  ["import", ["import", "a.json", "--out", "out"]],
])(
  "%s writes no second file for a course whose file another run writes while it reads the folder",
  async (_, words) => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", JSON.stringify([numberedCourse(1)]));
    await r.run(["courses", ...words]);
    const [name = "", ...others] = Object.keys(await readFolder(r));
    expect(others).toEqual([]);
    renameSync(join(r.folder, "out"), join(r.folder, "later"));
    await r.write("out/broken.yaml", "{");
    const running = startCommand(r, ["courses", ...words]);
    // The folder has been listed when its first file is warned of.
    const write = vi.spyOn(running.err, "write").mockImplementationOnce(async () => {
      renameSync(join(r.folder, "later", name), join(r.folder, "out", name));
    });
    expect(await running.code).toBe(1);
    expect(write.mock.calls[0]?.[0]).toMatch(/^warning: skipped out\/broken\.yaml/);
    expect(running.err.text).toMatch(
      new RegExp(`cannot write out/${name}: it was created after catalog read the folder`),
    );
    expect(running.err.text).toMatch(/Pull again\.|Import again/);
    expect(Object.keys(await readFolder(r))).toEqual(["broken.yaml", name]);
  },
);

/** More files than are written before the signal. */
const COUNT = 600;

test("pull finishes the files in progress after a stop signal and starts no other file", async () => {
  const r = await rigWith(...Array.from({ length: COUNT }, (_, index) => numberedCourse(index)));
  const running = startCommand(r, ["courses", "pull", "out", "-o", "ndjson"]);
  while (!running.out.text.includes("\n")) await new Promise(setImmediate);
  running.stop("SIGINT");
  expect(await running.code).toBe(130);
  const results = lines(running.out.text).map((line) => JSON.parse(line) as { status: string });
  const done = results.filter(({ status }) => status === "done").length;
  expect(results).toHaveLength(COUNT);
  expect(results.filter(({ status }) => status === "skipped")).toHaveLength(COUNT - done);
  const summary = `Wrote ${done === 1 ? "1 file" : `${done} files`}. ${(COUNT - done).toLocaleString("en")} courses were not written.`;
  const last = JSON.parse(lines(running.err.text).at(-1) ?? "");
  expect(last).toMatchObject({ notice: summary, counts: { skipped: COUNT - done } });
  expect(running.err.text).not.toContain("Completed");
  const files = await readFolder(r);
  expect(Object.keys(files)).toHaveLength(done);
  for (const [name, text] of Object.entries(files)) {
    expect(name).toMatch(/\.yaml$/);
    expect(text).toMatch(/^id: /);
    expect(text).toMatch(/\nassignments: false\n$/);
  }
  expect(done).toBeLessThan(COUNT);
});
