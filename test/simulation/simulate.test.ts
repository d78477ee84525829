/** Plays random histories, and those that found a fault; `npm run simulate` plays as many as you want. */
import { expect, test } from "vitest";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { IS_LONG } from "../long.ts";
import { Coverage } from "./coverage.ts";
import { HISTORIES } from "./histories.ts";
import { FIELDS } from "./model.ts";
import { replay, simulate, simulateWeeks } from "./play.ts";
import { print, shorten } from "./shorten.ts";

/** The number of the first history, and how many steps are played; unset in the tests. */
const SEED = Number(process.env.CATALOG_SIMULATION_SEED ?? 1);
const WANTED = process.env.CATALOG_SIMULATION_STEPS;
const STEPS = Number(WANTED ?? (IS_LONG ? 1500 : 100));
/** Whether broken promises are only listed at the end. */
const KEEPS_GOING = process.env.CATALOG_SIMULATION_KEEP_GOING !== undefined;
const STEPS_PER_HISTORY = 12;

test("random histories of people, colleagues and faults break no promise", async () => {
  const coverage = new Coverage();
  for (let seed = SEED, steps = 0; steps < STEPS; seed++) {
    const played = await simulate(seed, STEPS_PER_HISTORY);
    steps += played.history.steps.length;
    coverage.add(seed, played);
    if (played.violation === undefined || KEEPS_GOING) continue;
    if (WANTED !== undefined) process.stdout.write(coverage.print());
    const short = await shorten(played);
    const again = `npm run simulate -- --seed ${seed} --steps 1`;
    throw new Error(`${again}\n\n${print(short)}\n\n${JSON.stringify(short.history)}`);
  }
  if (WANTED !== undefined) process.stdout.write(coverage.print());
  expect(coverage.runs).toBeGreaterThan(0);
}, 7_200_000);

test("the simulator judges every field that can be sent", () => {
  const names = WRITABLE_FIELDS.map(({ name }) => name);
  expect(FIELDS).toEqual(names.filter((name) => name !== "id" && name !== "slug"));
});

test("in weeks of two editors with a workbook each and a colleague in a web form, no edit is lost or reverted without being named", async () => {
  const played = await simulateWeeks(
    SEED,
    Number(process.env.CATALOG_SIMULATION_WEEKS ?? (IS_LONG ? 40 : 3)),
  );
  expect(played.violation && print(played)).toBeUndefined();
  expect(played.runs.some(({ writes }) => writes.length > 0)).toBe(true);
}, 7_200_000);

test.each(HISTORIES)(
  "a history that found a fault breaks no promise: $fault",
  async ({ history }) => {
    const played = await replay(history);
    expect(played.violation && print(played)).toBeUndefined();
  },
);
