/** The pace as pure decisions (cli.md section 8, "push"). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Ending,
  ended,
  fullPace,
  type Leave,
  leaving,
  type Pace,
  waitFor,
} from "../../src/api/pace.ts";
import { refused, refusedToo, resumed, served, UNSPACED, widthAt } from "../../src/api/spacing.ts";

const START = Date.UTC(2026, 0, 31, 12);

/** A pace with its time and the requests that are under way. */
class Run {
  now = START;
  pace: Pace;
  readonly underWay: Leave[] = [];

  constructor(ceiling: number) {
    this.pace = fullPace(ceiling);
  }

  /** Lets requests off until none may go any more. */
  fill(): void {
    while (waitFor(this.pace, this.now) === 0) {
      const { pace, leave } = leaving(this.pace, this.now);
      this.pace = pace;
      this.underWay.push(leave);
    }
  }

  /** Ends the request that is under way longest, or another one. */
  end(ending: Ending, which = 0): void {
    const [leave] = this.underWay.splice(which % Math.max(1, this.underWay.length), 1);
    if (leave !== undefined) this.pace = ended(this.pace, leave, ending, this.now);
  }

  /** Waits for the next turn. */
  pass(): void {
    this.now += waitFor(this.pace, this.now) ?? 0;
  }
}

function refusal(retryAfter?: number, random = 1): Ending {
  return { retryAfter, random };
}

/** A run that was refused once with so many at once. */
function refusedOnce(ceiling: number, ending = refusal()): Run {
  const run = new Run(ceiling);
  run.fill();
  run.end(ending);
  return run;
}

describe("whatever happens", () => {
  const endings: fc.Arbitrary<Ending> = fc.oneof(
    fc.constant<Ending>("served"),
    fc.constant<Ending>("unclear"),
    fc.record({
      retryAfter: fc.option(fc.nat(60_000), { nil: undefined }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("end" as const), ending: endings, which: fc.nat(100) }),
      fc.record({ kind: fc.constant("fill" as const) }),
      // Now and then the clock is set back.
      fc.record({
        kind: fc.constant("time" as const),
        by: fc.integer({ min: -7_200_000, max: 120_000 }),
      }),
      fc.record({ kind: fc.constant("pass" as const) }),
    ),
    { maxLength: 120 },
  );

  test("the limit stays between one and the ceiling, and nothing goes off beyond it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), steps, (ceiling, happenings) => {
        const run = new Run(ceiling);
        for (const step of happenings) {
          if (step.kind === "end") run.end(step.ending, step.which);
          else if (step.kind === "time") run.now += step.by;
          else if (step.kind === "pass") run.pass();
          else {
            const before = run.underWay.length;
            run.fill();
            expect(run.underWay.length).toBeLessThanOrEqual(Math.max(run.pace.limit, before));
          }
          expect(run.pace.underWay).toBe(run.underWay.length);
          expect(run.pace.limit).toBeGreaterThanOrEqual(1);
          expect(run.pace.limit).toBeLessThanOrEqual(ceiling);
        }
      }),
    );
  });

  test("there is always a next turn: after the wait that was told, or when a request ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), steps, (ceiling, happenings) => {
        const run = new Run(ceiling);
        for (const step of happenings) {
          if (step.kind === "end") run.end(step.ending, step.which);
          else if (step.kind === "time") run.now += step.by;
          else if (step.kind === "pass") run.pass();
          else run.fill();
        }
        while (waitFor(run.pace, run.now) === undefined) run.end("unclear");
        run.pass();
        expect(waitFor(run.pace, run.now)).toBeCloseTo(0, 3);
      }),
    );
  });

  test("the pause is as long as the longest Retry-After, and never nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60_000), { minLength: 1, maxLength: 20 }), (asked) => {
        const run = new Run(20);
        run.fill();
        for (const retryAfter of asked) run.end(refusal(retryAfter, 0));
        while (run.underWay.length > 0) run.end("unclear");
        expect(waitFor(run.pace, run.now)).toBe(Math.max(125, ...asked));
      }),
    );
  });
});

describe("the limit", () => {
  test("halves once for all the refusals of one wave", () => {
    const run = refusedOnce(16);
    expect(run.pace.limit).toBe(8);
    while (run.underWay.length > 0) run.end(refusal());
    expect(run.pace.limit).toBe(8);
    run.pass();
    run.fill();
    expect(run.underWay).toHaveLength(8);
    run.end(refusal());
    expect(run.pace.limit).toBe(4);
  });

  test("grows by one for each round that is taken, up to where it was", () => {
    const run = refusedOnce(4);
    while (run.underWay.length > 0) run.end("unclear");
    run.pass();
    const limits = Array.from({ length: 12 }, () => {
      run.fill();
      run.end("served");
      return run.pace.limit;
    });
    expect(limits).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]);
  });

  test("is not raised by answers to what left before it fell", () => {
    const run = refusedOnce(16);
    while (run.underWay.length > 0) run.end("served");
    expect(run.pace.limit).toBe(8);
  });

  test.each<Ending>(["served", "unclear"])(
    "stays where it is when a request ends as %s",
    (ending) => {
      const run = new Run(7);
      for (let round = 0; round < 50; round++) {
        run.fill();
        run.end(ending);
      }
      expect([run.pace.limit, run.now]).toEqual([7, START]);
    },
  );
});

describe("the pause", () => {
  test("is the longest that any refusal of the wave asked for", () => {
    const run = refusedOnce(3, refusal(2000));
    run.now += 100;
    run.end(refusal(5000));
    run.end(refusal(1000));
    expect(waitFor(run.pace, run.now)).toBe(5000);
  });

  test("grows from wave to wave while nothing is taken, up to twenty seconds", () => {
    const run = new Run(1);
    const pauses = Array.from({ length: 8 }, () => {
      run.fill();
      run.end(refusal());
      const pause = waitFor(run.pace, run.now);
      run.pass();
      return pause;
    });
    expect(pauses).toEqual([250, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
  });

  test("is short again after a request was taken, and after a time without any", () => {
    const run = refusedOnce(1);
    run.pass();
    run.fill();
    run.end("served");
    run.fill();
    run.end(refusal());
    expect(waitFor(run.pace, run.now)).toBe(250);
    run.now += 3_600_000;
    run.fill();
    run.end(refusal());
    expect(waitFor(run.pace, run.now)).toBe(250);
  });

  test("and what was refused before it are forgotten with the first request that is taken", () => {
    const run = refusedOnce(1);
    expect(run.pace.refusedSince).toBe(START);
    run.pass();
    run.fill();
    run.end("served");
    expect([run.pace.refusedSince, run.pace.refusals]).toEqual([undefined, 0]);
  });

  test("is over at once where the clock was set back before it", () => {
    const run = refusedOnce(1, refusal(60_000));
    run.now -= 3_600_000;
    expect(waitFor(run.pace, run.now)).toBe(0);
  });
});

describe("the distance between requests", () => {
  /** Five are taken at once, and three refused with a second to wait. */
  function learned() {
    const run = new Run(8);
    run.fill();
    for (let count = 0; count < 5; count++) run.end("served");
    for (let count = 0; count < 3; count++) run.end(refusal(1000));
    run.pass();
    return run;
  }

  test("is what makes as many as were taken fit the time that was asked for", () => {
    const run = learned();
    run.fill();
    expect(run.underWay).toHaveLength(1);
    expect(waitFor(run.pace, run.now)).toBeCloseTo(1.05 * 200);
  });

  test("makes up for a timer that was late, but not for a long silence", () => {
    const run = learned();
    const waits = [3, 1000].map((late) => {
      run.fill();
      run.pass();
      run.now += late;
      run.fill();
      run.end("served");
      run.end("served");
      return Math.round(waitFor(run.pace, run.now) ?? 0);
    });
    expect(waits).toEqual([207, 205]);
  });

  test("hardly shrinks for a while, and is gone within half a minute", () => {
    const spacing = { ...UNSPACED, width: 200, since: 0 };
    expect(widthAt(spacing, 3000)).toBeGreaterThan(198);
    expect(widthAt(spacing, 30_000)).toBe(0);
  });

  test.each([
    ["five taken, one refused: it may have any reason", 5, 0, 0, 0, false],
    ["five taken, one refused, and another one beside it", 5, 0, 1, 0, true],
    ["two taken, and all others refused", 2, 0, 9, 0, false],
    ["most of those beside it taken", 5, 7, 2, 0, false],
    ["full speed for longer than the pause, then refused", 5, 0, 3, 1900, true],
    ["full speed for much longer than the pause, then refused", 5, 0, 3, 2100, false],
  ])("%s", (_, before, takenBeside, refusedBeside, active, isLearned) => {
    let spacing = UNSPACED;
    for (let count = 0; count < before; count++) spacing = served(spacing);
    spacing = refused(spacing, active, active, active + 1000);
    for (let count = 0; count < takenBeside; count++) spacing = served(spacing);
    for (let count = 0; count < refusedBeside; count++)
      spacing = refusedToo(spacing, active + 1000);
    expect(resumed(spacing).width > 0).toBe(isLearned);
  });

  test("is learned from two refusals with a pause between, as from two at once", () => {
    let spacing = UNSPACED;
    for (const left of [100, 1200]) {
      for (let count = 0; count < 5; count++) spacing = served(spacing);
      spacing = resumed(refused(spacing, left, left, left + 1000));
    }
    expect(resumed(spacing).width).toBeCloseTo(1.05 * 220);
  });

  test("is no longer than the pause that was asked for", () => {
    let spacing = UNSPACED;
    for (let count = 0; count < 3; count++) spacing = served(spacing);
    spacing = refused(refused(spacing, 60_000, 60_000, 60_500), 60_000, 60_000, 60_500);
    const wide = { ...spacing, measured: { ...spacing.measured, paused: 50_000 } };
    expect(resumed(wide).width).toBe(500);
  });

  test("is given up when requests that keep it are refused all the same", () => {
    const run = learned();
    for (let misses = 0; misses < 3; misses++) {
      for (let count = 0; count < 4; count++) {
        run.pass();
        run.fill();
        run.end(count === 3 ? refusal(1000) : "served");
      }
    }
    run.pass();
    run.fill();
    expect(widthAt(run.pace.spacing, run.now)).toBe(0);
  });
});
