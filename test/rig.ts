/** Runs command lines in process against a sandbox, and records output, exit code and requests. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { STATUS_CODES } from "node:http";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { type Author, type Clock, type Output, UNGUARDED } from "../src/base/io.ts";
import { StopRequest, type System } from "../src/cli/context.ts";
import { main } from "../src/main.ts";
import { respond, type Service } from "../src/sandbox/endpoints.ts";
import { DEFAULT_KEY, defaultSeed } from "../src/sandbox/seed.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../src/sandbox/server.ts";
import { memoryStore, type Seed } from "../src/sandbox/store.ts";
import type { HttpResponse } from "../src/service/errors.ts";
import { openTransport, type Transport } from "../src/service/http.ts";
import { newFolder } from "./folder.ts";
import { findKeys, type KeyRun, requireKeyless } from "./no-key.ts";

/** The clock of a test. */
export interface TestClock extends Clock {
  readonly waits: number[];
  /** Sets the time of day, as a user or a time server does; durations are not affected. */
  set(now: number): void;
}

/** A clock whose pauses take no real time and are recorded, with predictable ids. Its time limits never end. */
export function testClock(): TestClock {
  let elapsed = 0;
  let began = Date.UTC(2026, 0, 31, 12);
  let ids = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => began + elapsed,
    monotonic: () => elapsed,
    set: (now) => {
      began = now - elapsed;
    },
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      elapsed += milliseconds;
    },
  };
}

/** Who runs the program in tests. */
export const AUTHOR: Author = { user: "tester", host: "test-machine" };

/** An output that records what is written. */
export class MemoryOutput implements Output {
  readonly mask = UNGUARDED.mask;
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly stream = new PassThrough();
  closed = false;
  text = "";

  constructor(isTerminal = false, columns = 80) {
    this.isTerminal = isTerminal;
    this.columns = columns;
    this.stream.on("data", (chunk) => {
      this.text += chunk;
    });
  }

  async write(text: string | Uint8Array): Promise<void> {
    // Read as Latin-1, which keeps each byte: see `bytesOf`.
    const written = typeof text === "string" ? text : Buffer.from(text).toString("latin1");
    if (!this.closed) this.text += written;
  }
}

/** The bytes of a workbook that a run has printed. */
export function bytesOf(stdout: string): Buffer {
  return Buffer.from(stdout, "latin1");
}

/** The result of one run. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Every request as `METHOD path?query`, in order. */
  readonly requests: readonly string[];
}

/** How a run differs from the default: no terminal, no input, connected to the rig's sandbox. */
export interface RunOptions {
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether standard output is data in which a service has echoed the key: data is never masked. Standard
   * error may not contain the key in any case.
   */
  readonly printsEchoes?: boolean;
}

/** The outputs of a run, and how its system differs from the default of `RunOptions`. */
export interface SystemOptions {
  readonly out: Output;
  readonly err: Output;
  /** Whether standard input is a terminal. */
  readonly terminal?: boolean | undefined;
  readonly input?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Runs command lines in a temporary folder, connected to a sandbox. */
export class Rig {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly clock = testClock();
  /** The API keys in files that the test wrote. */
  readonly #keys: string[] = [];

  /** How runs send requests to the server with that origin, if not through HTTP, which `http` does. */
  readonly shortcuts = new Map<string, (http: Transport["send"]) => Transport["send"]>();

  constructor(sandbox: Sandbox, folder: string) {
    this.sandbox = sandbox;
    this.folder = folder;
  }

  /** Writes a file below the rig's folder: text, bytes, or values as JSON. @returns its name */
  async write(name: string, content: string | Uint8Array | object): Promise<string> {
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    const data = isRaw ? content : JSON.stringify(content);
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, data);
    if (typeof data === "string") this.#keys.push(...findKeys(data));
    return name;
  }

  /** The text of a file below the rig's folder. */
  async read(name: string): Promise<string> {
    return await readFile(join(this.folder, name), "utf8");
  }

  /** The `System` of a run in the rig's folder, connected to the rig's sandbox. */
  system({ out, err, terminal = false, input = "", environment }: SystemOptions): System {
    return {
      io: { in: { isTerminal: terminal, stream: Readable.from([input]) }, out, err },
      environment: {
        HOME: this.folder,
        CATALOG_BASE_URL: this.sandbox.baseUrl,
        CATALOG_API_KEY: DEFAULT_KEY,
        ...environment,
      },
      folder: this.folder,
      platform: "linux",
      author: () => AUTHOR,
      clock: this.clock,
      stop: new StopRequest(),
      deferShutdown: async (work) => await work(),
      openTransport,
    };
  }

  /** Runs a command line: its words, or a text that spaces separate. Fails if the output contains an API key. */
  async run(line: readonly string[] | string, options: RunOptions = {}): Promise<RunResult> {
    const words = typeof line === "string" ? line.split(" ") : line;
    const terminal = options.terminal === true;
    const out = new MemoryOutput(terminal, options.columns);
    const err = new MemoryOutput(terminal, options.columns);
    const requests: string[] = [];
    const system = this.system({
      out,
      err,
      terminal,
      environment: options.environment,
      input: options.input,
    });
    const { environment } = system;
    const code = await main(words, {
      ...system,
      openTransport: async (options) => recording(requests, await this.#open(options)),
    });
    const { input } = options;
    const keys = [environment.CATALOG_API_KEY];
    const outputs = options.printsEchoes ? [err.text] : [out.text, err.text];
    this.requireKeyless({ words, keys, input, outputs });
    return { code, stdout: out.text, stderr: err.text, requests };
  }

  async #open(options: Parameters<typeof openTransport>[0]): Promise<Transport> {
    const { send, close } = await openTransport({ ...options, environment: {} });
    const shorten = this.shortcuts.get(new URL(options.baseUrl).origin);
    return { send: shorten?.(send) ?? send, close };
  }

  /** Fails if an output contains one of these keys, the default key or a key from a written file. */
  requireKeyless(run: KeyRun): void {
    requireKeyless({ ...run, keys: [DEFAULT_KEY, ...run.keys, ...this.#keys] });
  }
}

/** Adds every request to a list. */
function recording(requests: string[], transport: Transport): Transport {
  return {
    ...transport,
    send: async (request, timeout) => {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return await transport.send(request, timeout);
    },
  };
}

/**
 * Starts a rig; it is removed after the test. Requests to its sandbox are function calls, which take a
 * third of the time of HTTP, unless an option concerns the connection.
 */
export async function rig(
  options: Partial<SandboxOptions> & { readonly seed?: Seed } = {},
): Promise<Rig> {
  const { seed = defaultSeed(), clock = testClock(), store = memoryStore(seed) } = options;
  const sandbox = await startSandbox({ ...options, store, clock });
  onTestFinished(() => sandbox.close());
  const started = new Rig(sandbox, await newFolder());
  const { latency, fail, approval } = options;
  if ([latency, fail, approval].every((option) => option === undefined)) {
    const send = sendTo({ store, clock });
    started.shortcuts.set(sandbox.baseUrl, () => send);
  }
  return started;
}

/** The id of the sandbox's default provider. */
export const PROVIDER_ID = "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21";

/** A course with only the required fields, of the sandbox's default provider. */
export function course(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: "Knitting for Beginners",
    url: "https://academy.example/knitting",
    short_description: "Knit your first scarf.",
    long_description: "From casting on to binding off.",
    audio: ["en"],
    provider_id: PROVIDER_ID,
    pace: "self_paced",
    ...changes,
  };
}

/** Sends requests for any host to a service in this process. */
export function sendTo(service: Service): Transport["send"] {
  return async ({ method, url, headers, body: given }): Promise<HttpResponse> => {
    // Like a server, the service responds in a later turn of the event loop.
    await setImmediate();
    const { pathname, search } = new URL(url);
    const sent = Buffer.from(given ?? "");
    const request = { method, target: pathname + search, headers, body: sent };
    const response = respond(request, service);
    const body = Buffer.from(response.body ?? "");
    const type = { "content-type": "application/json; charset=utf-8" };
    return {
      status: response.status,
      reason: STATUS_CODES[response.status] ?? "",
      headers: response.body === undefined ? {} : { ...type, "content-length": `${body.length}` },
      body: method === "HEAD" ? Buffer.alloc(0) : body,
    };
  };
}
