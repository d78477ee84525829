/** Invalid ids, and responses with another course than the requested one. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { numberedCourse, recordFiles, unreliableService } from "../commands/helpers.ts";
import { rig } from "../rig.ts";
import { expectNoInternals, expectSafe, HOSTILE_TEXT, serviceListing } from "./service.ts";

const UPPER = "ABCDEF00-0000-4000-9000-00000000000A";

describe("a response with another course", () => {
  test("a response with another course does not confirm a creation whose response was lost", async () => {
    const r = await rig();
    await r.write("a.json", JSON.stringify(numberedCourse(1)));
    const other = JSON.stringify([numberedCourse(2)]);
    let posted = false;
    const { environment } = await unreliableService(r, ({ method, url }) => {
      posted ||= method === "POST";
      if (method === "POST") return "drop before";
      return posted && url.includes("/courses") ? { status: 200, body: other } : "pass";
    });
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect([ran.code, ran.stdout]).toEqual([6, ""]);
    expect(ran.stderr).toContain("The course may have been created.");
  });
});

describe("uppercase ids", () => {
  const course = numberedCourse(1, { id: UPPER });

  test("an uppercase id matches the requested course, and is compared and saved", async () => {
    const { r, run } = await serviceListing(course);
    await r.write("a.json", JSON.stringify({ ...course, id: UPPER.toLowerCase() }));
    expect((await run(["courses", "get", UPPER.toLowerCase()])).code).toBe(0);
    expect((await run(["courses", "diff", "a.json", "--exit-code", "--prune"])).code).toBe(0);
    const gone = await run(["courses", "rm", "--yes", UPPER]);
    expect([gone.code, (await recordFiles(r)).length]).toEqual([0, 1]);
    expect(gone.requests.at(-1)).toContain(
      `DELETE /developer/v1/courses?id=${UPPER.toLowerCase()}`,
    );
  });
});

describe("ids that are not UUIDs", () => {
  const INVALID_IDS = ["", "../../x", HOSTILE_TEXT, "CON", "x".repeat(1_000_000)];

  test.each(INVALID_IDS)(
    "an invalid id is shown but never used in a change: $0",
    async (invalid) => {
      const { r, run } = await serviceListing(numberedCourse(1, { id: invalid }));
      await r.write("a.json", JSON.stringify(numberedCourse(1, { id: undefined, name: "Other" })));
      const shown = await run(["courses", "ls", "--json"]);
      expect(JSON.parse(shown.stdout)).toMatchObject([{ id: invalid }]);
      for (const words of [
        ["push", "a.json"],
        ["push", "a.json", "--prune", "--yes"],
        ["diff", "a.json"],
      ]) {
        const ran = await run(["courses", ...words], { terminal: true });
        expectNoInternals(ran);
        expectSafe(ran);
        expect([ran.code, ran.stderr.length < 2000]).toEqual([6, true]);
        expect(ran.stderr).toContain("a course whose id is not a UUID");
        expect(ran.requests.every((line) => line.startsWith("GET "))).toBe(true);
      }
      expect(await recordFiles(r)).toEqual([]);
    },
  );

  test("an id that is not a UUID gives only names of files in the folder", async () => {
    const { r, run } = await serviceListing(
      ...INVALID_IDS.map((invalid) => ({ ...numberedCourse(1), id: invalid, slug: null })),
    );
    expect(await run(["courses", "pull", "out"])).toMatchObject({ code: 0 });
    expect(await readdir(r.folder)).toEqual(["out"]);
    const names = await readdir(join(r.folder, "out"));
    expect(names).toHaveLength(INVALID_IDS.length);
    for (const name of names) expect(name).toMatch(/^course-[\da-f]{8,64}\.yaml$/);
    const checked = await run(["courses", "check", "out"]);
    expect([checked.code, checked.stdout]).toEqual([3, expect.stringContaining("[uuid]")]);
  });
});
