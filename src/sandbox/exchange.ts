/** Connects the service to HTTP: rejects foreign requests, reads bodies, and adds delays and deliberate faults. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { isLoopback, parseUrl } from "../base/http.ts";
import type { Clock } from "../base/process.ts";
import { isForSandbox, respond, type Service } from "./endpoints.ts";
import { foreign, internalError, type ServiceResponse, unavailable } from "./responses.ts";

interface Behavior extends ServerNames {
  readonly service: Service;
  readonly clock: Clock;
  /** The delay before each response, in milliseconds. */
  readonly latency: number;
  /** The fraction of requests that fail, from 0 to 1: half of them have no effect, of the others the response is lost. */
  readonly fail: number;
  /** Called with what made the sandbox itself fail. */
  readonly onError: (cause: unknown) => void;
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
  const { socket, url = "", headers } = request;
  try {
    const body = await readBody(request);
    if (isForeign(headers, behavior)) return send(response, foreign);
    if (isForSandbox(url)) return send(response, process(request, body, behavior));
    if (latency > 0) await clock.sleep(latency, closing);
    const drawn = fail > 0 ? clock.random() : 1;
    if (drawn < fail / 2) return send(response, unavailable);
    const result = process(request, body, behavior);
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
  { service, onError }: Behavior,
): ServiceResponse {
  try {
    return respond({ method, target, headers, body }, service);
  } catch (cause) {
    onError(cause);
    return internalError;
  }
}

function send(response: ServerResponse, { status, body }: ServiceResponse): void {
  const type = "application/json; charset=utf-8";
  const content =
    body === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "cache-control": "no-store", ...content }).end(body);
}

interface ServerNames {
  /** Further host names besides loopback under which the server can be reached; in lowercase, without brackets. */
  readonly names: readonly string[];
  /** Whether the server listens on every network interface of this machine. */
  readonly isEverywhere: boolean;
}

/**
 * Whether a request names another host, or comes from a page of another website. Any page in a browser can send
 * requests to this machine (cross-site request forgery), even under the page's host name, if that name resolves to this
 * machine (DNS rebinding).
 */
function isForeign({ host, origin }: IncomingHttpHeaders, names: ServerNames): boolean {
  if (host === undefined) return origin !== undefined;
  const url = parseUrl(`http://${host}`);
  // A header with a user or a path is not only a host.
  if (url === undefined || url.href !== `${url.origin}/` || !isOwn(url.hostname, names))
    return true;
  return origin !== undefined && origin !== url.origin;
}

function isOwn(hostname: string, { names, isEverywhere }: ServerNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server on every interface accepts private names, but not public ones: the owner of a public name can make
  // it resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}
