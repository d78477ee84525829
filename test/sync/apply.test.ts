/** Applying a plan: how many steps at once, in which order, and when it stops. */
import { describe, expect, test } from "vitest";
import { CatalogError, type ErrorFacts, type ErrorKind } from "../../src/base/errors.ts";
import type { Course } from "../../src/course/request-body.ts";
import {
  type ApplyOptions,
  applyPlan,
  type CourseWriter,
  type StepResult,
} from "../../src/sync/apply.ts";
import { type Desired, planChange, planSync, type Step } from "../../src/sync/plan.ts";
import { desiredCourse, remoteCourse } from "./plans.ts";

const id = (number: number): string =>
  `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
const page = (number: number): string => `https://academy.example/${number}`;

const creation = (number: number): Step<Desired> => {
  const [step] = planSync([desiredCourse({ id: id(number), url: page(number) })], []).steps;
  if (step === undefined) throw new Error("no step");
  return step;
};
/** A step that updates, leaves unchanged or deletes the nth course. */
const changing = (number: number, name = "New", prune = false): Step<Desired> => {
  const remote = remoteCourse({ id: id(number), url: page(number) });
  const item = desiredCourse({ id: id(prune ? 99 : number), url: page(number), name });
  const step = planSync([item], [remote], { prune }).steps.at(-1);
  if (step === undefined) throw new Error("no step");
  return step;
};
const leaving = (number: number) => changing(number, "Knitting for Beginners");
const deleting = (number: number) => changing(number, "New", true);

/** A service that records its calls, such as `create 1`, and passes each to the test. */
function service(
  act: (call: string) => void | { exists: Course } | Promise<void> = () => undefined,
) {
  const calls: string[] = [];
  const call = async (what: string, key: string) => {
    const name = `${what} ${Number(key.slice(-12))}`;
    calls.push(name);
    return (await act(name)) ?? {};
  };
  const bodies: unknown[] = [];
  const writes: CourseWriter<Desired> = {
    create: async (step) => await call("create", step.id),
    update: async (step) => {
      bodies.push(step.body);
      await call("update", step.id);
    },
    delete: async (step) => {
      await call("delete", step.id);
    },
  };
  return { calls, bodies, writes };
}

async function applyAll(
  steps: readonly Step<Desired>[],
  writes: CourseWriter<Desired>,
  options: Partial<ApplyOptions<Desired>> = {},
): Promise<StepResult<Desired>[]> {
  const stepResults: StepResult<Desired>[] = [];
  const usual: ApplyOptions<Desired> = {
    ...{ concurrency: 4, isStopped: () => false, failFast: false },
    whenExists: ({ id, item }, exists) => planChange(id, item, exists),
  };
  for await (const one of applyPlan(steps, writes, { ...usual, ...options })) stepResults.push(one);
  return stepResults;
}

const summaries = (stepResults: readonly StepResult<Desired>[]): string[] =>
  stepResults.map(({ step, status }) => `${step.action} ${Number(step.id.slice(-12))} ${status}`);

function failing(kind: ErrorKind, facts: ErrorFacts = {}): never {
  throw new CatalogError(kind, "no", facts);
}

test("applyPlan: each step is one call with its body, and an unchanged course sends nothing", async () => {
  const { calls, bodies, writes } = service();
  const stepResults = await applyAll([creation(1), changing(2), leaving(3), deleting(4)], writes);
  expect(calls).toEqual(["create 1", "update 2", "delete 4"]);
  expect(bodies).toEqual([{ name: "New" }]);
  expect(summaries(stepResults)).toEqual([
    "create 1 done",
    "update 2 done",
    "unchanged 3 done",
    "delete 4 done",
  ]);
});

describe("applyPlan: with several steps at once", () => {
  test.each([1, 2, 4, 16])("at most %i are in progress, and that many are", async (concurrency) => {
    let running = 0;
    let most = 0;
    const { writes } = service(async () => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      running--;
    });
    const steps = Array.from({ length: 40 }, (_, number) => creation(number));
    await applyAll(steps, writes, { concurrency });
    expect(most).toBe(concurrency);
  });

  test("the results come in the order of the plan, whichever finishes first", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const done: string[] = [];
    const { writes } = service(async (call) => {
      if (call === "create 0") await slow;
      done.push(call);
      if (done.length === 5) release();
    });
    const steps = Array.from({ length: 6 }, (_, number) => creation(number));
    const stepResults = await applyAll(steps, writes, { concurrency: 2 });
    expect(done.at(-1)).toBe("create 0");
    expect(summaries(stepResults)).toEqual(steps.map((_, number) => `create ${number} done`));
  });

  test("deletions start only after everything else is done", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { calls, writes } = service(async (call) => {
      if (call === "create 2") release();
      if (call === "create 1") await slow;
    });
    const steps = [deleting(4), creation(1), deleting(5), creation(2)];
    const stepResults = await applyAll(steps, writes);
    expect(calls).toEqual(["create 1", "create 2", "delete 4", "delete 5"]);
    expect(summaries(stepResults).map((result) => result.slice(0, 8))).toEqual(calls);
  });
});

describe("applyPlan: a creation whose id already exists", () => {
  test("becomes an update of the fields that differ", async () => {
    const exists = remoteCourse({ id: id(1), url: page(1), name: "Older" });
    const { calls, bodies, writes } = service((call) =>
      call.startsWith("create") ? { exists } : undefined,
    );
    const [stepResults, ...others] = await applyAll([creation(1)], writes);
    expect(calls).toEqual(["create 1", "update 1"]);
    expect(bodies).toEqual([{ name: "Knitting for Beginners" }]);
    expect(stepResults).toMatchObject({
      status: "done",
      step: { action: "update", remote: exists },
    });
    expect(others).toEqual([]);
  });

  test("becomes unchanged if nothing differs", async () => {
    const exists = remoteCourse({ id: id(1), url: page(1) });
    const { calls, writes } = service(() => ({ exists }));
    expect(summaries(await applyAll([creation(1)], writes))).toEqual(["unchanged 1 done"]);
    expect(calls).toEqual(["create 1"]);
  });

  test("fails with the update's failure", async () => {
    const exists = remoteCourse({ id: id(1), url: page(1), name: "Older" });
    const { writes } = service((call) => (call === "create 1" ? { exists } : failing("refused")));
    const [stepResults] = await applyAll([creation(1)], writes);
    expect(stepResults).toMatchObject({ status: "failed", error: { kind: "refused" } });
  });
});

describe("applyPlan: a failure", () => {
  const steps = [creation(0), creation(1), changing(2), leaving(3), creation(4), deleting(5)];

  test("does not stop the other steps and is returned with its step", async () => {
    const { writes } = service((call) => (call === "create 1" ? failing("refused") : undefined));
    const stepResults = await applyAll(steps, writes, { concurrency: 1 });
    expect(summaries(stepResults)).toEqual([
      "create 0 done",
      "create 1 failed",
      "update 2 done",
      "unchanged 3 done",
      "create 4 done",
      "delete 5 done",
    ]);
    expect(stepResults[1]?.error).toMatchObject({ kind: "refused", message: "no" });
  });

  const REST = ["create 0 done", "create 1 failed", "update 2 skipped", "unchanged 3 done"];

  test("with failFast starts no further step", async () => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing("refused") : undefined,
    );
    const stepResults = await applyAll(steps, writes, { concurrency: 1, failFast: true });
    expect(summaries(stepResults)).toEqual([...REST, "create 4 skipped", "delete 5 skipped"]);
    expect(calls).toEqual(["create 0", "create 1"]);
  });

  test("with failFast lets steps in progress finish", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { writes } = service(async (call) => {
      if (call === "create 0") await slow;
      if (call === "create 1") {
        release();
        failing("refused");
      }
    });
    const stepResults = await applyAll(steps, writes, { concurrency: 2, failFast: true });
    expect(summaries(stepResults).slice(0, 3)).toEqual([
      "create 0 done",
      "create 1 failed",
      "update 2 skipped",
    ]);
  });

  test.each<[string, ErrorKind, ErrorFacts]>([
    ["no key", "auth", { status: 401 }],
    ["connection refused", "unreachable", { code: "ECONNREFUSED" }],
    ["an interruption", "interrupted", {}],
  ])("that every other step would meet stops the run: %s", async (_, kind, facts) => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing(kind, facts) : undefined,
    );
    const stepResults = await applyAll(steps, writes, { concurrency: 1 });
    expect(summaries(stepResults)).toEqual([...REST, "create 4 skipped", "delete 5 skipped"]);
    expect(calls).toEqual(["create 0", "create 1"]);
  });

  test.each<[string, ErrorKind, ErrorFacts]>([
    ["503 after all retries", "unreachable", { status: 503 }],
    ["a course that does not exist", "missing", { status: 404 }],
  ])("that other steps need not meet does not stop the run: %s", async (_, kind, facts) => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing(kind, facts) : undefined,
    );
    await applyAll(steps, writes, { concurrency: 1 });
    expect(calls).toHaveLength(5);
  });

  test("inside the program is returned like any other", async () => {
    const { writes } = service(() => {
      throw new TypeError("unexpected");
    });
    const [stepResults] = await applyAll([creation(1)], writes);
    expect(stepResults).toMatchObject({ status: "failed", error: { kind: "internal" } });
  });
});

describe("applyPlan: once stopped,", () => {
  test("no step starts, steps in progress finish, and unchanged courses stay unchanged", async () => {
    let stopped = false;
    const { calls, writes } = service(async (call) => {
      if (call === "create 1") stopped = true;
      await Promise.resolve();
    });
    const steps = [creation(0), creation(1), leaving(2), changing(3), deleting(4)];
    const stepResults = await applyAll(steps, writes, { concurrency: 2, isStopped: () => stopped });
    expect(calls).toEqual(["create 0", "create 1"]);
    expect(summaries(stepResults)).toEqual([
      "create 0 done",
      "create 1 done",
      "unchanged 2 done",
      "update 3 skipped",
      "delete 4 skipped",
    ]);
  });

  test("before the first step, nothing is sent", async () => {
    const { calls, writes } = service();
    const stepResults = await applyAll([creation(1)], writes, { isStopped: () => true });
    expect([calls, summaries(stepResults)]).toEqual([[], ["create 1 skipped"]]);
  });
});
