/** Connects the service to HTTP: rejects foreign requests, reads bodies, and adds delays and deliberate faults. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { attempt } from "../base/errors.ts";
import {
  findForeignPart,
  isLocalBrowserRequest,
  NOT_YOUR_PAGE,
  pageHeaders,
  type ServerNames,
} from "../base/local-request-guard.ts";
import type { Clock } from "../base/process.ts";
import { isForSandbox, respond, type Service } from "./endpoints.ts";
import type { LoggedRequest, RequestLog } from "./request-log.ts";
import {
  foreignHost,
  foreignOrigin,
  internalError,
  type ServiceResponse,
  unavailable,
} from "./responses.ts";

/** Makes the sandbox's page: its HTML, and its content security policy. The page changes nothing. */
export type SandboxPage = (requests: readonly LoggedRequest[]) => Promise<{
  readonly text: string;
  readonly policy: string;
}>;

interface Behavior extends ServerNames {
  readonly service: Service;
  readonly clock: Clock;
  /** Makes the page for browsers; undefined if there is none. */
  readonly page: SandboxPage | undefined;
  /** The latest requests to the API, which the page shows. */
  readonly log: RequestLog;
  /** The delay before each response, in milliseconds. */
  readonly latency: number;
  /** The fraction of requests that fail, from 0 to 1. */
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
  const { latency, fail, clock, closing, log, page } = behavior;
  const [time, began] = [clock.now(), clock.monotonic()];
  // Read now, because a request that is destroyed while its body is read loses its socket.
  const { socket } = request;
  try {
    const body = await readBody(request);
    if (page !== undefined && isForBrowser(request)) {
      return await sendPage(request, response, behavior, page);
    }
    const foreign = findForeignPart(request.headers, behavior);
    if (foreign !== undefined)
      return send(response, foreign === "host" ? foreignHost : foreignOrigin);
    if (isForSandbox(request.url ?? "")) {
      return send(response, process(request, body, behavior.service));
    }
    if (latency > 0) await clock.sleep(latency, closing);
    const fault = drawFault(fail, clock);
    const isDropped = fault === "drop-before" || fault === "drop-after";
    const result =
      fault === "none" || fault === "drop-after"
        ? process(request, body, behavior.service)
        : unavailable;
    const { method = "", url: target = "" } = request;
    const milliseconds = clock.monotonic() - began;
    log.add({ time, method, target, milliseconds }, isDropped ? undefined : result);
    if (isDropped) socket.destroy();
    else send(response, result);
  } catch {
    // The client disconnected, or the sandbox is closing.
    socket.destroy();
  }
}

/** `drop-before` and `drop-after` drop the connection before or after processing the request. */
type Fault = "none" | "unavailable" | "drop-before" | "drop-after";

/** Draws a fault with the probability `rate`. Half of the faults are 503 responses, half dropped connections. */
export function drawFault(rate: number, clock: Pick<Clock, "random">): Fault {
  if (rate <= 0) return "none";
  const drawn = clock.random();
  if (drawn >= rate) return "none";
  const share = drawn / rate;
  if (share < 0.5) return "unavailable";
  return share < 0.75 ? "drop-before" : "drop-after";
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

/** Whether a browser requests the sandbox's page. Other clients get the response of the service. */
function isForBrowser({ method, url = "", headers }: IncomingMessage): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && /^\/(?:\?|$)/.test(url) && (headers.accept ?? "").includes("text/html");
}

async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { service, clock, log }: Behavior,
  page: SandboxPage,
): Promise<void> {
  if (!isLocalBrowserRequest(request)) {
    response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(NOT_YOUR_PAGE);
    return;
  }
  service.approvals?.approveDue(service.store, clock.now());
  const { text, policy } = await page(log.latest());
  response.writeHead(200, pageHeaders(policy)).end(request.method === "HEAD" ? undefined : text);
}
