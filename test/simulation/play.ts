/** Plays histories, and makes them from numbers. */

import type { History, Ran, RunStep, Step } from "./history.ts";
import { Judge } from "./promises/judge.ts";
import { compareShown, compareUndone } from "./promises/records.ts";
import { commandOf, isFaithful, type Violation } from "./promises/run.ts";
import { Simulation } from "./simulation.ts";
import { chooseStep, randomHabits } from "./steps.ts";
import { weeklyWorld, weeks } from "./weeks.ts";
import { Random, randomWorld, type World } from "./world.ts";

/** A history, and the promise that its last step broke. */
export interface Played {
  readonly history: History;
  readonly violation: Violation | undefined;
  readonly runs: readonly Ran[];
}

/** Plays the steps of one history, with what the simulator does around runs. */
class Player {
  readonly simulation: Simulation;
  readonly runs: Ran[] = [];
  violation: Violation | undefined;
  readonly #judge: Judge;

  constructor(world: World) {
    this.simulation = new Simulation(world);
    this.#judge = new Judge(world);
  }

  async play(step: Step): Promise<void> {
    if (step.do !== "run") {
      this.simulation.prepare(step);
      this.#judge.pulled = undefined;
      return;
    }
    const { probes = [] } = step;
    const { pulled } = this.#judge;
    const shown = probes.includes("shown") ? await this.#run(showFirst(step)) : undefined;
    this.#judge.pulled = pulled;
    const ran = await this.#run(step);
    if (shown !== undefined) {
      this.#check("What is shown is what is sent", compareShown(shown, ran));
      // A planned output is no file of the person.
      this.simulation.prepare({ do: "remove", who: step.who, path: "shown.ndjson" });
    }
    if (ran.interferences.length > 0 || !isFaithful(this.simulation.world)) return;
    const hasSentMore = probes.includes("again") && (await this.#repeat(step, ran));
    if (!probes.includes("undone") || hasSentMore || ran.writes.length === 0) return;
    if (this.violation !== undefined) return;
    const file = step.words[step.words.indexOf("--record") + 1] ?? "";
    const name = step.words.includes("--record") ? file : (ran.record?.name ?? "");
    const undo = await this.#run({ who: step.who, words: ["undo", name, "--yes"] });
    const promise = "undo restores the catalog, if nobody else changed anything";
    this.#check(promise, compareUndone(ran, undo));
  }

  async #run(step: Omit<RunStep, "do" | "probes">): Promise<Ran> {
    const ran = await this.simulation.run(step);
    this.runs.push(ran);
    this.violation ??= this.#judge.judge(ran);
    return ran;
  }

  #check(promise: string, how: string | undefined): void {
    if (how !== undefined) this.violation ??= { promise, how };
  }

  /** Pushes the same files again. @returns whether that sent something, as it may after a failure */
  async #repeat({ who, words }: RunStep, { code, events }: Ran): Promise<boolean> {
    if (this.violation !== undefined || (code !== 0 && events.length === 0)) return false;
    const again = { who, words: withoutRecord(words) };
    const first = await this.#run(again);
    const hasSentMore = first.writes.length > 0;
    // What was refused may be refused again.
    if (code !== 0 && first.code !== 0 && first.code !== 6) return hasSentMore;
    // After a failure, the first repetition sends what is left.
    const last = code !== 0 && first.code === 0 ? await this.#run(again) : first;
    const [sent] = last.exchanges.filter(({ method }) => method !== "GET");
    const isRefused = last.code !== 0 && `it ends with ${last.code}:\n${last.stderr.slice(0, 500)}`;
    const how = sent && `it sends ${sent.method} of ${sent.id}: ${JSON.stringify(sent.body)}`;
    this.#check("A second push of the same files sends nothing", how ?? (isRefused || undefined));
    return hasSentMore;
  }
}

/** Plays the steps that a function names, until there are none or a promise is broken. */
async function play(
  world: World,
  next: (simulation: Simulation, steps: readonly Step[], last: unknown) => Step | undefined,
): Promise<Played> {
  const player = new Player(world);
  const { simulation, runs } = player;
  const steps: Step[] = [];
  try {
    while (player.violation === undefined) {
      const step = next(simulation, steps, runs.at(-1)?.code);
      if (step === undefined) break;
      steps.push(step);
      await player.play(step);
    }
  } finally {
    simulation.close();
  }
  return { history: { world, steps }, violation: player.violation, runs };
}

/** The run that shows what another run would do. */
function showFirst({ who, words, input = "" }: RunStep): Omit<RunStep, "do"> {
  const plain = withoutRecord(words).filter((word) => word !== "--dry-run");
  if (commandOf(words) !== "push" || words.includes("--dry-run") || words.includes("--write-ids"))
    return { who, input, words: [...plain.filter((word) => word !== "--write-ids"), "--dry-run"] };
  const shown = plain
    .map((word) => (word === "push" ? "diff" : word))
    .filter((word) => word !== "--yes");
  return { who, words: words.includes("--plan") ? shown : [...shown, "--out", "shown.ndjson"] };
}

function withoutRecord(words: readonly string[]): string[] {
  const index = words.indexOf("--record");
  return index === -1 ? [...words] : words.toSpliced(index, 2);
}

/** Plays a history again. */
export async function replay({ world, steps }: History): Promise<Played> {
  return await play(world, (_, { length }) => steps[length]);
}

/** Makes and plays the history of a number. @param most how many steps it has at most */
export async function simulate(seed: number, most: number): Promise<Played> {
  const random = new Random(seed);
  const world = randomWorld(random);
  const habits = randomHabits(random, world);
  return await play(world, (simulation, steps, last) =>
    steps.length < most ? chooseStep(random, habits, simulation, steps, last) : undefined,
  );
}

/** Makes and plays the weeks of two editors of a number. */
export async function simulateWeeks(seed: number, amount: number): Promise<Played> {
  const random = new Random(seed);
  let steps: ReturnType<typeof weeks> | undefined;
  return await play(weeklyWorld(random), (simulation, _, last) => {
    steps ??= weeks(random, simulation, amount);
    return steps.next(last).value ?? undefined;
  });
}
