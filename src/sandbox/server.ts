/** Serves the whole API on a local port (cli.md section 9). */
import { createServer, type Server, type ServerOptions } from "node:http";
import { isIPv6 } from "node:net";
import type { Clock } from "../base/clock.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import { linkedController } from "../base/signals.ts";
import { exchange } from "./exchange.ts";
import { Refusals } from "./malformed.ts";
import { memoryStore } from "./memory-store.ts";
import { Bodies } from "./request-body.ts";
import type { Seed, Store } from "./store.ts";
import { Turns } from "./turns.ts";

/** How to serve (cli.md section 9). */
export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** What a memory store starts from; without one nobody has a key. */
  readonly seed?: Seed | undefined;
  /** In place of such a store. */
  readonly store?: Store | undefined;
  /** Milliseconds by which each answer is delayed. */
  readonly latency?: number | undefined;
  /** The share of requests that fail on purpose, 0 to 1. */
  readonly fail?: number | undefined;
  readonly clock: Clock;
  /** The vendor word of the single-object media type; default `pgrst`. */
  readonly vendor?: string | undefined;
  /** In place of the usual patience. */
  readonly patience?: Partial<Patience> | undefined;
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly head: number;
  /** For a whole request. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** For taking an answer, or giving any other sign of life. */
  readonly silence: number;
}

/** A sandbox that serves. */
export interface Sandbox {
  readonly host: string;
  readonly port: number;
  /** Where a client on this machine reaches it, without a slash at the end. */
  readonly baseUrl: string;
  /** How many requests have arrived. */
  requests(): number;
  /** Stops serving and cuts every connection at once. */
  close(): Promise<void>;
}

/** Slower clients are cut off, so that they do not take up room for ever. */
const PATIENCE: Patience = { head: 20_000, request: 60_000, idle: 30_000, silence: 90_000 };
/** The longest that a timer can be set to, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Starts to serve and resolves when requests are taken.
 *
 * @throws CatalogError of kind `usage` when the host and port cannot be had.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { seed = { users: [] }, store = memoryStore(seed), clock } = options;
  const { host: wanted = "127.0.0.1", vendor = "pgrst", latency = 0, fail = 0 } = options;
  const host = wanted.replace(/^\[(.*)\]$/, "$1");
  const closing = linkedController();
  const service = { store, clock, vendor };
  const bodies = new Bodies();
  const behavior = { service, clock, latency, fail, bodies, closing: closing.signal };
  const turns = new Turns();
  const refusals = new Refusals();
  let received = 0;

  const server = createServer(timersOf(options), (request, response) => {
    received += 1;
    turns.take(request, () => exchange(request, response, behavior));
  });
  server.timeout = Math.min({ ...PATIENCE, ...options.patience }.silence + latency, LONGEST_TIMER);
  server.on("clientError", (error, socket) => {
    void refusals.refuse(error, socket, () => turns.answered(socket));
  });
  const port = await listen(server, host, options.port ?? 0);
  // A connection that cannot be accepted, as when files run out, concerns its client alone.
  server.on("error", () => {});

  return {
    host,
    port,
    baseUrl: `http://${reachable(host)}:${port}`,
    requests: () => received,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function timersOf({ patience }: SandboxOptions): ServerOptions {
  const { head, request, idle } = { ...PATIENCE, ...patience };
  return {
    keepAlive: true,
    headersTimeout: head,
    requestTimeout: request,
    keepAliveTimeout: idle,
    // Node.js looks only so often, and every half a minute if it is not told.
    connectionsCheckingInterval: Math.ceil(Math.min(head, request) / 4),
  };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (cause) {
    throw cannotListen(cause, host, port);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function cannotListen(cause: unknown, host: string, port: number): CatalogError {
  const code = systemCode(cause);
  const otherPort = "Choose another with --port, or a free one with --port 0.";
  const otherHost = "Choose another with --host.";
  switch (code) {
    case "EADDRINUSE":
      return failure(`port ${port} is in use on ${host}`, otherPort);
    case "EACCES":
      return failure(`port ${port} is not allowed on ${host}`, otherPort);
    case "ERR_SOCKET_BAD_PORT":
      return failure(`${port} is not a port: 0 to 65535`, otherPort);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return failure(`${host} is no address of this machine`, otherHost);
    default:
      return failure(`port ${port} cannot be opened on ${host}: ${code ?? cause}`, otherPort);
  }

  function failure(message: string, next: string): CatalogError {
    return new CatalogError("usage", message, { code, advice: next, cause });
  }
}

/** The host as a URL names it; a wildcard address listens everywhere but is no place to go. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
