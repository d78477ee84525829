/** Counts what random histories played: commands, faults, traps of worlds, and which of them met. */

import { kindOf, type Played } from "./play.ts";
import { commandOf } from "./promises.ts";
import type { Ran } from "./simulation.ts";
import type { World } from "./world.ts";

export class Coverage {
  runs = 0;
  #steps = 0;
  #requests = 0;
  readonly #started = process.cpuUsage();
  readonly #pairs = new Map<string, Map<string, number>>();
  /** The numbers of the histories that broke a promise, by kind. */
  readonly #broken = new Map<string, number[]>();

  add(seed: number, played: Played): void {
    this.#steps += played.history.steps.length;
    const traits = traitsOf(played.history.world);
    for (const ran of played.runs) {
      this.runs++;
      this.#requests += ran.exchanges.length;
      const command =
        commandOf(ran.words) +
        (ran.words.find((word) => FLAGS.includes(word)) ?? "").replace("--", " --");
      for (const met of [`exit ${ran.code}`, ...eventsOf(ran), ...traits])
        this.#count(command, met);
    }
    if (played.violation === undefined) return;
    const kind = kindOf(played.violation);
    this.#broken.set(kind, [...(this.#broken.get(kind) ?? []), seed]);
  }

  #count(command: string, met: string): void {
    const row = this.#pairs.get(command) ?? new Map<string, number>();
    this.#pairs.set(command, row.set(met, (row.get(met) ?? 0) + 1));
  }

  print(): string {
    const { user, system } = process.cpuUsage(this.#started);
    const seconds = (user + system) / 1e6;
    const rate = Math.round(this.#steps / seconds);
    const head = `${this.#steps} steps, ${this.runs} runs, ${this.#requests} requests in ${seconds.toFixed(1)} s of CPU: ${rate} steps per second`;
    const columns = [
      ...new Set([...this.#pairs.values()].flatMap((row) => [...row.keys()])),
    ].sort();
    const rows = [...this.#pairs].sort().map(([command, row]) => {
      const cells = columns.filter((met) => row.has(met)).map((met) => `${met} ${row.get(met)}`);
      return `${command}: ${cells.join(", ")}`;
    });
    const broken = [...this.#broken].map(
      ([kind, seeds]) => `${seeds.length} × ${kind}: --seed ${seeds.slice(0, 8).join(", ")}`,
    );
    return `${[head, ...rows, ...broken].join("\n")}\n`;
  }
}

const FLAGS: readonly string[] = [
  "--prune",
  "--complete",
  "--base",
  "--plan",
  "--write-ids",
  "--force",
  "--fix",
  "--out",
];

function eventsOf({ events, answer }: Ran & { readonly answer?: string }): string[] {
  const names = events.map(
    ({ fault, signal, kill, full, at }) =>
      fault ??
      signal ??
      (kill
        ? "kill"
        : full
          ? "full disk"
          : at === "question"
            ? "colleague at a question"
            : "colleague"),
  );
  return answer === undefined ? names : [...names, "question"];
}

function traitsOf({ freedoms, courses, providers }: World): string[] {
  const { order, empty, ...flags } = freedoms;
  const set = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []));
  const size =
    courses.length > 100 ? "over 100 courses" : courses.length === 0 ? "no courses" : "few courses";
  return [order, `empty as ${empty}`, ...set, size, `${providers.length} providers`];
}
