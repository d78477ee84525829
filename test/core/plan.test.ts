/** Plans for course files and a catalog: single promises, and properties of any plan. */
import { describe, expect, test } from "vitest";
import { CourseIndex } from "../../src/core/identify.ts";
import { compareEarly, planSync } from "../../src/core/sync.ts";
import type { Located } from "../../src/course/problem.ts";
import { listProviderIds } from "../../src/course/provider.ts";
import type { Course } from "../../src/course/request-body.ts";
import { id, numberedCourse } from "../commands/helpers.ts";
import { desiredCourse, onlyUpdate, outline, remoteCourse, uuid5 } from "./plans.ts";

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

describe("steps", () => {
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
});

describe("pruning", () => {
  test("pruning does not delete a course that a file moves to another provider", () => {
    const desired = [file(1, { provider_id: OTHER })];
    expect(outline(plan(desired, [stored(1)], { prune: true }))).toEqual([`update ${id(1)}`]);
  });
});
