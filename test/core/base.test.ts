/** The rule for three versions of a course: at the base, in the file and in the catalog. */
import { expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { type BaseCourses, settleDrift } from "../../src/core/base.ts";
import { CourseIndex } from "../../src/core/identify.ts";
import { planChange, planCreation, planDeletion, type Step } from "../../src/core/step.ts";
import { desiredCourse, ID, remoteCourse } from "./plans.ts";

/** A value that changes, in each version; undefined where there is no course. */
const VERSIONS = [undefined, "A", "B", "C"] as const;
type Version = (typeof VERSIONS)[number];
const CHOICES = ["stop", "keep", "overwrite"] as const;

/** What the rule says, from its words alone: what is sent, and whether it is drift. */
function expected(base: Version, file: Version, catalog: Version, choice: string): string {
  // A file that the base lacks is sent as without a base; a course that both lack is added in the catalog.
  if (base === undefined) return file === undefined ? "left" : "sent";
  const [inFile, inCatalog] = [file !== base, catalog !== base];
  if (!inFile) return "left";
  if (!inCatalog) return "sent";
  return choice === "keep" ? "left" : choice === "stop" ? "conflict" : "sent";
}

const ALL = VERSIONS.flatMap((base) =>
  VERSIONS.flatMap((file) => VERSIONS.map((catalog) => [base, file, catalog] as const)),
);

test.each(ALL.filter(([, file, catalog]) => file !== catalog))(
  "what changed only in the file is sent, only in the catalog is left, and in both is drift: base %s, file %s, catalog %s",
  (base, file, catalog) => {
    const fields = (name: Version): PlainObject => ({ name, id: ID });
    const courses: BaseCourses = new CourseIndex(
      base === undefined ? [] : [desiredCourse(fields(base)).value],
    );
    const from = desiredCourse(fields(file));
    const planned: Step =
      file === undefined
        ? planDeletion(remoteCourse(fields(catalog)))
        : catalog === undefined
          ? planCreation(from, remoteCourse(fields(file)))
          : planChange(from, remoteCourse(fields(catalog)));
    for (const choice of CHOICES) {
      const { steps, conflicts, refusal } = settleDrift([planned], courses, choice);
      const isLeft = steps[0]?.action === "unchanged";
      const happens = refusal === undefined ? (isLeft ? "left" : "sent") : "conflict";
      expect([choice, happens]).toEqual([choice, expected(base, file, catalog, choice)]);
      expect(conflicts).toHaveLength(refusal === undefined ? 0 : 1);
    }
  },
);

test("overwrite sends the field that changed in both, and leaves the field that changed only in the catalog", () => {
  const base = new CourseIndex<PlainObject>([desiredCourse({ id: ID, name: "A" }).value]);
  const from = desiredCourse({ id: ID, name: "B" });
  const step = planChange(from, remoteCourse({ name: "C", short_description: "Theirs" }));
  expect(settleDrift([step], base, "overwrite").steps[0]).toMatchObject({ body: { name: "B" } });
  expect(settleDrift([step], base, "overwrite").steps[0]).not.toHaveProperty(
    "body.short_description",
  );
});
