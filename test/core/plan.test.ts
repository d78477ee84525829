/** Plans for course files and a catalog: single promises, and properties of any plan. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CourseIndex } from "../../src/core/identify.ts";
import {
  compareEarly,
  findMoves,
  listProviderIds,
  type Plan,
  planSync,
} from "../../src/core/plan.ts";
import type { Step } from "../../src/core/step.ts";
import type { Located } from "../../src/course/located.ts";
import type { Course } from "../../src/course/request-body.ts";
import { id, numberedCourse } from "../commands/helpers.ts";
import { scaleRuns } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import { desiredCourse, onlyUpdate, outline, remoteCourse, uuid5 } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;

const OTHER = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b";

function plan(desired: readonly Located[], remote: readonly Course[], flags: Fields = {}): Plan {
  const providerIds = listProviderIds(desired.map(({ value }) => value));
  const { unchanged, keep } = compareEarly(desired, flags.complete === true);
  const index = new CourseIndex(remote.map(keep));
  return planSync(desired, index, { ...flags, providerIds, unchanged });
}
const file = (number: number, fields: Fields = {}) => desiredCourse(numberedCourse(number, fields));
const stored = (number: number, fields: Fields = {}) =>
  remoteCourse(numberedCourse(number, fields));

describe("steps", () => {
  test("steps are in the order of the files, followed by the deletions", () => {
    const desired = [file(3), file(1, { name: "New" }), file(2)];
    const remote = [stored(9), stored(2), stored(1)];
    expect(outline(plan(desired, remote, { prune: true }))).toEqual([
      `create ${id(3)}`,
      `update ${id(1)}`,
      `unchanged ${id(2)}`,
      `delete ${id(9)}`,
    ]);
  });

  test("of a course that equals its file, only what identifies it stays in memory", () => {
    const desired = [file(1), file(2, { name: "New" })];
    const { keep } = compareEarly(desired, false);
    const { id, name, url, provider_id } = stored(1);
    expect(keep(stored(1))).toEqual({ id, name, url, provider_id });
    expect(keep(stored(2))).toEqual(stored(2));
    expect(keep(stored(3))).toEqual(stored(3));
  });

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

  test("two descriptions of one course are a conflict", () => {
    const url = String(stored(1).url);
    const pairs = [
      [file(1, { url: `${url}/new` }), desiredCourse({ url })],
      [desiredCourse({ id: uuid5(url), url: `${url}/new` }), desiredCourse({ url })],
    ];
    const [first = [], second = []] = pairs;
    expect(plan(first, [stored(1)]).problems).toMatchObject([{ from: first[1], same: first[0] }]);
    expect(plan(second, []).problems).toMatchObject([{ from: second[1], same: second[0] }]);
  });

  test("two courses with one url at different providers are no conflict", () => {
    const url = "https://academy.example/same";
    const desired = [desiredCourse({ url }), desiredCourse({ url, provider_id: OTHER })];
    expect(plan(desired, [])).toMatchObject({ problems: [], steps: [{}, {}] });
  });
});

describe("pruning", () => {
  test("pruning deletes only courses of the providers of the files", () => {
    const theirs = stored(8, { provider_id: OTHER });
    const remote = [stored(1), stored(9, { provider_id: PROVIDER_ID.toUpperCase() }), theirs];
    const desired = [file(1, { id: id(1).toUpperCase() })];
    expect(outline(plan(desired, remote, { prune: true }))).toEqual([
      `unchanged ${id(1)}`,
      `delete ${id(9)}`,
    ]);
  });

  test("pruning does not delete a course that a file moves to another provider", () => {
    const desired = [file(1, { provider_id: OTHER })];
    expect(outline(plan(desired, [stored(1)], { prune: true }))).toEqual([`update ${id(1)}`]);
  });

  test("a creation may be a course that moved, preferably one that would be deleted", () => {
    const desired = [file(1, { provider_id: OTHER }), file(2, { name: "course 9" })];
    const remote = new CourseIndex([
      stored(8, { name: "Course 9", provider_id: PROVIDER_ID }),
      stored(9),
    ]);
    const { steps } = planSync(desired, remote, {
      prune: true,
      providerIds: listProviderIds(desired.map(({ value }) => value)),
    });
    const moves = findMoves(steps, remote);
    expect(moves).toMatchObject([{ from: desired[1], isDeleted: true }]);
    expect(moves[0]?.problem.message).toContain(id(8));
  });
});

describe("plans for any files and catalog", () => {
  const fields: fc.Arbitrary<Fields> = fc.record(
    {
      name: fc.constantFrom("Knitting", "編み物"),
      published: fc.constantFrom(true, false, null),
      level: fc.option(fc.subarray(["beginner", "intermediate", "advanced"])),
      duration_in_hours: fc.constantFrom(0, 1.5, null),
      image_url: fc.constantFrom("https://i.example/1", "https://i.example/2", null),
      provider_id: fc.constantFrom(PROVIDER_ID, OTHER),
    },
    { requiredKeys: [] },
  );
  /** A few ids and urls, so that courses match by chance. */
  const place = fc.record({ number: fc.nat(5), page: fc.nat(5), hasId: fc.boolean() });
  const url = (page: number): string => `https://academy.example/${page}`;
  const files = fc
    .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ page }]) => page })
    .map((entries) => {
      const usedIds = new Set<number>();
      return entries.map(([{ number, page, hasId }, rest]) => {
        // A duplicate id is reported before anything is planned.
        const named = hasId && !usedIds.has(number) && usedIds.add(number);
        return desiredCourse({ ...rest, url: url(page), ...(named ? { id: id(number) } : {}) });
      });
    });
  const catalog = fc
    .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ number }]) => number })
    .map((entries) =>
      entries.map(([{ number, page }, rest]) =>
        remoteCourse({ ...rest, id: id(number), url: url(page) }),
      ),
    );
  const runs = { numRuns: scaleRuns(40) };

  /** The effect of the steps on the catalog: null resets a field to its default. */
  function applySteps(remote: readonly Course[], steps: readonly Step[]): Course[] {
    const courses = new Map(remote.map((course) => [course.id, course]));
    const first = remoteCourse();
    const written = (body: Fields): Fields =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value ?? first[name]]));
    for (const step of steps) {
      if (step.action === "create") courses.set(step.id, remoteCourse(written(step.body)));
      if (step.action === "delete") courses.delete(step.id);
      if (step.action !== "update") continue;
      courses.set(step.id, { ...first, ...courses.get(step.id), ...written(step.body) });
    }
    return [...courses.values()];
  }

  test("planning again after a plan was applied gives no changes", () => {
    fc.assert(
      fc.property(files, catalog, fc.boolean(), (desired, remote, prune) => {
        const { problems, steps } = plan(desired, remote, { prune });
        fc.pre(problems.length === 0);
        const again = plan(desired, applySteps(remote, steps), { prune });
        const kept = steps.flatMap((step) => (step.action === "delete" ? [] : [step.id]));
        expect(again.problems).toEqual([]);
        expect(outline(again)).toEqual(kept.map((each) => `unchanged ${each}`));
      }),
      runs,
    );
  });

  test("a plan has one step for each course, and pruning only adds deletions", () => {
    fc.assert(
      fc.property(files, catalog, (desired, remote) => {
        const { problems, steps } = plan(desired, remote, { prune: true });
        fc.pre(problems.length === 0);
        expect(new Set(steps.map((step) => step.id)).size).toBe(steps.length);
        const others = steps.filter(({ action }) => action !== "delete");
        expect(plan(desired, remote).steps).toEqual(others);
      }),
      runs,
    );
  });

  test("no plan creates a course with a url that the catalog has at any provider", () => {
    fc.assert(
      fc.property(files, catalog, (desired, remote) => {
        const urls = new Set(remote.map((course) => course.url));
        const created = plan(desired, remote).steps.filter(({ action }) => action === "create");
        expect(created.filter((step) => urls.has(step.url))).toEqual([]);
      }),
      runs,
    );
  });
});
