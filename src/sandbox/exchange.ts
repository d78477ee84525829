/** Carries a request from the wire to the service, and its answer back. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../base/clock.ts";
import { type Answer, crowded, internalError, unavailable } from "./answers.ts";
import type { Service } from "./endpoint.ts";
import { nextFault } from "./faults.ts";
import type { Bodies, Body } from "./request-body.ts";
import { answerTo } from "./routes.ts";

/** The media type of every body of an answer. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** How the sandbox behaves on the wire (cli.md section 9). */
export interface Behavior {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds before each answer. */
  readonly latency: number;
  /** The share of requests that fail, 0 to 1. */
  readonly fail: number;
  readonly bodies: Bodies;
  /** Aborts when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** Answers one request, or drops its connection. Resolves when that is done, and never rejects. */
export async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  behavior: Behavior,
): Promise<void> {
  try {
    const work = (body: Body) => messageFor(request, body, behavior);
    const message = await (hasBody(request) ? behavior.bodies.read(request, work) : work(NOTHING));
    if (message === undefined) drop(request);
    else await send(response, message);
  } catch {
    // The client went away in mid-request, or the sandbox is closing: nobody waits for an answer.
    drop(request);
  }
}

/** Whether a request announces a body: only then is there something to wait for. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

const NOTHING = new Uint8Array();

/** What is sent; undefined when the connection is to be dropped. */
async function messageFor(
  request: IncomingMessage,
  body: Body,
  behavior: Behavior,
): Promise<Message | undefined> {
  const { latency, fail, clock, closing } = behavior;
  if (latency > 0) await clock.sleep(latency, closing);
  const fault = nextFault(fail, clock);
  if (fault === "drop-before") return undefined;
  if (fault === "unavailable") return messageOf(unavailable);
  const message = await outcome(request, body, behavior);
  return fault === "drop-after" ? undefined : message;
}

/** A fault of one request is an answer, so that it ends neither the server nor other requests. */
async function outcome(
  request: IncomingMessage,
  body: Body,
  { service }: Behavior,
): Promise<Message> {
  if (body === "crowded") return messageOf(crowded);
  const { method = "", url: target = "", headers } = request;
  const received = { method, target, headers, body: body === "large" ? undefined : body };
  try {
    return messageOf(await answerTo(received, service));
  } catch {
    return messageOf(internalError);
  }
}

/** An answer as it goes over the wire. */
interface Message {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly bytes?: Buffer;
}

function messageOf({ status, headers = {}, body, bytes: ready }: Answer): Message {
  if (body === undefined && ready === undefined) return { status, headers };
  const bytes = ready ?? Buffer.from(JSON.stringify(body));
  const own = { "content-type": JSON_TYPE, "content-length": bytes.length };
  return { status, headers: { ...headers, ...own }, bytes };
}

async function send(response: ServerResponse, { status, headers, bytes }: Message): Promise<void> {
  const { req: request } = response;
  if (request.socket.destroyed) return;
  // What follows an offer to speak another protocol is not read any more.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  response.writeHead(status, headers).end(bytes);
  await closed;
}

function drop(request: IncomingMessage): void {
  request.socket.destroy();
}
