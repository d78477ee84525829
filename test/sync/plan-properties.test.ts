/** What holds for every plan, with courses made up by chance. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Course } from "../../src/course/wire.ts";
import { type Desired, type Plan, planSync, type Step } from "../../src/sync/plan.ts";
import { PROVIDER_ID } from "../rig.ts";
import { heldCourse, wanted } from "./plans.ts";

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

/** A few ids and urls, so that courses meet. */
const place = fc.record({ number: fc.nat(5), page: fc.nat(5), hasId: fc.boolean() });

const files: fc.Arbitrary<Desired[]> = fc
  .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ page }]) => page })
  .map((entries) => {
    const taken = new Set<number>();
    return entries.map(([{ number, page, hasId }, rest]) => {
      // One id twice among the files is found before there is a plan.
      const named = hasId && !taken.has(number) && taken.add(number);
      return wanted({ ...rest, url: url(page), ...(named ? { id: id(number) } : {}) });
    });
  });

const service: fc.Arbitrary<Course[]> = fc
  .uniqueArray(fc.tuple(place, fields), { maxLength: 6, selector: ([{ number }]) => number })
  .map((entries) =>
    entries.map(([{ number, page }, rest]) =>
      heldCourse({ ...rest, id: id(number), url: url(page) }),
    ),
  );

/** What the service does with a step: null brings a field back to what it was at first. */
function applied(held: readonly Course[], steps: readonly Step<Desired>[]): Course[] {
  const courses = new Map(held.map((course) => [course.id, course]));
  const first = heldCourse();
  const written = (body: Fields): Fields =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, value === null ? first[name] : value]),
    );
  for (const step of steps) {
    if (step.action === "create") courses.set(step.id, heldCourse(written(step.body)));
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

function actions({ steps }: Plan<Desired>): Set<string> {
  return new Set(steps.map(({ action }) => action));
}

describe("whatever files and service hold,", () => {
  test("the plan of what was applied is empty", () => {
    fc.assert(
      fc.property(files, service, fc.boolean(), (desired, held, prune) => {
        const plan = planSync(desired, held, { prune });
        fc.pre(plan.clashes.length === 0);
        const again = planSync(desired, applied(held, plan.steps), { prune });
        expect(again.clashes).toEqual([]);
        expect(again.steps.map((step) => step.id)).toEqual(
          plan.steps.flatMap((step) => (step.action === "delete" ? [] : [step.id])),
        );
        expect([...actions(again)].filter((action) => action !== "unchanged")).toEqual([]);
      }),
    );
  });

  test("what was applied holds what the files give, and elsewhere what it held", () => {
    const plainly = ["name", "url", "provider_id", "syllabus", "duration_in_hours", "image_url"];
    fc.assert(
      fc.property(files, service, (desired, held) => {
        const plan = planSync(desired, held);
        fc.pre(plan.clashes.length === 0);
        const before = new Map(held.map((course) => [course.id, course]));
        const after = new Map(applied(held, plan.steps).map((course) => [course.id, course]));
        for (const step of plan.steps) {
          if (step.action === "delete") continue;
          const { course } = step.item;
          const first = before.get(step.id) ?? heldCourse();
          for (const name of plainly) {
            const expected = Object.hasOwn(course, name) ? course[name] : first[name];
            expect([name, after.get(step.id)?.[name]]).toEqual([name, expected]);
          }
        }
      }),
    );
  });

  test("the order of the service's courses changes nothing but that of the deletions", () => {
    const shuffled = service.chain((held) =>
      fc.tuple(
        fc.constant(held),
        fc.shuffledSubarray(held, { minLength: held.length, maxLength: held.length }),
      ),
    );
    const sorted = (plan: Plan<Desired>) => ({
      steps: plan.steps.filter(({ action }) => action !== "delete"),
      gone: plan.steps.flatMap((step) => (step.action === "delete" ? [step.id] : [])).sort(),
      clashes: plan.clashes.map((clash) =>
        "candidates" in clash
          ? { ...clash, candidates: clash.candidates.map((course) => course.id).sort() }
          : clash,
      ),
    });
    fc.assert(
      fc.property(files, shuffled, (desired, [held, other]) => {
        const plan = planSync(desired, held, { prune: true });
        expect(sorted(planSync(desired, other, { prune: true }))).toEqual(sorted(plan));
      }),
    );
  });

  test("the same plan is made twice, and neither files nor courses are touched", () => {
    fc.assert(
      fc.property(files, service, (desired, held) => {
        const plan = planSync(frozen(desired), frozen(held), { prune: true });
        expect(planSync(desired, held, { prune: true })).toEqual(plan);
      }),
    );
  });

  test("no course has two steps, and none is both wanted and deleted, without a clash", () => {
    fc.assert(
      fc.property(files, service, (desired, held) => {
        const { steps, clashes } = planSync(desired, held, { prune: true });
        fc.pre(clashes.length === 0);
        const ids = steps.map((step) => step.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("a plan without pruning is the one with it, less the deletions", () => {
    fc.assert(
      fc.property(files, service, (desired, held) => {
        const { steps } = planSync(desired, held, { prune: true });
        const others = steps.filter(({ action }) => action !== "delete");
        expect(planSync(desired, held).steps).toEqual(others);
      }),
    );
  });
});
