/** Pushes through any sequence of faults: whatever came, the next calm push makes all of it right. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { numbered } from "../commands/helpers.ts";
import { course } from "../rig.ts";
import { BLOWS, type BlowName } from "./blows.ts";
import type { Line } from "./lines.ts";
import { type Came, withService } from "./run.ts";
import type { Aim } from "./server.ts";

const NEW = [1, 2].map((number) =>
  course({ name: `New ${number}`, url: `https://academy.example/new/${number}` }),
);
const CHANGED = [numbered(1, { name: "Changed" }), numbered(2)];
const PUSH: Line = {
  words: ["courses", "push", "--prune", "--yes", "a.json"],
  file: [...CHANGED, ...NEW],
  shows: /Courses:/,
};
/** The last one is in no file. */
const BEFORE = [numbered(1), numbered(2), numbered(3)];
const WANTED = [...CHANGED, ...NEW].map(({ url, name }) => `${url} ${name}`).sort();

/** Not those that end the server, or only take long to send. */
const ANY = (Object.keys(BLOWS) as BlowName[]).filter(
  (name) => !["gone", "returns", "enormous", "gzip bomb"].includes(name),
);
const storms = fc.array(fc.option(fc.constantFrom(...ANY), { freq: 2 }), {
  minLength: 1,
  maxLength: 25,
});

function aimOf(storm: readonly (BlowName | null)[]): Aim {
  let count = 0;
  return () => {
    const name = storm[count++] ?? null;
    return name === null ? undefined : BLOWS[name];
  };
}

function summaryOf({ held }: Came): string[] {
  return held.map(({ url, name }) => `${url} ${name}`).sort();
}

test("exit 0 means that all is as wanted, nothing is there twice, and a calm push ends the work", async () => {
  await fc.assert(
    fc.asyncProperty(storms, async (storm) => {
      await withService(BEFORE, async (service) => {
        const stormy = await service.run(PUSH, { aim: aimOf(storm) });
        const urls = stormy.held.map(({ url }) => url);
        expect(new Set(urls).size).toBe(urls.length);
        expect([0, 1, 4, 6]).toContain(stormy.code);
        if (stormy.code === 0) expect(summaryOf(stormy)).toEqual(WANTED);

        const calm = await service.run(PUSH);
        expect([calm.code, summaryOf(calm)]).toEqual([0, WANTED]);
        const again = await service.run(PUSH);
        expect(again.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
      });
    }),
    { numRuns: 30 },
  );
}, 60_000);
