/** What a person has before the next step, and what the people of a history often do. */

import type { CellStep, Person, Step } from "./history.ts";
import { type Described, describeFiles } from "./model.ts";
import type { Simulation } from "./simulation.ts";
import type { Random } from "./world.ts";

/** How often something is chosen. */
export type Weights = Readonly<Record<string, number>>;

/** What the people of one history often do: other histories have other habits, so that rare steps meet often. */
export interface Habits {
  readonly steps: Weights;
  readonly runs: Weights;
  readonly events: Weights;
}

/** What a person has, from which a step is chosen. */
export type Scene = ReturnType<typeof see>;

export function see(
  random: Random,
  habits: Habits,
  simulation: Simulation,
  steps: readonly Step[],
  who: Person,
) {
  const files = simulation.files(who);
  const named = (pattern: RegExp): string[] =>
    [...files.keys()].filter((path) => pattern.test(path));
  const isOwnCell = (step: Step): step is CellStep => step.do === "cell" && step.who === who;
  return {
    random,
    habits,
    who,
    files,
    simulation,
    /** How many steps there were, for names of new files. */
    count: steps.length,
    /** The paths of course files, without those of the base. */
    paths: named(/^courses\/(?!catalog\.defaults).*\.(yaml|json|ndjson|csv)$/),
    books: named(/^\w+\.xlsx$/),
    plans: named(/^plan\d+\.ndjson$/),
    courses: [...simulation.courses().values()],
    /** The last edit of a workbook by this person. */
    lastCell: steps.findLast(isOwnCell),
  };
}

/** The courses of the folder, perhaps after a file was written. */
export function describeCourses({ files, simulation }: Scene, step?: Step): readonly Described[] {
  const written = step?.do === "write" ? [[step.path, step.text] as const] : [];
  const all = new Map([...files, ...written].filter(([path]) => path.startsWith("courses/")));
  return describeFiles(all, simulation.world.providers) ?? [];
}
