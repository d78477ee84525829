/** Connects the service to HTTP: bodies, delays, faults on purpose, and invalid HTTP. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import { respond, type Service } from "./endpoints.ts";
import { internalError, type ServiceResponse, unavailable } from "./responses.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** How the sandbox behaves on the wire. */
export interface Behavior {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds before each response. */
  readonly latency: number;
  /** The fraction of requests that fail, 0 to 1. */
  readonly fail: number;
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** Responds to one request, or drops its connection. Resolves when that is done; never rejects. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  behavior: Behavior,
): Promise<void> {
  const { latency, fail, clock, closing } = behavior;
  // A request that was destroyed while its body was read has no socket any more.
  const { socket } = request;
  try {
    const body = await readBody(request);
    if (latency > 0) await clock.sleep(latency, closing);
    const fault = drawFault(fail, clock);
    const result =
      fault === "unavailable"
        ? unavailable
        : fault === "drop-before"
          ? undefined
          : process(request, body, behavior.service);
    if (result === undefined || fault === "drop-after") socket.destroy();
    else await send(response, result);
  } catch {
    // The client disconnected or sends without end, or the sandbox is closing.
    socket.destroy();
  }
}

/** `drop-before` and `drop-after` drop the connection before or after processing the request. */
export type Fault = "none" | "unavailable" | "drop-before" | "drop-after";

/** Draws a fault with the probability `rate`: half are 503 responses, half dropped connections. */
export function drawFault(rate: number, clock: Pick<Clock, "random">): Fault {
  if (rate <= 0) return "none";
  const drawn = clock.random();
  if (drawn >= rate) return "none";
  const share = drawn / rate;
  if (share < 0.5) return "unavailable";
  return share < 0.75 ? "drop-before" : "drop-after";
}

const MOST_BYTES = 10 * 1000 * 1000;
/** So much of a body that is too large is discarded before its connection is dropped. */
const MOST_DISCARDED = 10 * MOST_BYTES;

/**
 * The body of a request; undefined if it is too large. Such a body is read to its end, because a
 * client that is still sending does not see the response.
 *
 * @throws Error if it is not received completely
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (size > MOST_DISCARDED) throw new Error("the body does not end");
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

/** A failed request must end neither the server nor other requests. */
function process(
  request: IncomingMessage,
  body: Uint8Array | undefined,
  service: Service,
): ServiceResponse {
  const { method = "", url: target = "", headers } = request;
  try {
    return respond({ method, target, headers, body }, service);
  } catch {
    return internalError;
  }
}

async function send(
  response: ServerResponse,
  { status, headers = {}, body }: ServiceResponse,
): Promise<void> {
  const { req: request } = response;
  if (request.socket.destroyed) return;
  // Node.js reads no further requests after an offer to switch protocols.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  const bytes = body === undefined ? undefined : Buffer.from(body);
  if (bytes === undefined) response.writeHead(status, headers).end();
  else {
    const own = { "content-type": JSON_TYPE, "content-length": bytes.length };
    response.writeHead(status, { ...headers, ...own }).end(bytes);
  }
  await closed;
}

/** Responds to invalid HTTP, or to a request that takes too long, and ends the connection. */
export function rejectMalformed(error: Error, socket: Duplex): void {
  const rejection = malformedResponse(systemCode(error));
  if (rejection === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, hint] = rejection;
  const body = JSON.stringify({ hint, details: null });
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function malformedResponse(code = ""): readonly [status: string, hint: string] | undefined {
  if (code === "HPE_HEADER_OVERFLOW") {
    return ["431 Request Header Fields Too Large", "The headers are too large"];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return ["408 Request Timeout", "The request took too long to arrive"];
  }
  return code.startsWith("HPE_") ? ["400 Bad Request", "The request is not valid HTTP"] : undefined;
}
