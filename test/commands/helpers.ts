/** What the tests of the commands share: ids, files, what the sandbox holds, what a stream says. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { main } from "../../src/main.ts";
import { courseSeed, DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, MemoryOutput, type Ran, type Rig, rig, testClock } from "../rig.ts";
import { type Fate, type Unreliable, unreliable } from "../unreliable.ts";

/** The nth id of a family that no clock gives out. */
export function id(number: number): string {
  return `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
}

/** An id that no course has. */
export const ABSENT = "ffffffff-ffff-4fff-8fff-ffffffffffff";

/** The nth of many courses, each with an id, a name and a url of its own. */
export function numbered(number: number, changes: Readonly<Record<string, unknown>> = {}) {
  return course({
    id: id(number),
    name: `Course ${number}`,
    url: `https://academy.example/${number}`,
    ...changes,
  });
}

/** A rig whose sandbox holds these courses. */
export async function holding(...courses: readonly Record<string, unknown>[]): Promise<Rig> {
  return courses.length === 0 ? await rig() : await rig({ seed: courseSeed(courses, testClock()) });
}

/** What the sandbox holds, read without the command. */
export async function held({ sandbox }: Rig): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${sandbox.baseUrl}/developer/v1/courses?limit=100`, {
    headers: { "x-api-key": DEFAULT_KEY },
  });
  return (await answer.json()) as Record<string, unknown>[];
}

/** A server before the rig's sandbox that answers as told, and the variables that lead to it. */
export async function spoilt(
  { sandbox }: Rig,
  fate: (seen: { readonly method: string; readonly url: string; readonly number: number }) => Fate,
): Promise<{ server: Unreliable; environment: Record<string, string> }> {
  const server = await unreliable(sandbox.baseUrl, fate);
  return { server, environment: { CATALOG_BASE_URL: server.baseUrl } };
}

/** The method and query of each request that was sent. */
export function sent(ran: Ran, method?: string): string[] {
  return ran.requests.filter((line) => method === undefined || line.startsWith(`${method} `));
}

/** The lines of a text that ends its last line. */
export function lines(text: string): string[] {
  if (text === "") return [];
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

/** One line of JSON on standard error. */
export interface Said {
  readonly error?: Readonly<Record<string, unknown>> & { readonly message: string };
  readonly warning?: string;
  readonly notice?: string;
}

/** Standard error as one JSON object a line; fails where a line is none. */
export function said(ran: Ran): Said[] {
  return lines(ran.stderr).map((line) => JSON.parse(line) as Said);
}

/** The failures on standard error. */
export function errors(ran: Ran): NonNullable<Said["error"]>[] {
  return said(ran).flatMap(({ error }) => error ?? []);
}

/** The rows of a command's JSON output. */
export function rows(ran: Ran): Record<string, unknown>[] {
  const value: unknown = JSON.parse(ran.stdout);
  expect(Array.isArray(value)).toBe(true);
  return value as Record<string, unknown>[];
}

/** A run that was refused before any request, with a message and nothing on standard output. */
export function expectRefused(ran: Ran, code: number): void {
  expect({ code: ran.code, stdout: ran.stdout, requests: ran.requests }).toEqual({
    code,
    stdout: "",
    requests: [],
  });
  expect(ran.stderr).toMatch(/^(\S+:\d+:\d+: )?error: \S/);
}

/** The files below a state folder of the rig's that hold what was deleted. */
export async function backups({ folder }: Rig, below = ".local/state"): Promise<string[]> {
  const place = join(folder, below, "catalog/deleted");
  const names = await readdir(place).catch(() => []);
  return names.map((name) => join(place, name));
}

/** A run that a test can stop, and read while it goes on. */
export interface Running {
  readonly out: MemoryOutput;
  readonly err: MemoryOutput;
  readonly code: Promise<number>;
  /** As the signal of that name does. */
  stop(signal: "SIGINT" | "SIGTERM"): void;
}

/** Starts a command line without waiting for its end. */
export function start(
  r: Rig,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): Running {
  const controller = new AbortController();
  const out = new MemoryOutput();
  const err = new MemoryOutput();
  const running = main(words, {
    ...r.system({ out, err, environment: { PATH: process.env.PATH, ...environment } }),
    signal: controller.signal,
  });
  const code = running.then((ended) => {
    r.requireKeyless({ words, keys: [environment.CATALOG_API_KEY], outputs: [out.text, err.text] });
    return ended;
  });
  return { out, err, code, stop: (signal) => controller.abort(signal) };
}
