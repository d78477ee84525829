/** What listings write is a course file in which nothing is to change, at any size. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { formatNumber } from "../../src/base/text.ts";
import type { PlainObject } from "../../src/base/values.ts";
import { parseAs } from "../../src/files/formats.ts";
import { courseSeed } from "../../src/sandbox/seed.ts";
import type { Seed } from "../../src/sandbox/store.ts";
import { scaleRuns } from "../long.ts";
import { course, type Rig, rig, testClock } from "../rig.ts";
import { yearFiles } from "./year-files.ts";

/** The 300 real courses, repeatedly, each with its own url. */
async function realCourses(count: number): Promise<PlainObject[]> {
  const files = yearFiles();
  const courses = await Promise.all(
    files.map(async ({ movedTo, text }) => {
      const { documents } = await parseAs(movedTo.endsWith(".json") ? "json" : "yaml", text);
      return documents[0] as PlainObject;
    }),
  );
  return Array.from({ length: count }, (_, index) => {
    const { "x-notes": _notes, ...course } = courses[index % courses.length] ?? {};
    const turn = Math.floor(index / courses.length);
    return turn === 0 ? course : { ...course, url: `${course.url}?turn=${turn}` };
  });
}

/** Ten times as many in the long tests. */
const COUNT = scaleRuns(810);

async function lists(r: Rig, format: string): Promise<string> {
  const { code, stdout } = await r.run(["courses", "ls", "--all", "-o", format]);
  expect(code).toBe(0);
  return await r.write(`listed.${format}`, stdout);
}

describe(`${COUNT} real courses, as a listing writes them,`, () => {
  let seed: Seed;
  beforeAll(async () => {
    seed = courseSeed(await realCourses(COUNT), testClock());
  });

  const unchanged = `Nothing to change: ${formatNumber(COUNT)} courses unchanged.\n`;
  const options = { timeout: scaleRuns(30_000) };
  test.each(["json", "ndjson", "yaml", "csv"])("are unchanged as %s", options, async (format) => {
    const r = await rig({ seed });
    const file = await lists(r, format);

    const diff = await r.run(["courses", "diff", file, "--exit-code"]);
    expect(diff.stdout).toBe(unchanged);

    const check = await r.run(["courses", "check", file, "--json"]);
    const report = JSON.parse(check.stdout);
    expect(report).toMatchObject({ courses: COUNT, errors: 0 });
    expect(check.code).toBe(0);
    // One for each field that only the service sets.
    expect(report.warnings).toBeLessThan(5);

    const push = await r.run(["courses", "push", file]);
    expect(push.requests.filter((request) => !request.startsWith("GET"))).toEqual([]);

    const imported = await r.run(["courses", "import", file, "--out", "imported.ndjson"]);
    expect(imported.code).toBe(0);
    const text = await readFile(join(r.folder, "imported.ndjson"), "utf8");
    expect(text.trimEnd().split("\n")).toHaveLength(COUNT);
    const again = await r.run(["courses", "diff", "imported.ndjson", "--exit-code"]);
    expect(again.stdout).toBe(unchanged);
  });
});

test("of 12,000 courses with warnings, each field that only the service sets has one, and none is refused", async () => {
  const r = await rig();
  const rows = Array.from({ length: 12_000 }, (_, index) =>
    JSON.stringify({
      ...course({ url: `https://academy.example/${index}`, short_description: "A **bold** word." }),
      ...{ slug: "s", approval_status: "approved", schema_version: null },
    }),
  );
  await r.write("c.ndjson", `${rows.join("\n")}\n`);
  const ran = await r.run(["courses", "check", "c.ndjson", "--json"]);
  expect(ran.code).toBe(0);
  const { errors, diagnostics } = JSON.parse(ran.stdout);
  const counts: Record<string, number> = {};
  for (const { rule } of diagnostics) counts[rule] = (counts[rule] ?? 0) + 1;
  expect({ errors, counts }).toEqual({
    errors: 0,
    counts: { "read-only": 1, "own-slug": 1, markup: 9_998, "too-many": 1 },
  });
});
