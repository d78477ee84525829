/** Courses with any values: records and files have exactly what the service returned, and can be read. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unusualCourse } from "../../tools/fuzz/random-courses.ts";
import { listed, provider, serviceWith } from "../../tools/fuzz/random-responses.ts";
import { COURSE_IDS, folderWith, runIn } from "../../tools/fuzz/runner.ts";
import { deletedCourses, recordFiles } from "../commands/helpers.ts";
import { scaleRuns } from "../long.ts";
import { course, rig } from "../rig.ts";
import { PROVIDER } from "./service.ts";

const [ID] = COURSE_IDS;
/** A course that is one, whatever the values of some of its fields are. */
const complete = (values: object): object => ({ ...course(), ...values });

test("rm saves a course with any values completely before it deletes the course", async () => {
  const r = await rig();
  const any = unusualCourse.map((values) => complete({ ...values, id: ID }));
  await fc.assert(
    fc.asyncProperty(any, async (course) => {
      const folder = await folderWith(r);
      const send = serviceWith([course], [PROVIDER]);
      const { requests } = await runIn(r, folder, ["courses", "rm", ID, "--yes"], { send });
      expect(requests.at(-1)?.method).toBe("DELETE");
      const [file = ""] = await recordFiles({ folder });
      expect(JSON.stringify(await deletedCourses(file))).toBe(JSON.stringify([course]));
    }),
    { numRuns: scaleRuns(6) },
  );
});

/** What `check` may not find in a file that `pull` wrote. */
const UNREAD = ["syntax", "encoding", "too-deep", "unreadable", "no-course", "duplicate-field"];

test("pull writes courses with any values to files that check can read, the same for every pull", async () => {
  const r = await rig();
  const courses = fc.uniqueArray(listed, { selector: ({ id }) => String(id), maxLength: 4 });
  const providers = fc.array(provider, { minLength: 1, maxLength: 3 });
  const formats = fc.constantFrom("yaml", "json");
  await fc.assert(
    fc.asyncProperty(formats, courses, providers, async (format, rows, owners) => {
      const folder = await folderWith(r);
      const send = serviceWith(rows.map(complete), owners);
      const words = ["courses", "pull", "out", "--format", format, "--json"];
      const { code } = await runIn(r, folder, words, { send });
      expect((await readdir(folder)).includes("out")).toBe(code === 0);
      if (code !== 0) return;
      const names = await readdir(join(folder, "out"));
      expect(names).toHaveLength(rows.length);
      for (const name of names) expect(name).toMatch(/^[^-.~\s/\\][^/\\]{0,194}\.(yaml|json)$/u);
      const again = await runIn(r, folder, words, { send });
      const results: { action: string }[] = JSON.parse(again.stdout);
      expect(results.map(({ action }) => action)).toEqual(names.map(() => "unchanged"));
      if (names.length === 0) return;
      const checked = await runIn(r, folder, ["courses", "check", "out", "--json"]);
      const report = JSON.parse(checked.stdout);
      expect(report.courses).toBe(names.length);
      const rules = report.problems.map(({ rule }: { rule: string }) => rule);
      expect(UNREAD.filter((rule) => rules.includes(rule))).toEqual([]);
    }),
    { numRuns: scaleRuns(6) },
  );
});
