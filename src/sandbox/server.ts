/** Serves the API on a local port. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP, isIPv6 } from "node:net";
import { linkedController } from "../base/async.ts";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { type ApprovalPolicy, ApprovalQueue } from "./endpoints.ts";
import { handleRequest, type SandboxPage } from "./exchange.ts";
import { RequestLog } from "./request-log.ts";
import { memoryStore, type Seed, type Store, type User } from "./store.ts";

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free port. */
  readonly port?: number | undefined;
  /** The content of a memory store; without it no key is valid. */
  readonly seed?: Seed | undefined;
  /** Used instead of a memory store. */
  readonly store?: Store | undefined;
  /** Milliseconds added before each response. */
  readonly latency?: number | undefined;
  /** The fraction of requests that fail on purpose, 0 to 1. */
  readonly fail?: number | undefined;
  readonly clock: Clock;
  /** How new courses are approved; by default they stay pending. */
  readonly approval?: ApprovalPolicy | undefined;
  /** The users of an earlier sandbox, whose waiting courses are approved as new ones. */
  readonly earlier?: readonly User[] | undefined;
  /** Makes the page at `/` for browsers; without it, there is none. */
  readonly page?: SandboxPage | undefined;
  /** Further names under which requests may arrive, such as that of a proxy. */
  readonly names?: readonly string[] | undefined;
}

export interface Sandbox {
  readonly host: string;
  readonly port: number;
  /** The URL for clients on this machine, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether only this machine can reach it. */
  readonly isLocal: boolean;
  /** How many requests have arrived. */
  requests(): number;
  /** Stops serving and drops every connection. */
  close(): Promise<void>;
}

/** Starts to serve; resolves when requests are accepted. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { seed = { users: [] }, store = memoryStore(seed), clock } = options;
  const { host: typed = "127.0.0.1", latency = 0, fail = 0 } = options;
  const host = typed.replace(/^\[(.*)\]$/, "$1");
  const closing = linkedController();
  const approvals = options.approval && new ApprovalQueue(options.approval);
  approvals?.addWaiting(options.earlier ?? [], store, clock.now());
  const service = { store, clock, approvals };
  let received = 0;

  const server = createServer();
  const { address, port } = await listen(server, host, options.port ?? 0);
  const names = [host.toLowerCase(), address, ...(options.names ?? [])];
  const isEverywhere = LOOPBACK_OF.has(address);
  const behaving = { service, clock, latency, fail, closing: closing.signal };
  const shown = { page: options.page, log: new RequestLog() };
  const behavior = { ...behaving, ...shown, names, isEverywhere };
  // No connection is accepted before this turn of the event loop ends.
  server.on("request", (request, response) => {
    received += 1;
    void handleRequest(request, response, behavior);
  });
  // A connection that cannot be accepted, for example without free file descriptors.
  server.on("error", () => {});

  return {
    host,
    port,
    baseUrl: `http://${clientHost(host, address)}:${port}`,
    isLocal: isLoopback(inUrl(address)),
    requests: () => received,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Begins to listen. @returns where; a host has many spellings, of which the system makes one address */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<Pick<AddressInfo, "address" | "port">> {
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (cause) {
    throw listenError(cause, host, port);
  }
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) return { address: host, port };
  // IPv4, written as IPv6.
  return { address: bound.address.replace(/^::ffff:(?=[\d.]+$)/, ""), port: bound.port };
}

function listenError(cause: unknown, host: string, port: number): CatalogError {
  const code = systemCode(cause) ?? "";
  const otherPort = "Choose another with --port, or a free one with --port 0.";
  const unknownHost = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code);
  const advice = unknownHost ? "Choose another with --host." : otherPort;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use on ${host}`,
    ERR_SOCKET_BAD_PORT: `${port} is not a port: it must be from 0 to 65535`,
  };
  const message = unknownHost
    ? `${host} is not an address of this machine`
    : (messages[code] ?? `cannot listen on port ${port} of ${host}: ${systemReason(cause)}`);
  return new CatalogError("usage", message, { code, advice, cause });
}

/** The address for clients on this machine of each that means all of them, to which nothing connects. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The host for clients on this machine, as a URL names it. */
function clientHost(host: string, address: string): string {
  return inUrl(LOOPBACK_OF.get(address) ?? (isIP(host) === 0 ? host : address));
}

function inUrl(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
