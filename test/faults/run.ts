/** Runs one command of the fault table with one fault. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Clock } from "../../src/base/process.ts";
import { StopRequest } from "../../src/cli/context.ts";
import { main } from "../../src/main.ts";
import { courseSeed, DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import type { HttpRequest } from "../../src/service/errors.ts";
import { openTransport, type Transport } from "../../src/service/http.ts";
import { requireKeyless } from "../no-key.ts";
import { AUTHOR, MemoryOutput, testClock } from "../rig.ts";
import { type CommandLine, TWO_COURSES } from "./command-lines.ts";
import type { Route } from "./routes.ts";
import { FaultServer, type InjectorSelector } from "./server.ts";

/** The result of a run. */
export interface FaultRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Every attempted request as `METHOD path?query`. */
  readonly requests: readonly string[];
  /** The courses stored in the service after the run. */
  readonly courses: readonly Readonly<Record<string, unknown>>[];
  /** The paths of all files below the home folder, except `a.json`. */
  readonly files: readonly string[];
  /** Whether the file `a.json` exists. */
  readonly hasFile: boolean;
  /** Milliseconds waited, on the clock of the run. */
  readonly waited: number;
  /** The number of requests that followed a redirect to another server. */
  readonly strayed: number;
}

/** How a run reaches the service, and which faults it meets. */
export interface RunOptions {
  readonly select?: InjectorSelector;
  readonly route?: (port: number) => Promise<Route>;
  /** Arguments appended to those of the command line. */
  readonly words?: readonly string[];
  /** Whether requests are function calls, for faults that only replace the response. */
  readonly isDirect?: boolean;
  /** Whether the program's own timers end requests; by default the server decides when time runs out. */
  readonly realTime?: true;
}

/** A sandbox and a home folder, for one run or for several. */
export interface Service {
  /** The courses that are stored now. */
  courses(): FaultRun["courses"];
  run(line: CommandLine, options?: RunOptions): Promise<FaultRun>;
}

/** Runs a command line against a new sandbox. Fails if the output contains the key. */
export async function runCommandLine(
  line: CommandLine,
  options: RunOptions = {},
): Promise<FaultRun> {
  return await withService(line.before ?? TWO_COURSES, (service) => service.run(line, options));
}

/** Runs `work` with a sandbox that contains these courses. */
export async function withService<Result>(
  courses: readonly unknown[],
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const seed = courseSeed(courses, testClock());
  const store = memoryStore(seed);
  // One clock for all runs: records of runs are named after its time and ids.
  const clock = testClock();
  const sandbox = { store, clock: testClock() };
  const folder = await mkdtemp(join(tmpdir(), "catalog-fault-"));
  const readStored = (): FaultRun["courses"] => {
    const user = store.userOf(DEFAULT_KEY);
    return user === undefined ? [] : store.courses(user, { limit: 1000, offset: 0 });
  };
  // All runs have one address, by which an undo finds the record of a run.
  const server = new FaultServer(sandbox, clock.now);
  try {
    return await work({
      courses: readStored,
      run: async (line, options = {}) => {
        await server.begin(options.select ?? (() => undefined));
        const route = await options.route?.(server.port);
        const environment = { folder, clock, server, route: route ?? { baseUrl: server.baseUrl } };
        const began = clock.now();
        try {
          if (line.file !== undefined) {
            await writeFile(join(folder, "a.json"), JSON.stringify(line.file));
          }
          const ran = await run(line, options, environment);
          // Requests that had already arrived are finished before the courses are read.
          await server.end();
          return {
            ...ran,
            courses: readStored(),
            files: await filesBelow(folder),
            hasFile: existsSync(join(folder, "a.json")),
            waited: clock.now() - began,
            strayed: server.strayed,
          };
        } finally {
          await route?.close?.();
          await server.end();
        }
      },
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly clock: Clock;
  readonly server: FaultServer;
  readonly route: Route;
}

async function run(
  line: CommandLine,
  options: RunOptions,
  { folder, clock, server, route }: Place,
): Promise<Pick<FaultRun, "code" | "stdout" | "stderr" | "requests">> {
  const words = [...line.words, ...(options.words ?? [])];
  const out = new MemoryOutput();
  const err = new MemoryOutput();
  const requests: string[] = [];
  const { input } = line;
  const code = await main(words, {
    io: { in: { isTerminal: false, stream: Readable.from([input ?? ""]) }, out, err },
    environment: {
      HOME: folder,
      CATALOG_BASE_URL: route.baseUrl,
      CATALOG_API_KEY: DEFAULT_KEY,
      ...line.environment,
    },
    folder,
    platform: "linux",
    clock,
    author: AUTHOR,
    stop: new StopRequest(),
    deferShutdown: async (work) => await work(),
    withoutHandlers: async (work) => await work(),
    openTransport: async () =>
      options.isDirect === true
        ? directTransport(requests, server)
        : await transportOf(route, requests, server, options.realTime ? undefined : clock),
  });
  requireKeyless({ words, keys: [DEFAULT_KEY], input, outputs: [out.text, err.text] });
  return { code, stdout: out.text, stderr: err.text, requests };
}

/** Calls the server. */
function directTransport(requests: string[], server: FaultServer): Transport {
  return {
    send: async (request) => {
      requests.push(lineOf(request));
      return await server.call(request);
    },
    close: async () => undefined,
  };
}

/** A request as `METHOD path?query`. */
function lineOf({ method, url }: HttpRequest): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}

/** A timeout in milliseconds that never ends during a test. */
const NEVER = 2 ** 30;

/**
 * The program's undici transport, except that requests time out when the server decides.
 *
 * @param clock measures the timeouts; without it the transport's own timers apply
 */
async function transportOf(
  { baseUrl }: Route,
  requests: string[],
  server: FaultServer,
  clock: Clock | undefined,
): Promise<Transport> {
  const transport = await openTransport({ baseUrl, connections: 4, environment: {} });
  return {
    ...transport,
    send: async (request, options) => {
      requests.push(lineOf(request));
      const { headers, signal: time } = await server.tried();
      if (clock === undefined) return await transport.send(request, options);
      const identified = { ...request, headers: { ...request.headers, ...headers } };
      const signal = AbortSignal.any([time, options.signal]);
      try {
        return await transport.send(identified, { signal, timeout: NEVER });
      } catch (error) {
        if (!time.aborted) throw error;
        await clock.sleep(options.timeout);
        throw new DOMException("late", "TimeoutError");
      }
    },
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "a.json")
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
