/** Connects the service to HTTP: rejects foreign requests, reads bodies, and adds delays and deliberate faults. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { attempt } from "../base/errors.ts";
import { isLoopback, parseUrl } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { isForSandbox, respond, type Service } from "./endpoints.ts";
import {
  foreignHost,
  foreignOrigin,
  internalError,
  type ServiceResponse,
  unavailable,
} from "./responses.ts";

interface Behavior extends ServerNames {
  readonly service: Service;
  readonly clock: Clock;
  /** The delay before each response, in milliseconds. */
  readonly latency: number;
  /** The fraction of requests that fail, from 0 to 1: half of them have no effect, of the others the response is lost. */
  readonly fail: number;
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** Responds to one request, or drops its connection. Never rejects. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  behavior: Behavior,
): Promise<void> {
  const { latency, fail, clock, closing } = behavior;
  // Read now, because a request that is destroyed while its body is read loses its socket.
  const { socket } = request;
  try {
    const body = await readBody(request);
    const foreign = findForeignPart(request.headers, behavior);
    if (foreign !== undefined)
      return send(response, foreign === "host" ? foreignHost : foreignOrigin);
    if (isForSandbox(request.url ?? "")) {
      return send(response, process(request, body, behavior.service));
    }
    if (latency > 0) await clock.sleep(latency, closing);
    const drawn = fail > 0 ? clock.random() : 1;
    if (drawn < fail / 2) return send(response, unavailable);
    const result = process(request, body, behavior.service);
    if (drawn < fail) socket.destroy();
    else send(response, result);
  } catch {
    // The client disconnected, or the sandbox is closing.
    socket.destroy();
  }
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

/** Responds to a request, even if the sandbox fails: that must not end the server or other requests. */
function process(
  { method = "", url: target = "", headers }: IncomingMessage,
  body: Uint8Array | undefined,
  service: Service,
): ServiceResponse {
  return attempt(() => respond({ method, target, headers, body }, service)) ?? internalError;
}

function send(response: ServerResponse, { status, headers, body }: ServiceResponse): void {
  const type = "application/json; charset=utf-8";
  const content =
    body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, "cache-control": "no-store", ...content }).end(body);
}

interface ServerNames {
  /** Further host names besides loopback under which the server can be reached; in lowercase, without brackets. */
  readonly names: readonly string[];
  /** Whether the server listens on every network interface of this machine. */
  readonly isEverywhere: boolean;
}

/**
 * What is foreign about a request: the host that the request names, or the web page that sent it; undefined if
 * nothing is. Any page in a browser can send requests to this machine (cross-site request forgery), even under the
 * page's host name, if that name resolves to this machine (DNS rebinding).
 */
function findForeignPart(
  headers: IncomingHttpHeaders,
  names: ServerNames,
): "host" | "origin" | undefined {
  const { host, origin } = headers;
  const own = host === undefined ? undefined : ownOrigin(host, names);
  if (host !== undefined && own === undefined) return "host";
  const isForeign = origin !== undefined && origin !== own;
  return isForeign || !OWN_SITES.has(headers["sec-fetch-site"]) ? "origin" : undefined;
}

/** The values of Sec-Fetch-Site without another page: clients other than browsers omit it, `none` means the user. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** The origin of the server's pages under the requested host; undefined if the host is not the server's. */
function ownOrigin(host: string, names: ServerNames): string | undefined {
  const url = parseUrl(`http://${host}`);
  if (url === undefined || !isOwn(url.hostname, names)) return undefined;
  // A header with a user or a path is not only a host.
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function isOwn(hostname: string, { names, isEverywhere }: ServerNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server on every interface accepts private names, but not public ones: the owner of a public name can make
  // it resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}
