/** Weeks of two editors who keep one workbook each, and of a colleague who changes the same courses in a web form. */

import { colleague } from "./colleague.ts";
import { editBook } from "./edits.ts";
import type { RunStep, Step } from "./history.ts";
import { type Habits, see } from "./scene.ts";
import type { Simulation } from "./simulation.ts";
import {
  PROVIDERS,
  type Random,
  randomCourse,
  randomId,
  randomWorld,
  type World,
} from "./world.ts";

const EDITORS = ["ada", "ben"] as const;
const BOOK = "book.xlsx";
const NO_HABITS: Habits = { steps: {}, runs: {}, events: {} };

/** A catalog of few courses with prices, so that the editors and the colleague often mean the same cell. */
export function weeklyWorld(random: Random): World {
  const [provider = random.pick(PROVIDERS)] = PROVIDERS;
  const courses = Array.from({ length: 6 }, (_, index) => ({
    id: randomId(random),
    ...randomCourse(random, provider, `${provider.url}/${index}`),
    prices: [{ type: "single_course", price: `${10 + index}.00`, currency: "EUR" }],
  }));
  const { freedoms } = randomWorld(random);
  const reliable = { ...freedoms, isRestless: false, trims: false };
  return { freedoms: reliable, providers: [provider], courses, files: {} };
}

/** The steps of some weeks. `next` is given the exit code of the last run. */
export function* weeks(
  random: Random,
  simulation: Simulation,
  amount: number,
): Generator<Step, void, unknown> {
  const run = (who: RunStep["who"], words: string): RunStep => {
    return { do: "run", who, words: words.split(" ") };
  };
  const typed: Step[] = [];
  const look = (who: RunStep["who"]) => see(random, NO_HABITS, simulation, typed, who);
  const write = (who: RunStep["who"]) => run(who, `courses ls --all --out ${BOOK}`);
  for (const who of EDITORS) yield write(who);
  for (let week = 0; week < amount; week++) {
    for (let count = random.below(3); count > 0; count--)
      yield { do: "colleague", change: colleague(look("ada")) };
    for (const who of EDITORS) {
      for (let count = 1 + random.below(3); count > 0; count--) {
        typed.push(editBook(look(who), BOOK));
        yield typed.at(-1) as Step;
      }
      let code = yield run(who, `courses push ${BOOK} --json`);
      if (code === 7) {
        const choice = random.pick(["keep", "overwrite"]);
        code = yield run(who, `courses push ${BOOK} --on-drift ${choice} --json`);
      }
      if (code === 0 && random.chance(0.1)) yield run(who, "undo --yes --json");
      // What cannot be pushed, the editor gives up.
      if (code !== 0 || random.chance(0.05)) yield write(who);
    }
  }
}
