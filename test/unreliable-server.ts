/** A server in front of a sandbox that drops, delays or replaces responses. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** What happens to one request. */
export type ServerBehavior =
  | "pass"
  | "drop before"
  | "drop after"
  | "hang"
  | {
      readonly status: number;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
      /** The number of bytes of the body to send before closing the connection. */
      readonly cutAfter?: number;
      /** Whether the request takes effect before its response is replaced. */
      readonly takesEffect?: boolean;
    };

/** Chooses what happens to a request; `url` is its path and query. */
export type ChooseBehavior = (request: {
  readonly method: string;
  readonly url: string;
  /** Which request it is, from 1. */
  readonly number: number;
}) => ServerBehavior;

/** Starts a server in front of `target`; it stops after the test. */
export async function startUnreliableServer(target: string, chooseBehavior: ChooseBehavior) {
  /** All requests as `METHOD path`, and their headers, in order. */
  const requests: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    requests.push(`${method} ${url}`);
    headers.push(incoming.headers);
    const behavior = chooseBehavior({ method, url, number: requests.length });
    // The sandbox may have stopped while an abandoned request was being forwarded.
    respond(behavior, target, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  const { baseUrl } = await listen(server);
  return { baseUrl, requests, headers };
}

async function respond(
  behavior: ServerBehavior,
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (behavior === "hang") return;
  if (behavior === "drop before") return void incoming.socket.destroy();
  if (typeof behavior === "object") {
    const { status, body = "", headers, cutAfter, takesEffect } = behavior;
    if (takesEffect) await forward(target, incoming);
    outgoing.writeHead(status, headers);
    if (cutAfter === undefined) return void outgoing.end(body);
    outgoing.write(body.slice(0, cutAfter), () => incoming.socket.destroy());
    return;
  }
  const reply = await forward(target, incoming);
  const body = Buffer.from(await reply.arrayBuffer());
  if (behavior === "drop after") return void incoming.socket.destroy();
  outgoing.writeHead(reply.status, Object.fromEntries(reply.headers)).end(body);
}

/** Sends a received request to another server. */
export async function forward(
  target: string,
  incoming: IncomingMessage,
  read: Promise<Buffer> | Buffer = buffer(incoming),
): Promise<Response> {
  const { method = "", url = "", headers } = incoming;
  const { "x-api-key": key = "", "content-type": type = "" } = headers;
  const body = await read;
  const sent = { "x-api-key": String(key), ...(type && { "content-type": type }) };
  return await fetch(new URL(url, target), {
    method,
    headers: sent,
    ...(body.length > 0 && { body }),
  });
}
