/** A service that gives whatever a test says, and what no answer may bring a run to. */
import { expect } from "vitest";
import { numberedCourse, unreliableService } from "../commands/helpers.ts";
import { PROVIDER_ID, type Rig, type RunOptions, type RunResult, rig } from "../rig.ts";

/** Clears the screen, sets the title, turns the text round, breaks lines, rings. */
export const HOSTILE_TEXT =
  "a\x1b[2Jb\x1b]0;owned\x07c\u202ed\u2066e\u200ef\ng\rh\u009bi\u2028j\x7fk";

/** What a terminal acts on, its own line ends apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the tests look for
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** Fails when a run without colors sent a terminal something that it acts on. */
export function expectSafe(ran: Pick<RunResult, "stdout" | "stderr">): void {
  expect(ran.stdout.replaceAll("\r\n", "\n")).not.toMatch(RAW);
  expect(ran.stderr).not.toMatch(RAW);
}

/** Fails when a run ended by a fault of the program's own, or shows its insides. */
export function expectNoInternals({ stderr }: Pick<RunResult, "stderr">): void {
  expect(stderr).not.toContain("inside catalog");
  expect(stderr).not.toMatch(/^\s+at .*[:(]/m);
}

/** The sandbox's provider as the service gives it. */
export const PROVIDER = {
  id: PROVIDER_ID,
  name: "Example Academy",
  description: null,
  slug: "example-academy",
  url: "https://academy.example",
  domain: null,
  published: true,
};

/** The text of an answer by what is asked for; the provider and no course where it says nothing. */
export type Responder = (asked: {
  readonly method: string;
  readonly url: string;
  /** The number of the first row that is asked for. */
  readonly offset: number;
}) => string | undefined;

/** A rig in front of such a service. */
export interface HostileService {
  readonly r: Rig;
  /** Changes what the service answers. */
  respondWith(answers: Responder): void;
  /** Runs a command line; a terminal is one without colors and progress lines. */
  run(words: readonly string[], options?: RunOptions): Promise<RunResult>;
}

/** Starts one; it ends with the test. */
export async function startHostileService(
  first: Responder = () => undefined,
): Promise<HostileService> {
  const r = await rig();
  let answers = first;
  const { environment } = await unreliableService(r, ({ method, url }) => {
    const offset = Number(/[?&]offset=(\d+)/.exec(url)?.[1] ?? 0);
    const usual = url.includes("/providers") ? JSON.stringify([PROVIDER]) : "[]";
    return { status: 200, body: answers({ method, url, offset }) ?? usual };
  });
  return {
    r,
    respondWith: (next) => {
      answers = next;
    },
    run: (words, options = {}) =>
      r.run(words, { ...options, environment: { TERM: "dumb", ...environment } }),
  };
}

/** Such a rig whose service lists these courses on one page, whatever is asked for. */
export async function serviceListing(...courses: readonly unknown[]): Promise<HostileService> {
  const body = JSON.stringify(courses);
  return await startHostileService(({ url }) => (url.includes("/courses") ? body : undefined));
}

/** The answer that is a page of these courses, for `hostile`. */
export function coursePage(from: number, count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => numberedCourse(from + index)));
}
