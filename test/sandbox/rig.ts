/** Starts real sandboxes for the tests and speaks to them in literal HTTP. */
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { defaultSeed } from "../../src/sandbox/seed.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore, type Seed } from "../../src/sandbox/store.ts";
import { course, testClock as rigClock, type TestClock } from "../rig.ts";

export const KEY = "sandbox.0123456789abcdef";
export const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
export const OTHER_ID = "7c2f3c1e-93a4-4a4e-8a3b-0c1f2e3d4b5a";

/** A clock that begins at 2026-11-21T09:00:00Z, with these random numbers first. */
export function testClock(chances: readonly number[] = []): TestClock {
  const clock = rigClock();
  clock.set(Date.UTC(2026, 10, 21, 9, 0, 0, 123));
  let drawn = 0;
  const random = () => chances[drawn++] ?? (drawn * 0.618033988749895) % 1;
  return { ...clock, random };
}

/** A sandbox on a free port that closes with the test. */
export async function open({
  seed = defaultSeed(),
  ...options
}: Partial<SandboxOptions> & { readonly seed?: Seed } = {}): Promise<Sandbox> {
  const store = memoryStore(seed);
  const sandbox = await startSandbox({ store, clock: testClock(), ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export interface SendOptions {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

type Fields = Record<string, unknown>;
type Headings = SendOptions["headers"];

export interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends one request with the default user's key; headers given here take precedence, and null omits one. */
export async function send(
  sandbox: Sandbox,
  method: string,
  target: string,
  options: SendOptions = {},
): Promise<Reply> {
  const headers = new Headers({ "X-Api-Key": KEY });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  // A plain string would add its own Content-Type.
  const body = options.body === undefined ? null : Buffer.from(options.body);
  const response = await fetch(`${sandbox.baseUrl}${target}`, { method, headers, body });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text,
    headers: response.headers,
  };
}

/** Writes raw bytes to the sandbox and resolves with all that comes back until the end. */
export function sendRaw(sandbox: Sandbox, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(sandbox.port, sandbox.host, () => socket.write(bytes));
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

/** Creates a course and returns the reply. */
export function create(
  sandbox: Sandbox,
  changes: Fields = {},
  headers: Headings = {},
): Promise<Reply> {
  const body = JSON.stringify(course(changes));
  return send(sandbox, "POST", "/developer/v1/courses", { body, headers });
}

/** Creates a course that must be accepted. */
export async function created(
  sandbox: Sandbox,
  changes: Fields = {},
  headers: Headings = {},
): Promise<void> {
  const reply = await create(sandbox, changes, headers);
  if (reply.status !== 201) throw new Error(`not created: ${reply.text}`);
}

/** Changes a course. */
export function change(
  sandbox: Sandbox,
  id: string,
  changes: Fields,
  headers: Headings = {},
): Promise<Reply> {
  const body = JSON.stringify(changes);
  return send(sandbox, "PATCH", `/developer/v1/courses?id=${id}`, { body, headers });
}

/** The courses that a query lists; fails on anything but 200. */
export async function list(
  sandbox: Sandbox,
  query = "",
  headers: Headings = {},
): Promise<Fields[]> {
  const reply = await send(sandbox, "GET", `/developer/v1/courses${query}`, { headers });
  if (reply.status !== 200) throw new Error(`not listed: ${reply.text}`);
  return JSON.parse(reply.text);
}

/** The only course of that id. */
export async function courseOf(sandbox: Sandbox, id: string): Promise<Fields> {
  const [found] = await list(sandbox, `?id=${id}`);
  if (found === undefined) throw new Error(`no course ${id}`);
  return found;
}

/** The names of the courses that a query lists. */
export async function names(sandbox: Sandbox, query = ""): Promise<unknown[]> {
  return (await list(sandbox, query)).map((found) => found.name);
}

/** A UUID for each number. */
export function numbered(number: number): string {
  return `10000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
