/** Plays histories, makes them from numbers, shortens those that break a promise, and prints them as commands. */
import { type Course, FIELDS } from "./model.ts";
import {
  AGAIN,
  commandOf,
  compareShown,
  compareUndone,
  Judge,
  SHOWN,
  UNDONE,
  type Violation,
} from "./promises.ts";
import { type History, type Ran, type RunStep, Simulation, type Step } from "./simulation.ts";
import { chooseStep, randomHabits } from "./steps.ts";
import { weeklyWorld, weeks } from "./weeks.ts";
import { Random, randomWorld, type World } from "./world.ts";

/** A history, and the promise that its last step broke. */
export interface Played {
  readonly history: History;
  readonly violation: Violation | undefined;
  readonly runs: readonly Ran[];
}

/** Plays the steps that a function names, until there are none or a promise is broken. */
async function play(
  world: World,
  next: (simulation: Simulation, steps: readonly Step[], last: unknown) => Step | undefined,
): Promise<Played> {
  const simulation = new Simulation(world);
  const judge = new Judge(world);
  const steps: Step[] = [];
  const runs: Ran[] = [];
  let violation: Violation | undefined;
  const run = async (step: Omit<RunStep, "do" | "probes">): Promise<Ran> => {
    const ran = await simulation.run(step);
    runs.push(ran);
    violation ??= judge.judge(ran);
    return ran;
  };
  try {
    while (violation === undefined) {
      const step = next(simulation, steps, runs.at(-1)?.code);
      if (step === undefined) break;
      steps.push(step);
      if (step.do !== "run") {
        simulation.prepare(step);
        judge.see();
        continue;
      }
      const { probes = [] } = step;
      const pulled = judge.pulled;
      const shown = probes.includes("shown") ? await run(showFirst(step)) : undefined;
      if (shown !== undefined) {
        const how = compareUnseen(shown);
        if (how !== undefined) violation ??= { promise: SHOWN, how };
        judge.pulled = pulled;
      }
      const ran = await run(step);
      const check = (promise: string, how: string | undefined): void => {
        if (how !== undefined) violation ??= { promise, how };
      };
      if (shown !== undefined) check(SHOWN, compareShown(shown, ran));
      // A planned output is no file of the person.
      if (shown !== undefined)
        simulation.prepare({ do: "remove", who: step.who, path: "shown.ndjson" });
      const isFaithful = !world.freedoms.trims && !world.freedoms.isRestless;
      const isAlone = ran.interferences.length === 0 && isFaithful;
      let hasSentMore = false;
      const repeats = probes.includes("again") && isAlone && violation === undefined;
      if (repeats && (ran.code === 0 || ran.events.length > 0)) {
        let again = await run({ who: step.who, words: withoutRecord(step.words) });
        hasSentMore = again.writes.length > 0;
        // After a failure, the first repetition sends what is left.
        if (ran.code !== 0 && again.code === 0) {
          again = await run({ who: step.who, words: withoutRecord(step.words) });
        } else if (ran.code !== 0)
          again = { ...again, code: again.code === 6 ? 6 : 0, exchanges: [] };
        const [sent] = again.exchanges.filter(({ method }) => method !== "GET");
        const isRefused =
          again.code !== 0 && `it ends with ${again.code}:\n${again.stderr.slice(0, 500)}`;
        const how = sent && `it sends ${sent.method} of ${sent.id}: ${JSON.stringify(sent.body)}`;
        check(AGAIN, how ?? (isRefused || undefined));
      }
      const isUndone =
        probes.includes("undone") &&
        ran.interferences.length === 0 &&
        ran.writes.length > 0 &&
        !hasSentMore;
      if (
        isUndone &&
        isFaithful &&
        !step.words.includes("--no-record") &&
        violation === undefined
      ) {
        const named = step.words[step.words.indexOf("--record") + 1];
        const words = step.words.includes("--record")
          ? ["undo", named ?? "", "--yes"]
          : ["undo", ran.record?.name ?? "", "--yes"];
        check(UNDONE, compareUndone(ran, await run({ who: step.who, words })));
      }
    }
  } finally {
    simulation.close();
  }
  return { history: { world, steps }, violation, runs };
}

function compareUnseen({ writes }: Ran): string | undefined {
  return writes.length > 0 ? "what only shows has changed the catalog" : undefined;
}

/** The run that shows what another run would do. */
function showFirst({ who, words, input = "" }: RunStep): Omit<RunStep, "do"> {
  const plain = withoutRecord(words);
  const isDiff =
    commandOf(words) === "push" && !words.includes("--dry-run") && !words.includes("--write-ids");
  if (!isDiff)
    return {
      who,
      input,
      words: [
        ...plain.filter((word) => word !== "--write-ids" && word !== "--dry-run"),
        "--dry-run",
      ],
    };
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
  const habits = randomHabits(random);
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

/** What a violation is about, without the values of its history. */
export function kindOf(violation: Violation | undefined): string {
  const text =
    violation === undefined
      ? ""
      : `${violation.promise} | ${violation.how.replace(/:? *[{"[\n].*/s, "")}`;
  const fields = new RegExp(`\\b(${FIELDS.join("|")})\\b`, "g");
  return text
    .replace(/[0-9a-f]{8}-[-0-9a-f]{27}|\w+:\/\/\S+|\w+\/\S+/gi, "…")
    .replace(fields, "…")
    .replace(/…(, …)+/g, "…");
}

const REQUIRED = [
  "id",
  "name",
  "url",
  "provider_id",
  "short_description",
  "long_description",
  "audio",
  "pace",
];

/** The shortest history found that still breaks the same promise: without steps, events, courses, files and freedoms. */
export async function shorten(played: Played, limit = 400): Promise<Played> {
  let best = played;
  let left = limit;
  const attempt = async (history: History): Promise<boolean> => {
    if (left-- <= 0) return false;
    const tried = await replay(history);
    if (kindOf(tried.violation) !== kindOf(played.violation)) return false;
    best = tried;
    return true;
  };
  const drop = async <Item>(
    list: () => readonly Item[],
    keep: (items: readonly Item[]) => History,
  ): Promise<void> => {
    for (
      let size = Math.ceil(list().length / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let start = list().length - size; start > -size; start -= size) {
        const items = list();
        const rest = items.filter((_, index) => index < start || index >= start + size);
        if (rest.length < items.length) await attempt(keep(rest));
      }
    }
  };
  const withWorld = (changes: Partial<World>): History => ({
    ...best.history,
    world: { ...best.history.world, ...changes },
  });
  for (
    let round = 0, size = Number.POSITIVE_INFINITY;
    JSON.stringify(best.history).length < size && round < 3;
    round++
  ) {
    size = JSON.stringify(best.history).length;
    await drop(
      () => best.history.steps,
      (steps) => ({ ...best.history, steps }),
    );
    await drop(
      () => best.history.world.courses,
      (courses) => withWorld({ courses }),
    );
    await drop(
      () => Object.entries(best.history.world.files),
      (files) => withWorld({ files: Object.fromEntries(files) }),
    );
    for (const [index, step] of best.history.steps.entries()) {
      if (step.do !== "run") continue;
      const set = (changed: RunStep): History => ({
        ...best.history,
        steps: best.history.steps.with(index, changed),
      });
      const current = (): RunStep => best.history.steps[index] as RunStep;
      await drop(
        () => current().events ?? [],
        (events) => set({ ...current(), events }),
      );
      await drop(
        () => current().probes ?? [],
        (probes) => set({ ...current(), probes }),
      );
      await drop(
        () => current().words,
        (words) => set({ ...current(), words }),
      );
    }
    const { freedoms } = best.history.world;
    const usual = {
      order: "created",
      empty: "null",
      numbersAsText: false,
      upperIds: false,
      urls: "kept",
    } as const;
    for (const [name, value] of Object.entries(usual)) {
      if (freedoms[name as keyof typeof usual] !== value)
        await attempt(withWorld({ freedoms: { ...best.history.world.freedoms, [name]: value } }));
    }
    for (const index of best.history.world.courses.keys()) {
      const course = (): Course => best.history.world.courses[index] ?? {};
      const optional = () =>
        Object.entries(course()).filter(([field]) => !REQUIRED.includes(field));
      await drop(optional, (entries) => {
        const kept = Object.entries(course())
          .filter(([field]) => REQUIRED.includes(field))
          .concat(entries);
        return withWorld({
          courses: best.history.world.courses.with(index, Object.fromEntries(kept)),
        });
      });
    }
  }
  return best;
}

/** A history as a person would type it. */
export function print({ history, violation }: Played): string {
  const { freedoms, courses, files } = history.world;
  const shown =
    courses.length > 20
      ? [...courses.slice(0, 4), `${courses.length - 8} others`, ...courses.slice(-4)]
      : courses;
  const lines = [
    `# The service: ${JSON.stringify(freedoms)}`,
    ...shown.map((course) => `# has ${JSON.stringify(course)}`),
  ];
  const quote = (word: string): string =>
    /^[\w./:=@%~+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const put = (path: string, text: string): string => `cat > ${path} <<'END'\n${text}END`;
  for (const [path, text] of Object.entries(files)) lines.push(put(path, text));
  for (const step of history.steps) {
    if (step.do === "colleague") lines.push(`# a colleague: ${JSON.stringify(step.change)}`);
    else if (step.do === "write") lines.push(`# ${step.who}`, put(step.path, step.text));
    else if (step.do === "remove") lines.push(`rm -f ${step.path}  # ${step.who}`);
    else if (step.do === "snapshot") lines.push(`rm -rf base; cp -r courses base  # ${step.who}`);
    else if (step.do === "drop") lines.push(`sed -i ${step.line + 1}d ${step.path}  # ${step.who}`);
    else if (step.do === "cell")
      lines.push(
        `# ${step.who} sets ${step.column} of ${step.id} in ${step.path} to ${step.value}`,
      );
    else {
      const answer = step.answer === undefined ? "" : `, answers ${step.answer}`;
      const events = (step.events ?? [])
        .map((event) => `\n#   at ${JSON.stringify(event)}`)
        .join("");
      const probes = step.probes?.length ? `\n#   and ${step.probes.join(", ")}` : "";
      lines.push(
        `catalog ${step.words.map(quote).join(" ")}  # ${step.who}${answer}${events}${probes}`,
      );
    }
  }
  return `${lines.join("\n")}\n\nBroken: ${violation?.promise ?? "nothing"}\n${violation?.how ?? ""}`;
}
