/**
 * Runs a history: real command lines in this process, in virtual time, against a service that colleagues change and
 * whose answers fail as the history says. Everything that can be seen from outside is returned.
 */
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { STATUS_CODES } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { read, utils, write } from "@e965/xlsx";
import { STOP_CODES } from "../../src/cli/command.ts";
import { StopRequest, type StopSignal, type System } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { respond } from "../../src/sandbox/endpoints.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import {
  memoryStore,
  type Store,
  type StoredCourse,
  toStoredCourse,
} from "../../src/sandbox/store.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import { MemoryOutput, Rig } from "../rig.ts";
import { type Course, normalUrl } from "./model.ts";
import { Random, type World } from "./world.ts";

/** What a colleague does in a web form. */
export type Change =
  | { readonly op: "change"; readonly id: string; readonly fields: Course }
  | { readonly op: "add"; readonly course: Course }
  | { readonly op: "delete"; readonly id: string };

/** What happens to a request: `done` faults happen after the service has carried it out. */
export const FAULTS = [
  "refused",
  "reset",
  "lost",
  "cut",
  "late",
  "slow",
  "html",
  "html done",
  "garbage",
  "429",
  "429 wait",
  "500",
  "500 done",
  "500 hint",
  "502",
  "502 done",
  "503",
  "503 done",
  "503 wait",
  "504 done",
  "401",
] as const;

export type Fault = (typeof FAULTS)[number];

/** What happens before a request of a run, such as `POST 2`, or while it asks a question. */
export interface Event {
  readonly at: string;
  readonly colleague?: Change;
  readonly fault?: Fault;
  /** How many requests of this method have the fault. */
  readonly times?: number;
  readonly signal?: StopSignal;
  readonly kill?: boolean;
  /** Whether no record can grow from now on. */
  readonly full?: boolean;
}

export type Person = "ada" | "ben" | "ci";

/** What the simulator does around a run: see what it would do, repeat it, or undo it. */
export type Probe = "shown" | "again" | "undone";

export interface RunStep {
  readonly do: "run";
  readonly who: Person;
  readonly words: readonly string[];
  /** What the person types at a question on a terminal. */
  readonly answer?: string;
  /** What standard input is, without a terminal. */
  readonly input?: string;
  readonly events?: readonly Event[];
  readonly probes?: readonly Probe[];
}

/** An edit of a workbook: a cell, a row that is removed or added, or a column that is removed. */
export interface CellStep {
  readonly do: "cell";
  readonly who: Person;
  readonly path: string;
  /** The course of the row; undefined for the complete column. */
  readonly id?: string;
  /** Undefined for the complete row. */
  readonly column?: string;
  /** Undefined for a row or column that is removed. The cells of a row that is added are JSON. */
  readonly value?: string;
}

export type Step =
  | RunStep
  | { readonly do: "write"; readonly who: Person; readonly path: string; readonly text: string }
  | { readonly do: "remove"; readonly who: Person; readonly path: string }
  | CellStep
  | { readonly do: "drop"; readonly who: Person; readonly path: string; readonly line: number }
  | { readonly do: "snapshot"; readonly who: Person }
  | { readonly do: "colleague"; readonly change: Change };

export interface History {
  readonly world: World;
  readonly steps: readonly Step[];
}

/** One request of a run. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  /** The id of the course of the query or of the body, in lowercase. */
  readonly id: string | undefined;
  readonly body: Course | undefined;
  fault: Fault | undefined;
  /** The courses of a complete answer, as they were written. */
  rows?: readonly Course[];
}

/** One change that took effect, and the courses that had its url before. */
export interface Write {
  readonly method: string;
  readonly id: string;
  readonly body: Course | undefined;
  readonly before: Course | undefined;
  readonly after: Course | undefined;
  readonly sameUrl: readonly string[];
  /** The number of requests before it. */
  readonly index: number;
}

/** A change of a colleague during a run. `index` is the number of requests before it. */
export interface Interference extends Omit<Write, "method" | "body" | "sameUrl"> {
  readonly atQuestion: boolean;
}

export type Courses = ReadonlyMap<string, Course>;

/** The record of a run as it was read: its steps with their statuses. */
export interface RecordedStep {
  readonly action: string;
  readonly id: string;
  readonly before?: Course;
  readonly body?: Course;
  readonly status: string | undefined;
}

/** Everything that a run did. */
export interface Ran {
  readonly who: Person;
  /** The words as they were typed. */
  readonly words: readonly string[];
  readonly events: readonly Event[];
  readonly code: number | "killed" | "hangs";
  readonly stdout: string;
  readonly stderr: string;
  readonly exchanges: readonly Exchange[];
  readonly writes: readonly Write[];
  readonly interferences: readonly Interference[];
  readonly before: Courses;
  readonly after: Courses;
  readonly filesBefore: ReadonlyMap<string, string>;
  readonly filesAfter: ReadonlyMap<string, string>;
  readonly record:
    | { readonly name: string; readonly header: Course; readonly steps: readonly RecordedStep[] }
    | undefined;
  /** Whether a stop signal came before the run ended. */
  readonly signal: StopSignal | undefined;
}

const BASE_URL = "https://service.example";

/** The virtual world of one history. */
export class Simulation {
  readonly world: World;
  readonly root = mkdtempSync(
    join(fs.existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "catalog-simulation-"),
  );
  /** The urls that courses have or had. */
  readonly urls = new Set<string>();
  readonly #store: Store;
  readonly #touched = new Map<string, number>();
  readonly #late: { request: HttpRequest; due: number }[] = [];
  readonly #random = new Random(7);
  #elapsed = 0;
  #ids = 0;
  #changes = 0;

  constructor(world: World) {
    this.world = world;
    const providers = world.providers.map((each) => ({
      ...each,
      description: "",
      domain: null,
      published: true,
    }));
    const courses = world.courses.map((each) => toStoredCourse(each, this.#clock));
    for (const { url } of courses) this.urls.add(String(url));
    this.#store = memoryStore({ users: [{ key: DEFAULT_KEY, providers, courses }] });
    for (const [path, text] of Object.entries(world.files)) {
      this.writeFile("ada", path, text);
      this.writeFile("ben", path, text);
    }
    for (const who of ["ada", "ben"] as const) mkdirSync(this.folder(who), { recursive: true });
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  readonly #clock = {
    now: () => Date.UTC(2026, 0, 31, 12) + this.#elapsed,
    monotonic: () => this.#elapsed,
    random: () => this.#random.next(),
    uuid: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, "0")}`,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      this.#elapsed += milliseconds;
      await setImmediate();
      signal?.throwIfAborted();
    },
  };

  /** The CI job works in Ada's folder. */
  folder(who: Person): string {
    return join(this.root, who === "ben" ? "ben" : "ada");
  }

  courses(): Courses {
    return new Map(this.#store.all().map((course) => [course.id, course]));
  }

  writeFile(who: Person, path: string, content: string | Uint8Array): void {
    const full = join(this.folder(who), path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }

  /** The files of a person by path; those that are no text in Latin-1. */
  files(who: Person): Map<string, string> {
    const folder = this.folder(who);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const read = (path: string) => readFileSync(path, path.endsWith(".xlsx") ? "latin1" : "utf8");
    return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), read(path)]));
  }

  /** Carries out a step that is no run. */
  prepare(step: Exclude<Step, RunStep>): void {
    if (step.do === "colleague") {
      this.#interfere(step.change);
      return;
    }
    const { who } = step;
    if (step.do === "snapshot") {
      rmSync(join(this.folder(who), "base"), { recursive: true, force: true });
      for (const [path, text] of this.files(who)) {
        if (path.startsWith("courses/")) this.writeFile(who, path.replace("courses", "base"), text);
      }
      return;
    }
    const content = this.files(who).get(step.path);
    if (step.do === "write") this.writeFile(who, step.path, step.text);
    else if (content === undefined) return;
    else if (step.do === "remove") rmSync(join(this.folder(who), step.path));
    else if (step.do === "drop") {
      const lines = content.split("\n").filter((_, index) => index !== step.line);
      this.writeFile(who, step.path, lines.join("\n"));
    } else this.writeFile(who, step.path, setCell(Buffer.from(content, "latin1"), step));
  }

  /** The names of a person's runs, the newest first. */
  history(who: Person): string[] {
    const folder = join(this.root, `home-${who}`, ".local/state/catalog/history");
    return fs.existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith(".ndjson"))
          .sort()
          .reverse()
      : [];
  }

  /** Runs a command line. */
  async run({
    who,
    words: written,
    answer,
    input: typed = "",
    events = [],
  }: Omit<RunStep, "do" | "probes">): Promise<Ran> {
    const old = this.history(who);
    const words = written.map((word) => {
      const [, nth] = /^\$run(\d)$/.exec(word) ?? [];
      return nth === undefined ? word : (old[Number(nth) - 1]?.replace(".ndjson", "") ?? "no-run");
    });
    const before = this.courses();
    const filesBefore = this.files(who);
    const exchanges: Exchange[] = [];
    const writes: Write[] = [];
    const interferences: Interference[] = [];
    const stop = new StopRequest();
    const isTerminal = answer !== undefined;
    const [out, err] = [new MemoryOutput(false), new MemoryOutput(isTerminal)];
    const input = new PassThrough();
    const interfere = (change: Change, atQuestion: boolean): void => {
      const index = exchanges.length;
      const done = this.#interfere(change);
      if (done !== undefined) interferences.push({ ...done, index, atQuestion });
    };
    if (isTerminal) {
      let asked = false;
      err.stream.on("data", () => {
        const [question, number] = /Type\s+(\d+)\s+to\s+confirm:|\(y\/N\)/.exec(err.text) ?? [];
        if (asked || question === undefined) return;
        asked = true;
        for (const { at, colleague } of events)
          if (at === "question" && colleague) interfere(colleague, true);
        input.end(`${answer === "yes" ? (number ?? "y") : answer}\n`);
      });
    } else input.end(typed);
    let isDead = false;
    let deferrals = 0;
    let exit: (code: Ran["code"]) => void = () => undefined;
    const exited = new Promise<Ran["code"]>((resolve) => {
      exit = resolve;
    });
    /** Ends the process in the middle of a request. */
    const end = async (code: Ran["code"]): Promise<never> => {
      isDead = true;
      exit(code);
      return await new Promise<never>(() => undefined);
    };
    let isFull = false;
    const counts = new Map<string, number>();
    const send = async (request: HttpRequest, timeout: number): Promise<HttpResponse> => {
      await setImmediate();
      if (isDead) return await new Promise<never>(() => undefined);
      const { method } = request;
      const nth = (counts.get(method) ?? 0) + 1;
      counts.set(method, nth);
      let fault: Fault | undefined;
      for (const event of events) {
        const [on, from] = event.at.split(" ");
        const after = nth - Number(from);
        if (on !== method || !(after >= 0 && after < (event.times ?? 1))) continue;
        if (event.colleague) interfere(event.colleague, false);
        if (event.signal) stop.abort(event.signal);
        if (event.signal && deferrals === 0) return await end(STOP_CODES[event.signal]);
        if (event.full) isFull = true;
        if (event.kill) return await end("killed");
        fault ??= event.fault;
      }
      for (const late of this.#late.splice(0)) {
        if (late.due > exchanges.length) this.#late.push(late);
        else this.#process(late.request, exchanges.length, writes);
      }
      const { pathname, search, searchParams } = new URL(request.url);
      const body: Course | undefined =
        request.body === undefined ? undefined : JSON.parse(String(request.body));
      const id = String(searchParams.get("id") ?? body?.id ?? "").toLowerCase() || undefined;
      const exchange: Exchange = { method, target: pathname + search, id, body, fault };
      exchanges.push(exchange);
      return await this.#answer(request, exchange, exchanges.length, writes, timeout);
    };
    const environment = {
      HOME: join(this.root, `home-${who}`),
      ...(who === "ci" ? { CI: "true" } : {}),
    };
    const rig = new Rig({ baseUrl: BASE_URL } as Sandbox, this.folder(who));
    const usual = rig.system({ out, err, terminal: isTerminal, environment });
    const system: System = {
      ...usual,
      io: { ...usual.io, in: { isTerminal, stream: input } },
      author: () => ({ user: who, host: "simulated" }),
      clock: this.#clock,
      stop,
      deferShutdown: async (work) => {
        deferrals++;
        return await work().finally(() => deferrals--);
      },
      openTransport: async () => ({ send, close: async () => undefined }),
    };
    const append = fs.appendFileSync;
    if (events.some(({ full }) => full)) {
      // No disk is full on purpose: the one function that appends to records fails instead.
      fs.appendFileSync = ((...parts: Parameters<typeof append>) => {
        if (isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
        append(...parts);
      }) as typeof append;
      syncBuiltinESMExports();
    }
    // Nothing waits for this timer: it ends only a run that would never end, which is a broken promise.
    let hang: NodeJS.Timeout | undefined;
    const hangs = new Promise<"hangs">((resolve) => {
      hang = setTimeout(() => resolve("hangs"), 30_000);
    });
    const code = await Promise.race([main(words, system), exited, hangs]);
    clearTimeout(hang);
    if (fs.appendFileSync !== append) {
      fs.appendFileSync = append;
      syncBuiltinESMExports();
    }
    isDead = true;
    for (const late of this.#late.splice(0)) this.#process(late.request, exchanges.length, writes);
    const named = words[words.indexOf("--record") + 1];
    const fresh = this.history(who).find((name) => !old.includes(name));
    const recorded = words.includes("--record")
      ? join(this.folder(who), named ?? "")
      : fresh && join(this.root, `home-${who}`, ".local/state/catalog/history", fresh);
    return {
      who,
      words,
      events,
      code,
      exchanges,
      writes,
      interferences,
      before,
      filesBefore,
      stdout: out.text,
      stderr: err.text,
      after: this.courses(),
      filesAfter: this.files(who),
      record:
        recorded !== undefined && fs.statSync(recorded, { throwIfNoEntry: false })?.isFile()
          ? readRecord(recorded)
          : undefined,
      signal: stop.reason,
    };
  }

  /** Carries out a request, with the fault that the history gives it. */
  async #answer(
    request: HttpRequest,
    exchange: Exchange,
    index: number,
    writes: Write[],
    timeout: number,
  ): Promise<HttpResponse> {
    const { fault } = exchange;
    const fail = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };
    const reply = (
      status: number,
      body = "",
      headers: Record<string, string> = {},
    ): HttpResponse => ({
      status,
      reason: STATUS_CODES[status] ?? "",
      headers,
      body: Buffer.from(body),
    });
    if (fault === "slow") this.#elapsed += 25_000;
    if (fault === "refused") fail("ECONNREFUSED");
    if (fault === "reset") fail("ECONNRESET");
    if (fault === "late") {
      this.#late.push({ request, due: index + 2 });
      this.#elapsed += timeout;
      throw new DOMException("no response in time", "TimeoutError");
    }
    const hint = (text: string | null): string => JSON.stringify({ hint: text, details: null });
    const [kind = "", when] = fault?.split(" ") ?? [];
    if (when !== "done" && /^\d/.test(kind)) {
      const headers: Record<string, string> = when === "wait" ? { "retry-after": "3" } : {};
      return reply(
        Number(kind),
        hint(when === "hint" ? "Too Busy" : kind === "401" ? "Invalid API Key" : null),
        headers,
      );
    }
    if (fault === "html") return reply(200, "<!doctype html><title>Log in</title>");
    const answer = this.#process(request, index, writes);
    if (fault === "lost") fail("ECONNRESET");
    if (fault === "cut") fail("UND_ERR_SOCKET");
    if (fault === "html done") return reply(200, "<html><body>proxy</body></html>");
    if (when === "done") return reply(Number(kind), hint(null));
    if (fault === "garbage") return reply(answer.status, String(answer.body ?? "").slice(0, -7));
    const content = String(answer.body ?? "");
    if (answer.status === 200 && exchange.target.includes("/courses"))
      exchange.rows = JSON.parse(content);
    return reply(answer.status, content, { "content-type": "application/json; charset=utf-8" });
  }

  #process(request: HttpRequest, index: number, writes: Write[]) {
    const { method, url, headers } = request;
    const { pathname, search, searchParams } = new URL(url);
    const body = Buffer.from(request.body ?? "");
    const sent: Course | undefined =
      method === "POST" || method === "PATCH" ? JSON.parse(String(body)) : undefined;
    const id = String(searchParams.get("id") ?? sent?.id ?? "").toLowerCase();
    const before = this.#store.find(id);
    const sameUrl = sent?.url === undefined ? [] : this.#withUrl(sent.url, id);
    const target = pathname + search;
    const answer = respond(
      { method, target, headers, body },
      { store: this.#view, clock: this.#clock },
    );
    const after = this.#store.find(id);
    if (method !== "GET" && before !== after)
      writes.push({ method, id, body: sent, before, after, sameUrl, index });
    return answer;
  }

  #withUrl(url: unknown, but: string): string[] {
    const wanted = normalUrl(url);
    return this.#store
      .all()
      .filter((each) => each.id !== but && normalUrl(each.url) === wanted)
      .map((each) => each.id);
  }

  /** The store as this service shows and changes it. */
  get #view(): Store {
    const { freedoms } = this.world;
    return {
      ...this.#store,
      put: (course) => this.#put(course),
      courses: (user, query) => {
        const all = this.#store.courses(user, {
          ...query,
          limit: Number.POSITIVE_INFINITY,
          offset: 0,
        });
        const rows = this.#sort([...all]);
        // The last course is never shown, and another one twice.
        if (freedoms.isRestless && query.id === undefined && rows.length > 2)
          rows[rows.length - 1] = rows[0] as StoredCourse;
        return rows
          .slice(query.offset, query.offset + query.limit)
          .map((row) => this.#represent(row));
      },
    };
  }

  #put(course: StoredCourse): void {
    const { urls, trims } = this.world.freedoms;
    const written = String(course.url);
    const spelled = {
      kept: written,
      lowered: written.replace(/\/\/[^/]*/, (host) => host.toLowerCase()),
      slashed: written.replace(/^([^?]*[^/?])(\?.*)?$/, "$1/$2"),
      unslashed: written.replace(/^([^?]*)\/(\?.*)?$/, "$1$2"),
    };
    let kept: StoredCourse = { ...course, url: spelled[urls] };
    if (trims)
      kept = {
        ...kept,
        name: kept.name.trim().replace(/ {2,}/g, " "),
        short_description: String(kept.short_description).trim(),
      };
    this.urls.add(String(course.url));
    this.#touched.set(course.id, ++this.#changes);
    if (this.world.freedoms.order === "changed-last") this.#store.remove(course.id);
    this.#store.put(kept);
  }

  #sort(rows: StoredCourse[]): StoredCourse[] {
    const { order } = this.world.freedoms;
    if (order === "by-name")
      rows.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
    const changed = ({ id }: StoredCourse): number => this.#touched.get(id) ?? 0;
    if (order === "changed-first") rows.sort((one, other) => changed(other) - changed(one));
    return rows;
  }

  #represent(course: StoredCourse): StoredCourse {
    const { empty, numbersAsText, upperIds } = this.world.freedoms;
    const entries = Object.entries(course).flatMap(([field, value]): [string, unknown][] => {
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      if (isEmpty && empty === "absent") return [];
      if (
        isEmpty &&
        empty === "list" &&
        /^(prices|level|instructors|syllabus|subtitles_text)$/.test(field)
      )
        return [[field, []]];
      if (numbersAsText && typeof value === "number") return [[field, String(value)]];
      if (upperIds && (field === "id" || field === "provider_id"))
        return [[field, String(value).toUpperCase()]];
      return [[field, value]];
    });
    return Object.fromEntries(entries) as StoredCourse;
  }

  /** Does what a colleague does. Undefined if it is not possible any more. */
  #interfere(change: Change): Omit<Interference, "index" | "atQuestion"> | undefined {
    const id = String(change.op === "add" ? change.course.id : change.id).toLowerCase();
    const before = this.#store.find(id);
    if ((before === undefined) !== (change.op === "add")) return undefined;
    if (change.op === "delete") this.#store.remove(id);
    else
      this.#put(
        toStoredCourse(
          change.op === "add" ? change.course : { ...before, ...change.fields },
          this.#clock,
        ),
      );
    return { id, before, after: this.#store.find(id) };
  }
}

/** The cells of the first sheet of a workbook. */
export function readSheet(bytes: Buffer): string[][] {
  const book = read(bytes);
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
  return utils.sheet_to_json<string[]>(sheet, { header: 1, defval: "" });
}

/** A workbook after an edit, as a spreadsheet program saves it. */
function setCell(bytes: Buffer, { id, column, value }: CellStep): Buffer {
  const book = read(bytes);
  const rows = readSheet(bytes);
  const [header = []] = rows;
  const row = rows.findIndex((cells) => id && cells[header.indexOf("id")]?.toLowerCase() === id);
  const index = header.indexOf(column ?? "");
  if (column === undefined && value !== undefined) {
    const cells: Course = JSON.parse(value);
    rows.push(header.map((name) => String(cells[name] ?? "")));
  } else if ((row === -1 && id !== undefined) || (index === -1 && column !== undefined))
    return bytes;
  else if (id === undefined) for (const cells of rows) cells.splice(index, 1);
  else if (column === undefined) rows.splice(row, 1);
  else (rows[row] as string[])[index] = value ?? "";
  book.Sheets[book.SheetNames[0] ?? ""] = utils.aoa_to_sheet(rows);
  return write(book, { type: "buffer", bookType: "xlsx" });
}

function readRecord(path: string): Ran["record"] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const values: Record<string, unknown>[] = lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
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
