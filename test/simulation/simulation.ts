/**
 * Runs a history: real command lines in this process, in virtual time, against a service that colleagues change and
 * whose answers fail as the history says. Everything that can be seen from outside is returned.
 */
import { once } from "node:events";
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { STOP_CODES } from "../../src/cli/command.ts";
import { StopRequest, type System } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import { MemoryOutput, Rig } from "../rig.ts";
import { type VirtualClock, virtualClock } from "./clock.ts";
import type {
  Change,
  Courses,
  Event,
  Interference,
  Person,
  Ran,
  RecordedStep,
  RunStep,
  Step,
} from "./history.ts";
import type { Course } from "./model.ts";
import { parseJson } from "./promises/run.ts";
import { Service, type Traffic } from "./service.ts";
import { setCell } from "./workbook.ts";
import type { World } from "./world.ts";

const BASE_URL = "https://service.example";

/** A run as it is typed, and what happens during it. */
export type Typed = Omit<RunStep, "do" | "probes">;

/** The virtual world of one history. */
export class Simulation {
  readonly world: World;
  readonly root = mkdtempSync(
    join(fs.existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "catalog-simulation-"),
  );
  readonly #clock = virtualClock();
  readonly #service: Service;

  constructor(world: World) {
    this.world = world;
    this.#service = new Service(world, this.#clock);
    for (const who of ["ada", "ben"] as const) {
      mkdirSync(this.#folder(who), { recursive: true });
      for (const [path, text] of Object.entries(world.files)) this.#write(who, path, text);
    }
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  courses(): Courses {
    return this.#service.courses();
  }

  /** The urls that courses have or had. */
  get urls(): ReadonlySet<string> {
    return this.#service.urls;
  }

  /** The CI job works in Ada's folder. */
  #folder(who: Person): string {
    return join(this.root, who === "ben" ? "ben" : "ada");
  }

  #write(who: Person, path: string, content: string | Uint8Array): void {
    const full = join(this.#folder(who), path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  /** The files of a person by path; those that are no text in Latin-1. */
  files(who: Person): Map<string, string> {
    const folder = this.#folder(who);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const read = (path: string) => readFileSync(path, path.endsWith(".xlsx") ? "latin1" : "utf8");
    return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), read(path)]));
  }

  /** Carries out a step that is no run. */
  prepare(step: Exclude<Step, RunStep>): void {
    if (step.do === "colleague") this.#service.interfere(step.change);
    else if (step.do === "clock") this.#clock.setBack(step.minutes);
    else if (step.do === "snapshot") this.#snapshot(step.who);
    else if (step.do === "write") this.#write(step.who, step.path, step.text);
    else {
      const content = this.files(step.who).get(step.path);
      if (content === undefined) return;
      if (step.do === "remove") rmSync(join(this.#folder(step.who), step.path));
      else if (step.do === "drop") {
        const lines = content.split("\n").filter((_, index) => index !== step.line);
        this.#write(step.who, step.path, lines.join("\n"));
      } else this.#write(step.who, step.path, setCell(Buffer.from(content, "latin1"), step));
    }
  }

  #snapshot(who: Person): void {
    rmSync(join(this.#folder(who), "base"), { recursive: true, force: true });
    for (const [path, text] of this.files(who)) {
      if (path.startsWith("courses/")) this.#write(who, path.replace("courses", "base"), text);
    }
  }

  #historyFolder(who: Person): string {
    return join(this.root, `home-${who}`, ".local/state/catalog/history");
  }

  /** The names of a person's runs, the newest first. */
  history(who: Person): string[] {
    const folder = this.#historyFolder(who);
    const names = fs.existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => name.endsWith(".ndjson"))
      .sort()
      .reverse();
  }

  /** Runs a command line. */
  async run({ who, words: written, answer, input = "", events = [] }: Typed): Promise<Ran> {
    const old = this.history(who);
    const words = written.map((word) => {
      const [, nth] = /^\$run(\d)$/.exec(word) ?? [];
      return nth === undefined ? word : (old[Number(nth) - 1]?.replace(".ndjson", "") ?? "no-run");
    });
    const [before, filesBefore] = [this.courses(), this.files(who)];
    const traffic: Traffic = { exchanges: [], writes: [] };
    const process = new Process(events, traffic, this.#service, this.#clock);
    const environment = {
      HOME: join(this.root, `home-${who}`),
      ...(who === "ci" ? { CI: "true" } : {}),
    };
    const isTerminal = answer !== undefined;
    const [out, err] = [new MemoryOutput(false), new MemoryOutput(isTerminal)];
    const rig = new Rig({ baseUrl: BASE_URL } as Sandbox, this.#folder(who));
    const usual = rig.system({ out, err, terminal: isTerminal, environment });
    const stream = isTerminal ? process.answer(err, answer) : new PassThrough().end(input);
    const system: System = {
      ...usual,
      io: { ...usual.io, in: { isTerminal, stream } },
      author: () => ({ user: who, host: "simulated" }),
      clock: this.#clock,
      stop: process.stop,
      deferShutdown: process.deferShutdown,
      openTransport: async () => ({ send: process.send, close: async () => undefined }),
    };
    // A run that never ends breaks a promise. Nothing waits for this limit.
    const hangs = once(AbortSignal.timeout(120_000), "abort").then(() => "hangs" as const);
    const code = await withFullDisk(
      process,
      async () => await Promise.race([main(words, system), process.exited, hangs]),
    );
    process.isDead = true;
    this.#service.finishLate(traffic, true);
    const file = words.includes("--record") ? words[words.indexOf("--record") + 1] : undefined;
    const fresh = this.history(who).find((name) => !old.includes(name));
    const recorded =
      file === undefined
        ? fresh && join(this.#historyFolder(who), fresh)
        : join(this.#folder(who), file);
    return {
      who,
      words,
      events,
      code,
      ...traffic,
      interferences: process.interferences,
      before,
      filesBefore,
      stdout: out.text,
      stderr: err.text,
      after: this.courses(),
      filesAfter: this.files(who),
      record: recorded === undefined ? undefined : readRecord(recorded),
      signal: process.stop.reason,
    };
  }
}

/** The process of a run: its requests, and the signals, kills and questions that it meets. */
class Process {
  readonly stop = new StopRequest();
  readonly interferences: Interference[] = [];
  isDead = false;
  isFull = false;
  readonly #events: readonly Event[];
  readonly #traffic: Traffic;
  readonly #service: Service;
  readonly #clock: VirtualClock;
  readonly #counts = new Map<string, number>();
  #deferrals = 0;
  #exit: (code: Ran["code"]) => void = () => undefined;
  /** Ends when the process is ended from outside. */
  readonly exited = new Promise<Ran["code"]>((resolve) => {
    this.#exit = resolve;
  });

  constructor(events: readonly Event[], traffic: Traffic, service: Service, clock: VirtualClock) {
    this.#events = events;
    this.#traffic = traffic;
    this.#service = service;
    this.#clock = clock;
  }

  readonly deferShutdown: System["deferShutdown"] = async (work) => {
    this.#deferrals++;
    return await work().finally(() => this.#deferrals--);
  };

  /** What a person types at the first question. */
  answer(err: MemoryOutput, text: string): PassThrough {
    const input = new PassThrough();
    let isAsked = false;
    err.stream.on("data", () => {
      const [question, number] = /Type\s+(\d+)\s+to\s+confirm:|\(y\/N\)/.exec(err.text) ?? [];
      if (isAsked || question === undefined) return;
      isAsked = true;
      for (const { at, colleague } of this.#events)
        if (at === "question" && colleague) this.#interfere(colleague);
      input.end(`${text === "yes" ? (number ?? "y") : text}\n`);
    });
    return input;
  }

  readonly send = async (request: HttpRequest, timeout: number): Promise<HttpResponse> => {
    await setImmediate();
    if (this.isDead) return await never();
    const { method } = request;
    const nth = (this.#counts.get(method) ?? 0) + 1;
    this.#counts.set(method, nth);
    let fault: string | undefined;
    for (const event of this.#events) {
      const [on, from] = event.at.split(" ");
      const after = nth - Number(from);
      if (on !== method || !(after >= 0 && after < (event.times ?? 1))) continue;
      if (event.colleague) this.#interfere(event.colleague);
      if (event.signal) this.stop.abort(event.signal);
      if (event.signal && this.#deferrals === 0) return await this.#end(STOP_CODES[event.signal]);
      if (event.full) this.isFull = true;
      if (event.kill) return await this.#end("killed");
      fault ??= event.fault;
    }
    this.#service.finishLate(this.#traffic, false);
    const { pathname, search, searchParams } = new URL(request.url);
    const body: Course | undefined = request.body && JSON.parse(String(request.body));
    const id = String(searchParams.get("id") ?? body?.id ?? "").toLowerCase() || undefined;
    const [at, target] = [this.#clock.monotonic(), pathname + search];
    this.#traffic.exchanges.push({ method, target, id, body, at, fault });
    return await this.#service.answer(request, this.#traffic, timeout);
  };

  #interfere(change: Change): void {
    const index = this.#traffic.exchanges.length;
    const done = this.#service.interfere(change);
    if (done !== undefined) this.interferences.push({ ...done, index });
  }

  /** Ends the process in the middle of a request. */
  async #end(code: Ran["code"]): Promise<never> {
    this.isDead = true;
    this.#exit(code);
    return await never();
  }
}

async function never(): Promise<never> {
  return await new Promise<never>(() => undefined);
}

/** No disk is full on purpose: the one function that appends to records fails instead. */
async function withFullDisk<Result>(
  process: Process,
  work: () => Promise<Result>,
): Promise<Result> {
  const append = fs.appendFileSync;
  fs.appendFileSync = ((...parts: Parameters<typeof append>) => {
    if (process.isFull) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    append(...parts);
  }) as typeof append;
  syncBuiltinESMExports();
  return await work().finally(() => {
    fs.appendFileSync = append;
    syncBuiltinESMExports();
  });
}

function readRecord(path: string): Ran["record"] {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
  const values = lines.filter((line) => line !== undefined) as Record<string, unknown>[];
  const [header = {}, ...rest] = values;
  const statuses = new Map(
    rest.filter(({ step }) => step !== undefined).map(({ step, status }) => [step, String(status)]),
  );
  const steps = rest.filter(({ action }) => action !== undefined);
  return {
    name: path.split("/").at(-1)?.replace(".ndjson", "") ?? "",
    header,
    steps: steps.map((step, index) => ({
      ...(step as unknown as RecordedStep),
      status: statuses.get(index + 1),
    })),
  };
}
