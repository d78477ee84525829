/** A server in front of a sandbox that drops, delays or replaces responses. */
import {
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { setImmediate } from "node:timers/promises";
import type { HttpResponse } from "../src/service/errors.ts";
import type { Transport } from "../src/service/http.ts";
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

/** A running server; `requests` lists all requests as `METHOD path`. */
export interface UnreliableServer {
  readonly baseUrl: string;
  readonly requests: readonly string[];
  /** The headers of each request, in order. */
  readonly headers: readonly IncomingMessage["headers"][];
  /**
   * Sends requests to this server by function calls, except those with a fault of the connection.
   *
   * @param pass sends a request to the target
   * @param http sends a request to this server
   */
  shorten(pass: Transport["send"], http: Transport["send"]): Transport["send"];
}

/** Chooses what happens to a request; `url` is its path and query. */
export type ChooseBehavior = (request: {
  readonly method: string;
  readonly url: string;
  /** Which request it is, from 1. */
  readonly number: number;
}) => ServerBehavior;

/** Starts a server in front of `target`; it stops after the test. */
export async function startUnreliableServer(
  target: string,
  chooseBehavior: ChooseBehavior,
): Promise<UnreliableServer> {
  const seen: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const chosen: ServerBehavior[] = [];
  const choose = (method: string, url: string, sent: IncomingMessage["headers"]): number => {
    seen.push(`${method} ${url}`);
    headers.push(sent);
    return chosen.push(chooseBehavior({ method, url, number: seen.length })) - 1;
  };
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    const number = Number(incoming.headers[CHOSEN] ?? choose(method, url, incoming.headers));
    // The sandbox may have stopped while an abandoned request was being forwarded.
    respond(chosen[number] ?? "pass", target, incoming, outgoing).catch(() =>
      incoming.socket.destroy(),
    );
  });
  const { baseUrl } = await listen(server);
  return {
    baseUrl,
    requests: seen,
    headers,
    shorten: (pass, http) => async (request, timeout) => {
      await setImmediate();
      const { pathname, search } = new URL(request.url);
      const { method, body } = request;
      const length = body === undefined ? {} : { "content-length": `${Buffer.byteLength(body)}` };
      const number = choose(method, pathname + search, { ...request.headers, ...length });
      const behavior = chosen[number] ?? "pass";
      if (behavior === "pass") return await pass(request, timeout);
      const response = method === "HEAD" ? undefined : bufferedResponse(behavior);
      if (response !== undefined) return response;
      const own = { ...request.headers, [CHOSEN]: String(number) };
      return await http({ ...request, headers: own }, timeout);
    },
  };
}

/** The header that identifies a request whose behavior is already chosen. */
const CHOSEN = "x-chosen";

/** The response of a behavior, if no connection is needed for it. */
function bufferedResponse(behavior: ServerBehavior): HttpResponse | undefined {
  if (typeof behavior !== "object" || behavior.cutAfter !== undefined) return undefined;
  const { status, body = "", headers = {}, takesEffect } = behavior;
  const names = Object.keys(headers);
  // Some responses have no body, others must be decoded or are rejected by the client's parser.
  const isPlain = status >= 200 && status !== 204 && status !== 304;
  if (takesEffect || !isPlain || names.some((name) => !PLAIN_HEADERS.has(name))) return undefined;
  const bytes = Buffer.from(body);
  const all = { ...headers, "content-length": String(bytes.length) };
  return { status, reason: STATUS_CODES[status] ?? "", headers: all, body: bytes };
}

const PLAIN_HEADERS = new Set(["content-type", "retry-after"]);

async function respond(
  behavior: ServerBehavior,
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (behavior === "hang") return;
  if (behavior === "drop before") return void incoming.socket.destroy();
  if (typeof behavior === "object") {
    if (behavior.takesEffect) await forward(target, incoming);
    outgoing.writeHead(behavior.status, behavior.headers);
    if (behavior.cutAfter === undefined) return void outgoing.end(behavior.body ?? "");
    outgoing.write((behavior.body ?? "").slice(0, behavior.cutAfter), () =>
      incoming.socket.destroy(),
    );
    return;
  }
  const { status, headers, body } = await forward(target, incoming);
  if (behavior === "drop after") return void incoming.socket.destroy();
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** A response from the target that is not sent to the client yet. */
interface ForwardedResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Sends a received request to `target`. */
async function forward(target: string, incoming: IncomingMessage): Promise<ForwardedResponse> {
  const { method, headers } = incoming;
  return await new Promise((resolve, reject) => {
    const url = new URL(incoming.url ?? "/", target);
    const outgoing = request(url, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({
        status: answer.statusCode ?? 500,
        headers: answer.headers,
        body: Buffer.concat(chunks),
      });
    });
    outgoing.on("error", reject);
    incoming.pipe(outgoing);
  });
}
