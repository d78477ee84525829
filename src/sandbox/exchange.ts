/** Carries a request from the wire to the service, and its answer back. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/clock.ts";
import { systemCode } from "../base/errors.ts";
import { type Answer, internalError, unavailable } from "./answers.ts";
import type { Service } from "./endpoint.ts";
import { nextFault } from "./faults.ts";
import { answerTo } from "./routes.ts";

const MOST_BYTES = 10 * 1000 * 1000;
const JSON_TYPE = "application/json; charset=utf-8";

/** How the sandbox behaves on the wire (cli.md section 9). */
export interface Behaviour {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds before each answer. */
  readonly latency: number;
  /** The share of requests that fail, 0 to 1. */
  readonly fail: number;
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** Answers one request, or drops its connection. Never rejects. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  behaviour: Behaviour,
): Promise<void> {
  const { latency, fail, clock, closing } = behaviour;
  try {
    const body = await readBody(request);
    if (latency > 0) await clock.sleep(latency, closing);
    const fault = nextFault(fail, clock);
    if (fault === "drop-before") return drop(request);
    const answer = fault === "unavailable" ? unavailable : await outcome(request, body, behaviour);
    if (fault === "drop-after") return drop(request);
    send(response, answer);
  } catch {
    // The client went away in mid-request, or the sandbox is closing: nobody waits for an answer.
    drop(request);
  }
}

/** A fault of one request is an answer, so that it ends neither the server nor other requests. */
async function outcome(
  request: IncomingMessage,
  body: Uint8Array | undefined,
  { service }: Behaviour,
): Promise<Answer> {
  const { method = "", url: target = "", headers } = request;
  try {
    return await answerTo({ method, target, headers, body }, service);
  } catch {
    return internalError;
  }
}

/**
 * The whole body, or undefined when it is too large. The rest of a large one is read and forgotten,
 * since a client in mid-sentence does not hear the answer.
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
    else chunks = [];
  }
  return size <= MOST_BYTES ? Buffer.concat(chunks) : undefined;
}

function drop(request: IncomingMessage): void {
  request.socket.destroy();
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  const own = { "content-type": JSON_TYPE, "content-length": bytes.length };
  response.writeHead(status, { ...headers, ...own }).end(bytes);
}

/** Answers what is no HTTP; the connection cannot be read any further. */
export function refuseMalformed(error: Error, socket: Duplex): void {
  const refusal = malformed(systemCode(error));
  if (refusal === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, hint] = refusal;
  const body = JSON.stringify({ hint, details: null });
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** What a failed connection is told; nothing when nobody is there to hear it. */
function malformed(code = ""): readonly [status: string, hint: string] | undefined {
  if (code === "HPE_HEADER_OVERFLOW") {
    return ["431 Request Header Fields Too Large", "The headers are too large"];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return ["408 Request Timeout", "The request took too long to arrive"];
  }
  return code.startsWith("HPE_") ? ["400 Bad Request", "The request is not valid HTTP"] : undefined;
}
