/** Shared by the tests of commands: ids, courses, stored courses, and parsed output. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { StopRequest, type StopSignal } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY, parseSeeds } from "../../src/sandbox/seed.ts";
import { course, MemoryOutput, type Rig, type RunResult, rig, testClock } from "../rig.ts";
import { type ChooseBehavior, startUnreliableServer } from "../unreliable-server.ts";

/** The nth of a series of ids that no clock generates. */
export function id(number: number): string {
  return `abcdef00-0000-4000-9000-${String(number).padStart(12, "0")}`;
}

/** An id that no course has. */
export const ABSENT = "ffffffff-ffff-4fff-8fff-ffffffffffff";

/** The nth of many courses with different ids, names and urls. */
export function numberedCourse(number: number, changes: Readonly<Record<string, unknown>> = {}) {
  return course({
    id: id(number),
    name: `Course ${number}`,
    url: `https://academy.example/${number}`,
    ...changes,
  });
}

/** Starts a rig whose sandbox contains these courses. */
export async function rigWith(...courses: readonly Record<string, unknown>[]): Promise<Rig> {
  return courses.length === 0
    ? await rig()
    : await rig({ seed: parseSeeds([courses], testClock()) });
}

/** Two prices of a course. */
export const PRICES = [
  { type: "single_course", price: "10", currency: "USD" },
  { type: "single_course", price: "20", currency: "GBP" },
];

/** The request that names the target of a run. */
export const PROVIDERS = "GET /developer/v1/providers";

/** The request that updates course 1. */
export const PATCH = `PATCH /developer/v1/courses?id=${id(1)}`;

/** The courses in the sandbox, read without the command. */
export async function storedCourses({ sandbox }: Rig): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${sandbox.baseUrl}/developer/v1/courses?limit=100`, {
    headers: { "x-api-key": DEFAULT_KEY },
  });
  return (await answer.json()) as Record<string, unknown>[];
}

/** Every course by its id, without the slug and the other fields that the service chooses. */
export async function snapshot(r: Rig): Promise<Record<string, unknown>> {
  const courses = await storedCourses(r);
  return Object.fromEntries(
    courses.map(({ slug: _, last_fetched_at: __, ...course }) => [course.id, course]),
  );
}

/** Starts an unreliable server in front of the rig's sandbox. @returns it, and the variables that select it */
export async function unreliableService({ sandbox }: Rig, chooseBehavior: ChooseBehavior) {
  const server = await startUnreliableServer(sandbox.baseUrl, chooseBehavior);
  return { server, environment: { CATALOG_BASE_URL: server.baseUrl } };
}

/** Changes a course of the catalog without `push`, as a colleague in a web form does; null deletes it. */
export async function changeElsewhere(r: Rig, course: unknown, fields: object | null) {
  const path = `developer/v1/courses?id=${course}`;
  const words = fields === null ? ["DELETE", path] : ["PATCH", path, "-d", JSON.stringify(fields)];
  expect((await r.run(["api", ...words])).code).toBe(0);
}

/** What several requests can wait for until it is opened. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** The requests of a run as `METHOD path?query`, optionally of one method. */
export function requestsOf(ran: RunResult, method?: string): string[] {
  return ran.requests.filter((line) => method === undefined || line.startsWith(`${method} `));
}

/** The lines of a string that ends with a newline or is empty. */
export function lines(text: string): string[] {
  if (text === "") return [];
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

/** What every run that changes something says, which `run-steps.test.ts` is about. */
const FRAME = /^(Target: |To undo this run: |Deleted [\d,]+ courses?\. To restore )/;

/** The lines of standard error without the target of the run and the way to undo it. */
export function ownLines(stderr: string): string[] {
  return lines(stderr).filter((line) => !FRAME.test(line));
}

/** The requests of a run without the one that names its target. */
export function courseRequests(ran: Pick<RunResult, "requests">): string[] {
  return ran.requests.filter((line) => line !== PROVIDERS);
}

/** One line of JSON on standard error. */
export interface JsonMessage {
  readonly error?: Readonly<Record<string, unknown>> & { readonly message: string };
  readonly warning?: string;
  readonly notice?: string;
}

/** Standard error as one JSON object per line; fails if a line is not JSON. */
export function jsonMessages(ran: RunResult): JsonMessage[] {
  return lines(ran.stderr).map((line) => JSON.parse(line) as JsonMessage);
}

/** The errors on standard error. */
export function jsonErrors(ran: RunResult): NonNullable<JsonMessage["error"]>[] {
  return jsonMessages(ran).flatMap(({ error }) => error ?? []);
}

/** A problem as `check --json` prints it. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** The problems that `check --json` prints. */
export function findings(ran: Pick<RunResult, "stdout">): readonly Finding[] {
  return JSON.parse(ran.stdout).problems;
}

/** The rows of JSON output. */
export function jsonRows(ran: RunResult): Record<string, unknown>[] {
  const value: unknown = JSON.parse(ran.stdout);
  expect(Array.isArray(value)).toBe(true);
  return value as Record<string, unknown>[];
}

/** Expects a run that failed before any request, with a message and nothing on standard output. */
export function expectRefused(ran: RunResult, code: number): void {
  expect({ code: ran.code, stdout: ran.stdout, requests: ran.requests }).toEqual({
    code,
    stdout: "",
    requests: [],
  });
  expect(ran.stderr).toMatch(/^(\S+:\d+:\d+: )?error: \S/);
}

/** The paths of the records below a state folder of the rig, the oldest first. */
export async function recordFiles(
  { folder }: Pick<Rig, "folder">,
  below = ".local/state",
): Promise<string[]> {
  const path = join(folder, below, "catalog/history");
  const names = await readdir(path).catch(() => []);
  return names.sort().map((name) => join(path, name));
}

/** The run of a record file, as `catalog undo` accepts it. */
export function runOf(file: string): string {
  return basename(file, ".ndjson");
}

/** The objects of a record, one per line. */
export async function recordLines(file: string): Promise<Record<string, unknown>[]> {
  return lines(await readFile(file, "utf8")).map((line) => JSON.parse(line));
}

/** The complete courses that a record has of its deletions. */
export async function deletedCourses(file: string): Promise<unknown[]> {
  const writes = (await recordLines(file)).filter(({ action }) => action === "delete");
  return writes.map(({ before }) => before);
}

/** A running command that a test can stop and whose output it can read. */
export interface Running {
  readonly out: MemoryOutput;
  readonly err: MemoryOutput;
  readonly code: Promise<number>;
  /** Stops it like the signal of that name. */
  stop(signal: StopSignal): void;
}

/** Starts a command line without waiting for it to end. */
export function startCommand(
  r: Rig,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  input = "",
  terminal = false,
): Running {
  const stop = new StopRequest();
  const out = new MemoryOutput(terminal);
  const err = new MemoryOutput(terminal);
  const running = main(words, {
    ...r.system({
      out,
      err,
      input,
      terminal,
      environment: { PATH: process.env.PATH, ...environment },
    }),
    stop,
  });
  const code = running.then((ended) => {
    r.requireKeyless({ words, keys: [environment.CATALOG_API_KEY], outputs: [out.text, err.text] });
    return ended;
  });
  return { out, err, code, stop: (signal) => stop.abort(signal) };
}
