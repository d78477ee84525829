/** Serves the API on a port of this machine. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIP, isIPv6 } from "node:net";
import { linkedController } from "../base/async.ts";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { type ApprovalPolicy, ApprovalQueue } from "./endpoints.ts";
import { handleRequest } from "./exchange.ts";
import { memoryStore, type Seed, type Store } from "./store.ts";

export interface SandboxOptions {
  /** The host to listen on; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** The port; by default 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The content of a memory store; without a seed, no API key is valid. */
  readonly seed?: Seed | undefined;
  /** Replaces the memory store. */
  readonly store?: Store | undefined;
  /** The delay before each response, in milliseconds. */
  readonly latency?: number | undefined;
  /** The fraction of requests that fail deliberately, from 0 to 1. */
  readonly fail?: number | undefined;
  readonly clock: Clock;
  /** How new courses are approved; by default they stay pending. */
  readonly approval?: ApprovalPolicy | undefined;
}

export interface Sandbox {
  readonly host: string;
  readonly port: number;
  /** The URL for clients on this machine, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether only this machine can reach the sandbox. */
  readonly isLocal: boolean;
  requests(): number;
  /** Stops the server and drops all connections. */
  close(): Promise<void>;
}

/** Starts the server; resolves when requests are accepted. @throws CatalogError of kind `usage` for a bad host or port */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { seed = { users: [] }, store = memoryStore(seed), clock } = options;
  const { host: typed = "127.0.0.1", latency = 0, fail = 0 } = options;
  const host = typed.replace(/^\[(.*)\]$/, "$1");
  const closing = linkedController();
  const approvals = options.approval && new ApprovalQueue(options.approval);
  const service = { store, clock, approvals };
  let received = 0;

  const server = createServer();
  const { address, port } = await listen(server, host, options.port ?? 0);
  const names = [host.toLowerCase(), address];
  const isEverywhere = LOOPBACK_OF.has(address);
  const behavior = {
    service,
    clock,
    latency,
    fail,
    closing: closing.signal,
    names,
    isEverywhere,
  };
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

/** Makes a server listen. @returns the port, and the IP address of the host @throws CatalogError of kind `usage` */
async function listen(
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
  // The system may write an IPv4 address as IPv6.
  return { address: bound.address.replace(/^::ffff:(?=[\d.]+$)/, ""), port: bound.port };
}

function listenError(cause: unknown, host: string, port: number): CatalogError {
  const code = systemCode(cause) ?? "";
  const otherPort = "Choose another port with --port, or let the system pick one with --port 0.";
  const unknownHost = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code);
  const advice = unknownHost ? "Choose another host. For example: --host 127.0.0.1" : otherPort;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use on ${host}`,
    ERR_SOCKET_BAD_PORT: `the port must be from 0 to 65535, not ${port}`,
  };
  const message = unknownHost
    ? `${host} is not a host of this machine`
    : (messages[code] ?? `cannot listen on port ${port} of ${host}: ${systemReason(cause)}`);
  return new CatalogError("usage", message, { code, advice, cause });
}

/** For each IP address that means all interfaces, to which clients cannot connect, the loopback address. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The host for clients on this machine, in the spelling of a URL. */
function clientHost(host: string, address: string): string {
  return inUrl(LOOPBACK_OF.get(address) ?? (isIP(host) === 0 ? host : address));
}

function inUrl(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
