/** Chooses the next step of a history, from the files and the catalog as they are. */
import { colleague } from "./colleague.ts";
import { addFile, editBook, editFile, writeDefaults, writeForeign } from "./edits.ts";
import type { Person, Step } from "./history.ts";
import { findConflicts } from "./model.ts";
import { chooseRun, RUNS } from "./runs.ts";
import { describeCourses, type Habits, type Scene, see, type Weights } from "./scene.ts";
import type { Simulation } from "./simulation.ts";
import type { Random, World } from "./world.ts";

const STEPS = {
  edit: 24,
  add: 10,
  remove: 4,
  colleague: 10,
  run: 60,
  cell: 8,
  snapshot: 3,
  defaults: 1,
  foreign: 2,
  clock: 1,
};
const EVENTS = {
  none: 55,
  fault: 22,
  colleague: 14,
  question: 6,
  list: 8,
  signal: 4,
  kill: 4,
  full: 2,
};

/** Ways to work in which steps meet that are rare otherwise. */
const WAYS: readonly Partial<Habits>[] = [
  {
    steps: { cell: 50, colleague: 14, run: 25 },
    runs: { newBook: 4, book: 30, undo: 3, updateBook: 2, rm: 1 },
    events: { none: 80, fault: 8, colleague: 6, kill: 2 },
  },
  {
    steps: { edit: 20, colleague: 25, run: 60 },
    runs: { move: 18, undo: 14, undoNamed: 4, plan: 14, apply: 18, rm: 8, push: 4 },
  },
  { runs: { base: 30, pullBase: 8, undo: 4, prune: 4 }, steps: { ...STEPS, snapshot: 12 } },
  { steps: { ...STEPS, foreign: 40 }, runs: { import: 30, push: 20, pullForce: 4 } },
];
/** Commands that find courses by their urls, while others change the list. */
const LISTS: Partial<Habits> = {
  steps: { edit: 10, add: 4, colleague: 4, run: 60 },
  runs: { push: 30, create: 12, rm: 15, move: 4, undo: 10, prune: 5, publish: 4, writeIds: 3 },
  events: { none: 20, list: 60, fault: 5, colleague: 5 },
};
const UNRELIABLE_LISTS: Partial<Habits> = {
  runs: { push: 20, create: 8, rm: 20, move: 8, undo: 8, prune: 6, publish: 4, plan: 4, apply: 4 },
};

/** What the people of a history often do, in a world where it matters. */
export function randomHabits(random: Random, { courses, freedoms }: World): Habits {
  const some = (weights: Weights): Weights =>
    Object.fromEntries(
      Object.entries(weights).map(([name, weight]) => [
        name,
        random.chance(0.35) ? weight * 4 : weight / 4,
      ]),
    );
  const runs = Object.fromEntries(Object.entries(RUNS).map(([name, [weight]]) => [name, weight]));
  const ways = courses.length > 100 ? [LISTS] : freedoms.isRestless ? [UNRELIABLE_LISTS] : WAYS;
  return {
    steps: { ...some(STEPS), run: 60 },
    runs: some(runs),
    events: { ...some(EVENTS), none: random.pick([10, 55, 300]) },
    ...(random.chance(ways.length > 1 ? 0.4 : 0.7) ? random.pick(ways) : {}),
  };
}

/** The next step. @param last the exit code of the last run: a refused push is often repaired */
export function chooseStep(
  random: Random,
  habits: Habits,
  simulation: Simulation,
  steps: readonly Step[],
  last: unknown,
): Step {
  const previous = steps.at(-1);
  // An editor types, pushes, and types into the same workbook again.
  const isTyping = previous?.do === "cell" && random.chance(0.6);
  const pushed = previous?.do === "run" && previous.words.find((word) => word.endsWith(".xlsx"));
  const typesAgain = pushed && random.chance(0.4);
  const who =
    isTyping || typesAgain ? previous.who : (random.weighted({ ada: 6, ben: 2, ci: 1 }) as Person);
  const scene = see(random, habits, simulation, steps, who);
  if (isTyping) return chooseRun(scene, `push ${previous.path}{drift}`);
  if (typesAgain && scene.books.includes(pushed) && scene.courses.length > 0)
    return editBook(scene, pushed);
  const { paths, books, plans, courses } = scene;
  // Between a plan and its application, somebody changes the catalog.
  const isPlanned = previous?.do === "run" && previous.words.some((word) => /^plan\d/.test(word));
  if (isPlanned && random.chance(0.4)) return { do: "colleague", change: colleague(scene) };
  if (previous?.do === "colleague" && plans.length > 0 && random.chance(0.3))
    return chooseRun(scene, RUNS.apply?.[1]);
  const [conflict] = last === 3 ? findConflicts(describeCourses(scene), courses) : [];
  if (conflict !== undefined && random.chance(0.8)) return { do: "remove", who, path: conflict };
  const hasFiles = paths.length > 0;
  switch (random.weighted(habits.steps)) {
    case "edit":
      return hasFiles ? sensible(scene, editFile) : sensible(scene, addFile);
    case "add":
      return sensible(scene, addFile);
    case "remove":
      return hasFiles ? { do: "remove", who, path: random.pick(paths) } : chooseRun(scene);
    case "colleague":
      return { do: "colleague", change: colleague(scene) };
    case "snapshot":
      return hasFiles ? { do: "snapshot", who } : chooseRun(scene);
    case "defaults":
      return sensible(scene, writeDefaults);
    case "clock":
      return { do: "clock", minutes: random.pick([1, 60]) };
    case "foreign":
      return writeForeign(scene);
    case "cell":
      if (books.length > 0 && courses.length > 0) return editBook(scene, random.pick(books));
      return plans.length > 0
        ? { do: "drop", who, path: random.pick(plans), line: 1 + random.below(3) }
        : chooseRun(scene, RUNS.book?.[1]);
    default:
      return chooseRun(scene);
  }
}

/** A step after which the files can be pushed, in most cases. */
function sensible(scene: Scene, choose: (scene: Scene) => Step): Step {
  const isBad = (step: Step): boolean =>
    findConflicts(describeCourses(scene, step), scene.courses).length > 0;
  const first = choose(scene);
  if (!isBad(first) || scene.random.chance(0.1)) return first;
  const others = Array.from({ length: 4 }, () => choose(scene));
  return others.find((step) => !isBad(step)) ?? { do: "colleague", change: colleague(scene) };
}
