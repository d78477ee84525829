/** A proxy in front of a sandbox that records requests and can rewrite requests and responses. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Method } from "../../src/service/errors.ts";
import type { Send } from "../../src/service/http.ts";
import { type JsonAnswer, type Received, sendDirectly } from "../direct.ts";
import type { Rig } from "../rig.ts";

/** A forwarded request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The parsed JSON body; undefined if there is none. */
  readonly body?: unknown;
}

/** Rewrites requests or responses; by default neither. */
export interface Rewrites {
  /** Called before a request is forwarded; returns its new body, or undefined to keep it. */
  readonly request?: (request: RecordedRequest) => unknown;
  /** Called before a listing is returned; returns the new rows. */
  readonly rows?: (rows: readonly unknown[], request: RecordedRequest) => readonly unknown[];
}

/** A running proxy. */
export interface RecordingProxy {
  /** The environment variables that select it. */
  readonly environment: Readonly<Record<string, string>>;
  /** All requests that change something, in order. */
  readonly writes: readonly RecordedRequest[];
  /** All requests as `METHOD path`. */
  readonly requests: readonly string[];
  /** The highest number of parallel requests. */
  maxParallel(): number;
}

/** Sends a request on to the sandbox. */
type Forward = (received: Received) => Promise<JsonAnswer>;

/**
 * Starts a proxy in front of the rig's sandbox; it stops after the test. The rig's runs call it, if they call
 * the sandbox.
 */
export async function startRecordingProxy(
  { sandbox, shortcuts }: Pick<Rig, "sandbox"> & Partial<Pick<Rig, "shortcuts">>,
  rewrites: Rewrites = {},
): Promise<RecordingProxy> {
  const writes: RecordedRequest[] = [];
  const seen: string[] = [];
  let running = 0;
  let most = 0;

  const answer = async (received: Received, forward: Forward): Promise<JsonAnswer> => {
    const { method, url, text } = received;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const recorded = { method, url, ...(body === undefined ? {} : { body }) };
    seen.push(`${method} ${url}`);
    if (method !== "GET") writes.push(recorded);
    const sent = (await rewrites.request?.(recorded)) ?? body;
    const content = sent === undefined ? "" : JSON.stringify(sent);
    const reply = await forward({ ...received, text: content });
    if (rewrites.rows === undefined || method !== "GET" || reply.status >= 300) return reply;
    const rows = rewrites.rows(JSON.parse(reply.text) as unknown[], recorded);
    return { ...reply, text: JSON.stringify(rows) };
  };
  const record = async (received: Received, forward: Forward): Promise<JsonAnswer> => {
    most = Math.max(most, ++running);
    try {
      return await answer(received, forward);
    } finally {
      running--;
    }
  };

  const server = createServer(async (incoming, outgoing) => {
    try {
      const { status, text } = await record(await receive(incoming), forwardTo(sandbox.baseUrl));
      outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
    } catch {
      // After the test the connection may be closed.
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const pass = shortcuts?.get(sandbox.baseUrl);
  if (pass !== undefined) {
    shortcuts?.set(baseUrl, (http) => {
      const send = pass(http);
      return sendDirectly((received) => record(received, callTo(send)));
    });
  }
  const environment = { CATALOG_BASE_URL: baseUrl };
  return { environment, writes, requests: seen, maxParallel: () => most };
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const { method = "", url = "" } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    /^(x-api-key|accept|content-type)$/.test(name) ? [[name, String(value)]] : [],
  );
  const text = Buffer.concat(chunks).toString();
  return { method, url, headers: Object.fromEntries(headers), text };
}

function forwardTo(target: string): Forward {
  return async ({ method, url, headers, text }) => {
    const content = text === "" ? {} : { body: text };
    const reply = await fetch(new URL(url, target), { method, headers, ...content });
    return { status: reply.status, text: await reply.text() };
  };
}

function callTo(send: Send): Forward {
  return async ({ method, url, headers, text }) => {
    const request = { method: method as Method, url: `http://localhost${url}`, headers };
    const content = text === "" ? {} : { body: text };
    const reply = await send(
      { ...request, ...content },
      { timeout: 1000, signal: new AbortController().signal },
    );
    return { status: reply.status, text: reply.body.toString() };
  };
}
