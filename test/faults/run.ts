/** Runs one command of the fault table under one fault, and tells all that came of it. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type BufferedResponse, type Transport, TransportError } from "../../src/api/transport.ts";
import { undiciTransport } from "../../src/api/undici-transport.ts";
import type { Clock } from "../../src/base/clock.ts";
import { main } from "../../src/main.ts";
import { courseSeed, DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import { requireKeyless } from "../no-key.ts";
import { MemoryOutput, PROCESSES, testClock } from "../rig.ts";
import { coursesOf } from "../sandbox/data-rig.ts";
import { type Line, TWO } from "./lines.ts";
import { type Aim, FaultServer } from "./server.ts";
import type { Way } from "./ways.ts";

/** What a run came to. */
export interface Came {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Every request that was sent, or tried to be, as `METHOD path?query`. */
  readonly requests: readonly string[];
  /** What the service holds now. */
  readonly held: readonly Readonly<Record<string, unknown>>[];
  /** The paths of all files below the home folder, but for `a.json`. */
  readonly files: readonly string[];
  /** Milliseconds that it waited, on its own clock. */
  readonly waited: number;
  /** How many requests followed a redirect to another server. */
  readonly strayed: number;
}

/** How a run is led to the service, and what happens there. */
export interface RunOptions {
  readonly aim?: Aim;
  readonly way?: (port: number) => Promise<Way>;
  /** Words behind those of the line. */
  readonly words?: readonly string[];
  /** Whether time limits are kept by the program's own timers; by the server's word if left out. */
  readonly realTime?: true;
}

/** A sandbox and a home folder, for one run or for several. */
export interface Service {
  run(line: Line, options?: RunOptions): Promise<Came>;
}

/** Runs the line against a sandbox of its own. Fails when it shows the key. */
export async function runLine(line: Line, options: RunOptions = {}): Promise<Came> {
  return await withService(line.held ?? TWO, (service) => service.run(line, options));
}

/** Starts a sandbox that holds these courses, and ends it when the work is done. */
export async function withService<Result>(
  courses: readonly unknown[],
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const seed = courseSeed(courses, testClock());
  const store = memoryStore(seed);
  const sandbox = await startSandbox({ seed, store, clock: testClock() });
  const folder = await mkdtemp(join(tmpdir(), "catalog-fault-"));
  const heldNow = (): Came["held"] => {
    const user = store.userOf(DEFAULT_KEY);
    return user === undefined ? [] : coursesOf(store, user, { limit: 1000, offset: 0 });
  };
  try {
    return await work({
      run: async (line, options = {}) => {
        const clock = testClock();
        const server = new FaultServer(
          sandbox.baseUrl,
          options.aim ?? (() => undefined),
          clock.now,
        );
        await server.open();
        const way = await options.way?.(server.port);
        const place = { folder, clock, server, way: way ?? { baseUrl: server.baseUrl } };
        const began = clock.now();
        try {
          if (line.file !== undefined) {
            await writeFile(join(folder, "a.json"), JSON.stringify(line.file));
          }
          const ran = await run(line, options, place);
          // What had arrived when the program ended is finished before the courses are looked at.
          await server.close();
          return {
            ...ran,
            held: heldNow(),
            files: await filesBelow(folder),
            waited: clock.now() - began,
            strayed: server.strayed,
          };
        } finally {
          await way?.close?.();
          await server.close();
        }
      },
    });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly clock: Clock;
  readonly server: FaultServer;
  readonly way: Way;
}

async function run(
  line: Line,
  options: RunOptions,
  { folder, clock, server, way }: Place,
): Promise<Pick<Came, "code" | "stdout" | "stderr" | "requests">> {
  const words = [...line.words, ...(options.words ?? [])];
  const out = new MemoryOutput();
  const err = new MemoryOutput();
  const requests: string[] = [];
  const { input } = line;
  const code = await main(words, {
    io: { in: { isTerminal: false, stream: Readable.from([input ?? ""]) }, out, err },
    environment: {
      HOME: folder,
      CATALOG_BASE_URL: way.baseUrl,
      CATALOG_API_KEY: DEFAULT_KEY,
      ...line.environment,
    },
    folder,
    platform: "linux",
    clock,
    processes: PROCESSES,
    signal: new AbortController().signal,
    deferShutdown: () => () => undefined,
    openTransport: () => transportOf(way, requests, server, options.realTime ? undefined : clock),
  });
  requireKeyless({ words, keys: [DEFAULT_KEY], input, outputs: [out.text, err.text] });
  return { code, stdout: out.text, stderr: err.text, requests };
}

/** So many milliseconds that no timer of the transport's own ends while a test runs. */
const NEVER = 2 ** 30;

/**
 * undici as the program uses it, but for its time limits, which run out when the server says so.
 *
 * @param clock the one on which they run out; without it they are left as they are
 */
async function transportOf(
  { baseUrl, environment = {} }: Way,
  requests: string[],
  server: FaultServer,
  clock: Clock | undefined,
): Promise<Transport> {
  const transport = await undiciTransport({ baseUrl, connections: 4, environment });
  return {
    ...transport,
    send: async (request, options) => {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      const { headers, signal: time } = await server.tried();
      if (clock === undefined) return await transport.send(request, options);
      const told = { ...request, headers: { ...request.headers, ...headers } };
      const late = async (): Promise<TransportError> => {
        await clock.sleep(options.timeout);
        return timedOut(options.timeout);
      };
      const signal = AbortSignal.any([time, ...(options.signal ? [options.signal] : [])]);
      let answer: BufferedResponse;
      try {
        answer = await transport.send(told, { ...options, signal, timeout: NEVER });
      } catch (error) {
        throw time.aborted ? await late() : error;
      }
      if (answer.bodyError === undefined || !time.aborted) return answer;
      return { ...answer, bodyError: await late() };
    },
  };
}

/** What the transport itself says of a time limit. */
export function timedOut(milliseconds: number): TransportError {
  return new TransportError(`no response within ${milliseconds / 1000} s`, { code: "TIMEOUT" });
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "a.json")
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
