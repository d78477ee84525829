/** Serves the API on a port of this machine, with delays and deliberate faults, and refuses pages of other websites. */
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, isIP, isIPv6 } from "node:net";
import { linkedController } from "../base/async.ts";
import { isLoopback, parseUrl } from "../base/credentials.ts";
import { CatalogError, systemReason } from "../base/errors.ts";
import type { Clock } from "../base/io.ts";
import { isForSandbox, respond, type Service } from "./endpoints.ts";
import { foreign, internalError, type ServiceResponse, unavailable } from "./responses.ts";

export interface SandboxOptions extends Pick<Service, "store" | "approval"> {
  /** The host to listen on; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** The port; by default 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The delay before each response, in milliseconds. */
  readonly latency?: number | undefined;
  /** The fraction of requests that fail, from 0 to 1: half of them have no effect, of the others the response is lost. */
  readonly fail?: number | undefined;
  readonly clock: Clock;
  /** Called with what made the sandbox itself fail, such as a full disk. */
  readonly onError?: (cause: unknown) => void;
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
  const { store, clock, approval, latency = 0, fail = 0, onError = () => undefined } = options;
  const host = (options.host ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  const closing = linkedController();
  let received = 0;
  const server = createServer();
  const { address, port } = await listen(server, host, options.port ?? 0);
  const service = { store, clock, approval, due: new Map<string, number>() };
  const names = [host.toLowerCase(), address];

  /** Responds to a request, even if the sandbox fails: that must not end the server or other requests. */
  const process = (request: IncomingMessage, body: Uint8Array | undefined): ServiceResponse => {
    const { method = "", url: target = "", headers } = request;
    try {
      return respond({ method, target, headers, body }, service);
    } catch (cause) {
      onError(cause);
      return internalError;
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Read now, because a request that is destroyed while its body is read loses its socket.
    const { socket, url = "", headers } = request;
    try {
      const body = await readBody(request);
      if (isForeign(headers, names)) return send(response, foreign);
      if (isForSandbox(url)) return send(response, process(request, body));
      if (latency > 0) await clock.sleep(latency, closing.signal);
      const drawn = fail > 0 ? clock.random() : 1;
      if (drawn < fail / 2) return send(response, unavailable);
      const result = process(request, body);
      if (drawn < fail) socket.destroy();
      else send(response, result);
    } catch {
      // The client disconnected, or the sandbox is closing.
      socket.destroy();
    }
  };

  // No connection is accepted before this turn of the event loop ends.
  server.on("request", (request, response) => {
    received += 1;
    void handle(request, response);
  });
  // A connection that cannot be accepted, for example without free file descriptors.
  server.on("error", () => {});
  // Clients cannot connect to an address that means all interfaces, and a host name may have other addresses.
  const reachable = LOOPBACK_OF.get(address) ?? (isIP(host) === 0 ? host : address);
  return {
    host,
    port,
    baseUrl: `http://${inUrl(reachable)}:${port}`,
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

const MAX_BYTES = 10 * 1000 * 1000;

/** Reads a body to its end, because a client sees no response while it sends; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size > MAX_BYTES ? undefined : Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, body }: ServiceResponse): void {
  const type = "application/json; charset=utf-8";
  const content =
    body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "cache-control": "no-store", ...content }).end(body);
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
    const message = `cannot listen on port ${port} of ${host}: ${systemReason(cause)}`;
    const advice =
      "Pass --port 0 for any free port, or another --host. Another sandbox may be using the port.";
    throw new CatalogError("usage", message, { advice, cause });
  }
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) return { address: host, port };
  // The system may write an IPv4 address as IPv6.
  return { address: bound.address.replace(/^::ffff:(?=[\d.]+$)/, ""), port: bound.port };
}

/** For each IP address that means all interfaces, the loopback address. */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function inUrl(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

/**
 * Whether a request names another host, or comes from a page of another website. Any page in a browser can send
 * requests to this machine (cross-site request forgery), even under the page's host name, if that name resolves to this
 * machine (DNS rebinding).
 *
 * @param names under which the server can be reached besides loopback; in lowercase, without brackets
 */
function isForeign({ host, origin }: IncomingHttpHeaders, names: readonly string[]): boolean {
  if (host === undefined) return origin !== undefined;
  const url = parseUrl(`http://${host}`);
  // A header with a user or a path is not only a host.
  if (url === undefined || url.href !== `${url.origin}/` || !isOwn(url.hostname, names))
    return true;
  return origin !== undefined && origin !== url.origin;
}

function isOwn(hostname: string, names: readonly string[]): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server on every interface accepts private names, but not public ones: the owner of a public name can make
  // it resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  const isEverywhere = names.some((each) => LOOPBACK_OF.has(each));
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}
