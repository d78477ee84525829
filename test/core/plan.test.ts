/** Plans for course files and a catalog: single promises, and properties of any plan. */
import { expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { type BaseCourses, settleDrift } from "../../src/core/base.ts";
import { CourseIndex } from "../../src/core/identify.ts";
import { describeConflicts } from "../../src/core/plan.ts";
import { planChange, planCreation, planDeletion, type Step } from "../../src/core/step.ts";
import { compareEarly, planSync } from "../../src/core/sync.ts";
import type { Located } from "../../src/course/problem.ts";
import { listProviderIds } from "../../src/course/provider.ts";
import type { Course } from "../../src/course/request-body.ts";
import { id, numberedCourse } from "../commands/helpers.ts";
import { desiredCourse, ID, onlyUpdate, outline, remoteCourse, uuid5 } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;

const OTHER = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b";

function plan(desired: readonly Located[], remote: readonly Course[], flags: Fields = {}) {
  const providerIds = listProviderIds(desired.map(({ value }) => value));
  const index = new CourseIndex(remote.map(compareEarly(desired, flags.complete === true)));
  return planSync(desired, index, { ...flags, providerIds });
}
const file = (number: number, fields: Fields = {}) => desiredCourse(numberedCourse(number, fields));
const stored = (number: number, fields: Fields = {}) =>
  remoteCourse(numberedCourse(number, fields));

test("a creation has the fields of the file without nulls, and the id that is derived from the url", () => {
  const from = desiredCourse({ url: "https://academy.example/new", slug: "new", level: null });
  const [step] = plan([from], []).steps;
  const { level: _, ...fields } = from.value;
  const derived = uuid5("https://academy.example/new");
  expect(step).toMatchObject({ action: "create", from, body: { ...fields, id: derived } });
  expect(step).not.toHaveProperty("body.level");
});

test("an update has each field that differs completely, and never the id or the slug", () => {
  const prices = [{ type: "single_course", price: "20", currency: "EUR" }];
  const from = file(1, { prices: [{ ...prices[0], price: "10" }, ...prices], slug: "other" });
  const step = onlyUpdate(plan([from], [stored(1, { prices })]));
  expect(step.body).toEqual({ prices: from.value.prices });
  expect(step.before).toEqual({ prices });
});

test("pruning does not delete a course that a file moves to another provider", () => {
  const desired = [file(1, { provider_id: OTHER })];
  expect(outline(plan(desired, [stored(1)], { prune: true }))).toEqual([`update ${id(1)}`]);
});

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
      const { steps, refusal } = settleDrift([planned], courses, choice);
      const isLeft = steps[0]?.action === "unchanged";
      const happens = refusal === undefined ? (isLeft ? "left" : "sent") : "conflict";
      expect([choice, happens]).toEqual([choice, expected(base, file, catalog, choice)]);
      if (refusal !== undefined) expect(describeConflicts(steps)).toHaveLength(1);
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
