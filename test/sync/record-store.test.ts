/** Names of runs, and which runs count as undone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunSummary } from "../../src/sync/record-format.ts";
import { markUndone, nameRun } from "../../src/sync/record-store.ts";

/** A run by its number; an undo has the number of an earlier run, and how many changes it left. */
interface Run {
  readonly number: number;
  readonly undoes?: number;
  readonly left?: number;
}

/** A history, the oldest first. */
const history = fc
  .array(
    fc.record({ earlier: fc.option(fc.nat({ max: 9 })), left: fc.option(fc.nat({ max: 2 })) }),
    {
      maxLength: 12,
    },
  )
  .map((drafts) =>
    drafts.map(({ earlier, left }, number): Run => {
      if (earlier === null || number === 0) return { number };
      return { number, undoes: earlier % number, ...(left === null ? {} : { left }) };
    }),
  );

function summaryOf({ number, undoes, left }: Run): RunSummary {
  const counts = { created: 1, updated: 0, deleted: 0, failed: 0, unknown: 0 };
  return {
    header: {
      ...{ formatVersion: 1, run: `${number}`, time: "", command: "", baseUrl: "", providers: [] },
      ...(undoes === undefined ? {} : { undoes: `${undoes}` }),
    },
    end: { ...counts, ...(left === undefined ? {} : { left }) },
  };
}

/** The runs that are undone, by the definition. */
function undoneIn(runs: readonly Run[]): string[] {
  const isUndone = (number: number): boolean =>
    runs.some((run) => run.undoes === number && run.left === 0 && !isUndone(run.number));
  return runs.filter(({ number }) => isUndone(number)).map(({ number }) => `${number}`);
}

test("a run is undone if an undo that is not undone itself left nothing of it", () => {
  fc.assert(
    fc.property(history, (runs) => {
      const marked = [...markUndone(runs.toReversed().map(summaryOf))];
      const undone = marked.filter(({ isUndone }) => isUndone).map(({ header }) => header.run);
      expect(undone.reverse()).toEqual(undoneIn(runs));
    }),
  );
});

test("the name of a run is valid and greater than the latest name, at any time of the clock", () => {
  const time = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(time, fc.uuid()), { maxLength: 20 }), (runs) => {
      const names: string[] = [];
      for (const [now, uuid] of runs) names.push(nameRun(now, uuid, names.at(-1)));
      expect(names).toEqual([...new Set(names)].sort());
      for (const name of names) expect(name).toMatch(/^\d{8}-\d{9}-[0-9a-f]{6}$/);
    }),
  );
});
