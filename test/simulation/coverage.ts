/** Counts what random histories played, and which commands, events and traps of worlds met. */
import type { Event, Ran } from "./history.ts";
import type { Played } from "./play.ts";
import { commandOf } from "./promises/run.ts";
import { kindOf } from "./shorten.ts";
import type { World } from "./world.ts";

const FLAGS = "--prune --complete --base --plan --write-ids --force --fix --out".split(" ");
/** The kinds of names that meet. */
const PAIRS = [
  ["commands", "events"],
  ["commands", "traps"],
  ["events", "traps"],
] as const;

type Kind = (typeof PAIRS)[number][number];

export class Coverage {
  runs = 0;
  #steps = 0;
  #requests = 0;
  readonly #started = process.cpuUsage();
  readonly #names: Readonly<Record<Kind, Set<string>>> = {
    commands: new Set(),
    events: new Set(),
    traps: new Set(),
  };
  readonly #met = new Set<string>();
  /** The numbers of the histories that broke a promise, by kind. */
  readonly #broken = new Map<string, number[]>();

  add(seed: number, { history, violation, runs }: Played): void {
    this.#steps += history.steps.length;
    const traps = trapsOf(history.world);
    for (const ran of runs) {
      this.runs++;
      this.#requests += ran.exchanges.length;
      this.#meet({ commands: [nameOf(ran)], events: ran.events.map(eventName), traps });
    }
    if (violation === undefined) return;
    const kind = kindOf(violation);
    this.#broken.set(kind, [...(this.#broken.get(kind) ?? []), seed]);
  }

  #meet(names: Readonly<Record<Kind, readonly string[]>>): void {
    for (const [one, other] of PAIRS) {
      for (const first of names[one]) {
        this.#names[one].add(first);
        for (const second of names[other]) {
          this.#names[other].add(second);
          this.#met.add(`${first} × ${second}`);
        }
      }
    }
  }

  print(): string {
    const { user, system } = process.cpuUsage(this.#started);
    const seconds = (user + system) / 1e6;
    const rate = Math.round(this.#steps / seconds);
    const head = `${this.#steps} steps, ${this.runs} runs, ${this.#requests} requests in ${seconds.toFixed(1)} s of CPU: ${rate} steps per second`;
    const pairs = PAIRS.map(([one, other]) => {
      const all = [...this.#names[one]].flatMap((first) =>
        [...this.#names[other]].map((second) => `${first} × ${second}`),
      );
      const never = all.filter((pair) => !this.#met.has(pair)).sort();
      const sizes = `${this.#names[one].size} ${one} × ${this.#names[other].size} ${other}`;
      return `${sizes}: ${all.length - never.length} of ${all.length} pairs met; never: ${never.join(", ") || "none"}`;
    });
    const broken = [...this.#broken].map(
      ([kind, seeds]) => `${seeds.length} × ${kind}: --seed ${seeds.slice(0, 8).join(", ")}`,
    );
    return `${[head, ...pairs, ...broken].join("\n")}\n`;
  }
}

function nameOf({ words }: Ran): string {
  const flag = words.find((word) => FLAGS.includes(word));
  return commandOf(words) + (flag ? ` ${flag}` : "");
}

function eventName({ fault, signal, kill, full, at }: Event): string {
  const others = kill ? "kill" : full ? "full disk" : "colleague";
  return fault ?? signal ?? (at === "question" ? "colleague at a question" : others);
}

function trapsOf({ freedoms, courses, providers }: World): string[] {
  const { order, empty, urls, ...flags } = freedoms;
  const set = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []));
  const size =
    courses.length > 100 ? "over 100 courses" : courses.length === 0 ? "no courses" : "few courses";
  return [
    order,
    `empty as ${empty}`,
    `urls ${urls}`,
    ...set,
    size,
    `${providers.length} providers`,
  ];
}
