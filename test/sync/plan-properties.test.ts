/** Properties of every plan, with random courses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Course } from "../../src/course/request-body.ts";
import { type Plan, planSync } from "../../src/sync/plan.ts";
import type { Located, Step } from "../../src/sync/step.ts";
import { scaleRuns } from "../long.ts";
import { PROVIDER_ID } from "../rig.ts";
import { desiredCourse, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;

const OTHER_PROVIDER = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b";
const AMOUNTS = ["0", "9.5", "10.00"];

const price = fc.record(
  {
    type: fc.constantFrom("single_course", "subscription"),
    price: fc.constantFrom(...AMOUNTS),
    currency: fc.constantFrom("EUR", "USD"),
    plan_type: fc.constantFrom("regular", "premium", null),
  },
  { requiredKeys: ["type"] },
);
const OPTIONAL = {
  name: fc.constantFrom("Knitting", "Sewing", "編み物"),
  audio: fc.subarray(["en", "de", "pt-BR"], { minLength: 1 }),
  published: fc.constantFrom(true, false, null),
  level: fc.option(fc.subarray(["beginner", "intermediate", "advanced"])),
  prices: fc.option(fc.array(price, { maxLength: 3 })),
  syllabus: fc.option(
    fc.array(fc.record({ title: fc.constantFrom("A", "B", "C") }), { maxLength: 4 }),
  ),
  number_of_lessons: fc.constantFrom(1, 2, null),
  duration_in_hours: fc.constantFrom(0, 1.5, null),
  image_url: fc.constantFrom("https://i.example/1", "https://i.example/2", null),
  provider_id: fc.constantFrom(PROVIDER_ID, OTHER_PROVIDER),
};
const fields: fc.Arbitrary<Fields> = fc.record(OPTIONAL, { requiredKeys: [] });

const id = (number: number): string =>
  `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
const url = (number: number): string => `https://academy.example/${number}`;

/** A few ids and urls, so that courses match by chance. */
const place = fc.record({ number: fc.nat(5), page: fc.nat(5), hasId: fc.boolean() });

const files: fc.Arbitrary<Located[]> = fc
  .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ page }]) => page })
  .map((entries) => {
    const usedIds = new Set<number>();
    return entries.map(([{ number, page, hasId }, rest]) => {
      // A duplicate id is reported before anything is planned.
      const named = hasId && !usedIds.has(number) && usedIds.add(number);
      return desiredCourse({ ...rest, url: url(page), ...(named ? { id: id(number) } : {}) });
    });
  });

const service: fc.Arbitrary<Course[]> = fc
  .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ number }]) => number })
  .map((entries) =>
    entries.map(([{ number, page }, rest]) =>
      remoteCourse({ ...rest, id: id(number), url: url(page) }),
    ),
  );

/** The effect of the steps on the service: null resets a field to its default. */
function applySteps(remote: readonly Course[], steps: readonly Step[]): Course[] {
  const courses = new Map(remote.map((course) => [course.id, course]));
  const first = remoteCourse();
  const written = (body: Fields): Fields =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, value === null ? first[name] : value]),
    );
  for (const step of steps) {
    if (step.action === "create") courses.set(step.id, remoteCourse(written(step.body)));
    if (step.action === "delete") courses.delete(step.id);
    if (step.action !== "update") continue;
    const before = courses.get(step.id) ?? first;
    courses.set(step.id, { ...before, ...written(step.body) });
  }
  return [...courses.values()];
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

function actions({ steps }: Plan): Set<string> {
  return new Set(steps.map(({ action }) => action));
}

describe("plans for any files and remote courses", () => {
  test("planning again after a plan was applied gives no changes", () => {
    fc.assert(
      fc.property(files, service, fc.boolean(), (desired, remote, prune) => {
        const plan = planSync(desired, remote, { prune });
        fc.pre(plan.conflicts.length === 0);
        const again = planSync(desired, applySteps(remote, plan.steps), { prune });
        expect(again.conflicts).toEqual([]);
        expect(again.steps.map((step) => step.id)).toEqual(
          plan.steps.flatMap((step) => (step.action === "delete" ? [] : [step.id])),
        );
        expect([...actions(again)].filter((action) => action !== "unchanged")).toEqual([]);
      }),
      { numRuns: scaleRuns(30) },
    );
  });

  test("applying a plan sets the fields in the files and no other fields", () => {
    const plainly = ["name", "url", "provider_id", "syllabus", "duration_in_hours", "image_url"];
    fc.assert(
      fc.property(files, service, (desired, remote) => {
        const plan = planSync(desired, remote);
        fc.pre(plan.conflicts.length === 0);
        const before = new Map(remote.map((course) => [course.id, course]));
        const after = new Map(applySteps(remote, plan.steps).map((course) => [course.id, course]));
        for (const step of plan.steps) {
          if (step.action === "delete") continue;
          const course = step.from?.value ?? {};
          const first = before.get(step.id) ?? remoteCourse();
          for (const name of plainly) {
            const expected = Object.hasOwn(course, name) ? course[name] : first[name];
            expect([name, after.get(step.id)?.[name]]).toEqual([name, expected]);
          }
        }
      }),
      { numRuns: scaleRuns(30) },
    );
  });

  test("the order of the remote courses affects only the order of the deletions", () => {
    const shuffled = service.chain((remote) =>
      fc.tuple(
        fc.constant(remote),
        fc.shuffledSubarray(remote, { minLength: remote.length, maxLength: remote.length }),
      ),
    );
    const sorted = (plan: Plan) => ({
      steps: plan.steps.filter(({ action }) => action !== "delete"),
      gone: plan.steps.flatMap((step) => (step.action === "delete" ? [step.id] : [])).sort(),
      conflicts: plan.conflicts.map((conflict) =>
        "candidates" in conflict
          ? { ...conflict, candidates: conflict.candidates.map((course) => course.id).sort() }
          : conflict,
      ),
    });
    fc.assert(
      fc.property(files, shuffled, (desired, [remote, other]) => {
        const plan = planSync(desired, remote, { prune: true });
        expect(sorted(planSync(desired, other, { prune: true }))).toEqual(sorted(plan));
      }),
      { numRuns: scaleRuns(30) },
    );
  });

  test("planning twice gives the same plan, and the input is not modified", () => {
    fc.assert(
      fc.property(files, service, (desired, remote) => {
        const plan = planSync(frozen(desired), frozen(remote), { prune: true });
        expect(planSync(desired, remote, { prune: true })).toEqual(plan);
      }),
      { numRuns: scaleRuns(30) },
    );
  });

  test("no course has two steps in a plan unless there is a conflict", () => {
    fc.assert(
      fc.property(files, service, (desired, remote) => {
        const { steps, conflicts } = planSync(desired, remote, { prune: true });
        fc.pre(conflicts.length === 0);
        const ids = steps.map((step) => step.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: scaleRuns(30) },
    );
  });

  test("a plan without pruning is the plan with pruning minus the deletions", () => {
    fc.assert(
      fc.property(files, service, (desired, remote) => {
        const { steps } = planSync(desired, remote, { prune: true });
        const others = steps.filter(({ action }) => action !== "delete");
        expect(planSync(desired, remote).steps).toEqual(others);
      }),
      { numRuns: scaleRuns(30) },
    );
  });
});
