/** A service with arbitrary responses, and what no response may cause. */
import { expect } from "vitest";
import { numberedCourse, unreliableService } from "../commands/helpers.ts";
import { PROVIDER_ID, type RunOptions, type RunResult, rig } from "../rig.ts";

/** Text that clears the screen, sets the title, reverses text, breaks lines and rings. */
export const HOSTILE_TEXT =
  "a\x1b[2Jb\x1b]0;owned\x07c\u202ed\u2066e\u200ef\ng\rh\u009bi\u2028j\x7fk";

/** Control characters, except line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the tests look for
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** Fails if a run without colors printed control characters. */
export function expectSafe(ran: Pick<RunResult, "stdout" | "stderr">): void {
  expect(ran.stdout.replaceAll("\r\n", "\n")).not.toMatch(RAW);
  expect(ran.stderr).not.toMatch(RAW);
}

/** Fails if a run ended with an internal error or printed a stack trace. */
export function expectNoInternals({ stderr }: Pick<RunResult, "stderr">): void {
  expect(stderr).not.toContain("this is a bug in catalog");
  expect(stderr).not.toMatch(/^\s+at .*[:(]/m);
}

/** The sandbox's provider as the service returns it. */
export const PROVIDER = {
  id: PROVIDER_ID,
  name: "Example Academy",
  description: null,
  slug: "example-academy",
  url: "https://academy.example",
  domain: null,
  published: true,
};

/** Returns the response body for a request; by default one provider or no courses. */
export type Responder = (asked: {
  readonly method: string;
  readonly url: string;
  /** The requested offset. */
  readonly offset: number;
}) => string | undefined;

/** A rig connected to such a service. */
export type HostileService = Awaited<ReturnType<typeof startHostileService>>;

/** Starts a service; it stops after the test. */
export async function startHostileService(answers: Responder = () => undefined) {
  const r = await rig();
  const { environment } = await unreliableService(r, ({ method, url }) => {
    if (method === "DELETE") return { status: 204 };
    const offset = Number(/[?&]offset=(\d+)/.exec(url)?.[1] ?? 0);
    const usual = url.includes("/providers") ? JSON.stringify([PROVIDER]) : "[]";
    return { status: 200, body: answers({ method, url, offset }) ?? usual };
  });
  /** Runs a command line; a terminal has no colors and no progress line. */
  const run = (line: readonly string[] | string, options: RunOptions = {}) =>
    r.run(line, { ...options, environment: { TERM: "dumb", ...environment } });
  return { r, run };
}

/** Starts a service that always lists these courses on one page. */
export async function serviceListing(...courses: readonly unknown[]): Promise<HostileService> {
  const body = JSON.stringify(courses);
  return await startHostileService(({ url }) => (url.includes("/courses") ? body : undefined));
}

/** A response body with these courses. */
export function coursePage(from: number, count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => numberedCourse(from + index)));
}
