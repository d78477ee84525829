/** How the steps of a plan are taken: how many at once, in which order, and when no more. */
import { describe, expect, test } from "vitest";
import { CatalogError, type ErrorFacts, type ErrorKind } from "../../src/base/errors.ts";
import type { Course } from "../../src/course/wire.ts";
import { type ApplyOptions, applyPlan, type Taken, type Writes } from "../../src/sync/apply.ts";
import { type Desired, planSync, type Step } from "../../src/sync/plan.ts";
import { heldCourse, wanted } from "./plans.ts";

const id = (number: number): string =>
  `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
const page = (number: number): string => `https://academy.example/${number}`;

const creation = (number: number): Step<Desired> => {
  const [step] = planSync([wanted({ id: id(number), url: page(number) })], []).steps;
  if (step === undefined) throw new Error("no step");
  return step;
};
/** A step that changes, leaves or deletes the nth course. */
const changing = (number: number, name = "New", prune = false): Step<Desired> => {
  const held = heldCourse({ id: id(number), url: page(number) });
  const item = wanted({ id: id(prune ? 99 : number), url: page(number), name });
  const step = planSync([item], [held], { prune }).steps.at(-1);
  if (step === undefined) throw new Error("no step");
  return step;
};
const leaving = (number: number) => changing(number, "Knitting for Beginners");
const deleting = (number: number) => changing(number, "New", true);

/** A service that notes its calls, as `create 1`, and does with each what a test says. */
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
  const writes: Writes = {
    create: async (course) => await call("create", course.id),
    update: async (key, changes) => {
      bodies.push(changes);
      await call("update", key);
    },
    delete: async (key) => {
      await call("delete", key);
    },
  };
  return { calls, bodies, writes };
}

async function applied(
  steps: readonly Step<Desired>[],
  writes: Writes,
  options: Partial<ApplyOptions> = {},
): Promise<Taken<Desired>[]> {
  const taken: Taken<Desired>[] = [];
  const usual = { concurrency: 4, stopped: () => false, failFast: false };
  for await (const one of applyPlan(steps, writes, { ...usual, ...options })) taken.push(one);
  return taken;
}

const results = (taken: readonly Taken<Desired>[]): string[] =>
  taken.map(({ step, status }) => `${step.action} ${Number(step.id.slice(-12))} ${status}`);

function failing(kind: ErrorKind, facts: ErrorFacts = {}): never {
  throw new CatalogError(kind, "no", facts);
}

test("a step is prepared before its turn, with the body that is then sent, and not after it", async () => {
  const seen: string[] = [];
  const bodies: unknown[] = [];
  const note = (what: string, body: unknown): void => {
    seen.push(`${what} ${bodies.includes(body) ? bodies.indexOf(body) : bodies.push(body) - 1}`);
  };
  const writes: Writes = {
    ...service().writes,
    prepare: (body, key) => note(key === undefined ? "prepare creation" : "prepare change", body),
    create: async (body) => {
      note("create", body);
      await new Promise(setImmediate);
      return {};
    },
    update: async (_key, body) => {
      note("update", body);
    },
  };
  // While the first is under way there is time for the next; behind one that takes none there is not.
  const steps = [creation(1), creation(3), changing(4), leaving(2), creation(5), deleting(6)];
  await applied(steps, writes, { concurrency: 1 });
  expect(seen).toEqual([
    "create 0",
    "prepare creation 1",
    "create 1",
    "prepare change 2",
    "update 2",
    "create 3",
  ]);
});

test("what goes wrong while a step is prepared is told by its call, if at all", async () => {
  const { calls, writes } = service();
  const prepare = (): never => {
    throw new Error("not yet");
  };
  const steps = [creation(1), creation(2), creation(3)];
  const taken = await applied(steps, { ...writes, prepare }, { concurrency: 1 });
  expect(calls).toEqual(["create 1", "create 2", "create 3"]);
  expect(taken.map(({ status }) => status)).toEqual(["done", "done", "done"]);
});

test("each step is one call, with its body, and nothing is sent for what is unchanged", async () => {
  const { calls, bodies, writes } = service();
  const taken = await applied([creation(1), changing(2), leaving(3), deleting(4)], writes);
  expect(calls).toEqual(["create 1", "update 2", "delete 4"]);
  expect(bodies).toEqual([{ name: "New" }]);
  expect(results(taken)).toEqual([
    "create 1 done",
    "update 2 done",
    "unchanged 3 done",
    "delete 4 done",
  ]);
});

describe("several at once", () => {
  test.each([1, 2, 4, 16])("never more than %i, and as many as that", async (concurrency) => {
    let running = 0;
    let most = 0;
    const { writes } = service(async () => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      running--;
    });
    const steps = Array.from({ length: 40 }, (_, number) => creation(number));
    await applied(steps, writes, { concurrency });
    expect(most).toBe(concurrency);
  });

  test("the results come in the order of the plan, whichever is done first", async () => {
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
    const taken = await applied(steps, writes, { concurrency: 2 });
    expect(done.at(-1)).toBe("create 0");
    expect(results(taken)).toEqual(steps.map((_, number) => `create ${number} done`));
  });

  test("nothing is deleted before all else is done, and the results say so", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { calls, writes } = service(async (call) => {
      if (call === "create 2") release();
      if (call === "create 1") await slow;
    });
    const steps = [deleting(4), creation(1), deleting(5), creation(2)];
    const taken = await applied(steps, writes);
    expect(calls).toEqual(["create 1", "create 2", "delete 4", "delete 5"]);
    expect(results(taken).map((result) => result.slice(0, 8))).toEqual(calls);
  });
});

describe("a creation whose id turns out to be there", () => {
  test("becomes an update of what differs from what is there", async () => {
    const exists = heldCourse({ id: id(1), url: page(1), name: "Older" });
    const { calls, bodies, writes } = service((call) =>
      call.startsWith("create") ? { exists } : undefined,
    );
    const [taken, ...others] = await applied([creation(1)], writes);
    expect(calls).toEqual(["create 1", "update 1"]);
    expect(bodies).toEqual([{ name: "Knitting for Beginners" }]);
    expect(taken).toMatchObject({ status: "done", step: { action: "update", held: exists } });
    expect(others).toEqual([]);
  });

  test("becomes unchanged where nothing differs", async () => {
    const exists = heldCourse({ id: id(1), url: page(1) });
    const { calls, writes } = service(() => ({ exists }));
    expect(results(await applied([creation(1)], writes))).toEqual(["unchanged 1 done"]);
    expect(calls).toEqual(["create 1"]);
  });

  test("fails with the update's failure", async () => {
    const exists = heldCourse({ id: id(1), url: page(1), name: "Older" });
    const { writes } = service((call) => (call === "create 1" ? { exists } : failing("refused")));
    const [taken] = await applied([creation(1)], writes);
    expect(taken).toMatchObject({ status: "failed", error: { kind: "refused" } });
  });
});

describe("a failure", () => {
  const steps = [creation(0), creation(1), changing(2), leaving(3), creation(4), deleting(5)];

  test("does not stop the others, and is told with its step", async () => {
    const { writes } = service((call) => (call === "create 1" ? failing("refused") : undefined));
    const taken = await applied(steps, writes, { concurrency: 1 });
    expect(results(taken)).toEqual([
      "create 0 done",
      "create 1 failed",
      "update 2 done",
      "unchanged 3 done",
      "create 4 done",
      "delete 5 done",
    ]);
    expect(taken[1]?.error).toMatchObject({ kind: "refused", message: "no" });
  });

  const REST = ["create 0 done", "create 1 failed", "update 2 skipped", "unchanged 3 done"];

  test("with failFast is the last thing that is begun", async () => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing("refused") : undefined,
    );
    const taken = await applied(steps, writes, { concurrency: 1, failFast: true });
    expect(results(taken)).toEqual([...REST, "create 4 skipped", "delete 5 skipped"]);
    expect(calls).toEqual(["create 0", "create 1"]);
  });

  test("with failFast lets what is under way finish", async () => {
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
    const taken = await applied(steps, writes, { concurrency: 2, failFast: true });
    expect(results(taken).slice(0, 3)).toEqual([
      "create 0 done",
      "create 1 failed",
      "update 2 skipped",
    ]);
  });

  test.each<[string, ErrorKind, ErrorFacts]>([
    ["no key", "auth", { status: 401 }],
    ["nobody there", "unreachable", { code: "ECONNREFUSED" }],
    ["an interruption", "interrupted", {}],
  ])("that every other would meet stops the rest: %s", async (_, kind, facts) => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing(kind, facts) : undefined,
    );
    const taken = await applied(steps, writes, { concurrency: 1 });
    expect(results(taken)).toEqual([...REST, "create 4 skipped", "delete 5 skipped"]);
    expect(calls).toEqual(["create 0", "create 1"]);
  });

  test.each<[string, ErrorKind, ErrorFacts]>([
    ["503 after all retries", "unreachable", { status: 503 }],
    ["one that is not there", "missing", { status: 404 }],
  ])("that others need not meet stops nothing: %s", async (_, kind, facts) => {
    const { calls, writes } = service((call) =>
      call === "create 1" ? failing(kind, facts) : undefined,
    );
    await applied(steps, writes, { concurrency: 1 });
    expect(calls).toHaveLength(5);
  });

  test("of the program itself is told like any other", async () => {
    const { writes } = service(() => {
      throw new TypeError("odd");
    });
    const [taken] = await applied([creation(1)], writes);
    expect(taken).toMatchObject({ status: "failed", error: { kind: "internal" } });
  });
});

describe("once stopped,", () => {
  test("no more is begun, what is under way is finished, and the unchanged stay unchanged", async () => {
    let stopped = false;
    const { calls, writes } = service(async (call) => {
      if (call === "create 1") stopped = true;
      await Promise.resolve();
    });
    const steps = [creation(0), creation(1), leaving(2), changing(3), deleting(4)];
    const taken = await applied(steps, writes, { concurrency: 2, stopped: () => stopped });
    expect(calls).toEqual(["create 0", "create 1"]);
    expect(results(taken)).toEqual([
      "create 0 done",
      "create 1 done",
      "unchanged 2 done",
      "update 3 skipped",
      "delete 4 skipped",
    ]);
  });

  test("before the first, nothing is sent", async () => {
    const { calls, writes } = service();
    const taken = await applied([creation(1)], writes, { stopped: () => true });
    expect([calls, results(taken)]).toEqual([[], ["create 1 skipped"]]);
  });
});
