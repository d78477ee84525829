/** Counts what random histories played, and which commands, events and traps of worlds met. */
import type { Event, Ran } from "./history.ts";
import type { Played } from "./play.ts";
import { commandOf } from "./promises/run.ts";
import { kindOf } from "./shorten.ts";
import type { World } from "./world.ts";

const FLAGS = "--prune --complete --base --plan --write-ids --force --fix --out".split(" ");

export class Coverage {
  runs = 0;
  #steps = 0;
  #requests = 0;
  readonly #started = process.cpuUsage();
  /** Which names met, by their kinds. */
  readonly #met = new Map<string, Set<string>>();
  /** The numbers of the histories that broke a promise, by kind. */
  readonly #broken = new Map<string, number[]>();

  add(seed: number, { history, violation, runs }: Played): void {
    this.#steps += history.steps.length;
    const traps = trapsOf(history.world);
    for (const ran of runs) {
      this.runs++;
      this.#requests += ran.exchanges.length;
      const [commands, events] = [[nameOf(ran)], ran.events.map(eventName)];
      this.#meet("commands × events", commands, events);
      this.#meet("commands × traps", commands, traps);
      this.#meet("events × traps", events, traps);
    }
    if (violation === undefined) return;
    const kind = kindOf(violation);
    this.#broken.set(kind, [...(this.#broken.get(kind) ?? []), seed]);
  }

  #meet(kinds: string, firsts: readonly string[], seconds: readonly string[]): void {
    const met = this.#met.get(kinds) ?? new Set();
    this.#met.set(kinds, met);
    for (const pair of pairsOf(firsts, seconds)) met.add(pair);
  }

  print(): string {
    const { user, system } = process.cpuUsage(this.#started);
    const seconds = (user + system) / 1e6;
    const rate = Math.round(this.#steps / seconds);
    const head = `${this.#steps} steps, ${this.runs} runs, ${this.#requests} requests in ${seconds.toFixed(1)} s of CPU: ${rate} steps per second`;
    const pairs = [...this.#met].map(([kinds, met]) => {
      const side = (index: number) => new Set([...met].map((pair) => pair.split(" × ")[index]));
      const all = pairsOf([...side(0)], [...side(1)]);
      const never = all.filter((pair) => !met.has(pair)).sort();
      return `${kinds}: ${met.size} of ${all.length} pairs met; never: ${never.join(", ") || "none"}`;
    });
    const broken = [...this.#broken].map(
      ([kind, seeds]) => `${seeds.length} × ${kind}: --seed ${seeds.slice(0, 8).join(", ")}`,
    );
    return `${[head, ...pairs, ...broken].join("\n")}\n`;
  }
}

function pairsOf(firsts: readonly unknown[], seconds: readonly unknown[]): string[] {
  return firsts.flatMap((first) => seconds.map((second) => `${first} × ${second}`));
}

function nameOf({ words }: Ran): string {
  const flag = words.find((word) => FLAGS.includes(word));
  return commandOf(words) + (flag ? ` ${flag}` : "");
}

function eventName({ fault, signal, kill, full, at }: Event): string {
  const others = kill ? "kill" : full ? "full disk" : "colleague";
  return fault ?? signal ?? (at === "question" ? "colleague at a question" : others);
}

function trapsOf({ freedoms, courses: { length }, providers }: World): string[] {
  const size = length > 100 ? "over 100 courses" : length === 0 ? "no courses" : "few courses";
  const taken = Object.entries(freedoms).map(([name, value]) => `${name} ${value}`);
  return [...taken, size, `${providers.length} providers`];
}
