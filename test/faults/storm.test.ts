/** Pushes through random sequences of faults; a push without faults then completes the work. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { numberedCourse } from "../commands/helpers.ts";
import { IS_LONG } from "../long.ts";
import { course } from "../rig.ts";
import type { CommandLine } from "./command-lines.ts";
import { INJECTORS, type InjectorName } from "./injectors.ts";
import { type FaultRun, withService } from "./run.ts";
import type { InjectorSelector } from "./server.ts";
import { checkUndo } from "./undo.ts";

const NEW = [1, 2].map((number) =>
  course({ name: `New ${number}`, url: `https://academy.example/new/${number}` }),
);
const CHANGED = [numberedCourse(1, { name: "Changed" }), numberedCourse(2)];
const PUSH: CommandLine = {
  words: ["courses", "push", "--prune", "--yes", "a.json"],
  file: [...CHANGED, ...NEW],
  shows: /Courses:/,
};
/** The last one is not in the file, so `--prune` deletes it. */
const BEFORE = [numberedCourse(1), numberedCourse(2), numberedCourse(3)];
const WANTED = [...CHANGED, ...NEW].map(({ url, name }) => `${url} ${name}`).sort();

/** Without the injectors that stop the server or take long to send. */
const ANY = (Object.keys(INJECTORS) as InjectorName[]).filter(
  (name) => !["gone", "returns"].includes(name),
);
const storms = fc.array(fc.option(fc.constantFrom(...ANY), { freq: 2 }), {
  minLength: 1,
  maxLength: 25,
});

/** Without the one after which a push cannot know that it created a course. */
const undoableStorms = storms.map((storm) => storm.filter((name) => name !== "repeated"));

function createSelector(storm: readonly (InjectorName | null)[]): InjectorSelector {
  let count = 0;
  return (_line) => {
    const name = storm[count++] ?? null;
    return name === null ? undefined : INJECTORS[name];
  };
}

function summaryOf({ courses }: FaultRun): string[] {
  return courses.map(({ url, name }) => `${url} ${name}`).sort();
}

test("push through random faults duplicates nothing, exits with 0 only if done, and can be completed", async () => {
  await fc.assert(
    fc.asyncProperty(storms, async (storm) => {
      await withService(BEFORE, async (service) => {
        const stormy = await service.run(PUSH, { select: createSelector(storm) });
        const urls = stormy.courses.map(({ url }) => url);
        expect(new Set(urls).size).toBe(urls.length);
        // 5: a deletion that a proxy sent twice found no course.
        expect([0, 1, 4, 5, 6]).toContain(stormy.code);
        if (stormy.code === 0) expect(summaryOf(stormy)).toEqual(WANTED);

        const calm = await service.run(PUSH);
        expect([calm.code, summaryOf(calm)]).toEqual([0, WANTED]);
        const again = await service.run(PUSH);
        expect(again.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
      });
    }),
    { numRuns: 12 },
  );
}, 60_000);

test("undo after a push through random faults restores every course", async () => {
  await fc.assert(
    fc.asyncProperty(undoableStorms, async (storm) => {
      await withService(BEFORE, async (service) => {
        const before = service.courses();
        const stormy = await service.run(PUSH, { select: createSelector(storm) });
        if (stormy.files.length > 0) await checkUndo(service, before);
        else expect(stormy.courses).toEqual(before);
      });
    }),
    { numRuns: IS_LONG ? 300 : 25 },
  );
}, 120_000);
