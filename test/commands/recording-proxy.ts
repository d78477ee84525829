/** A proxy in front of a sandbox that records requests and can rewrite requests and responses. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
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

/** Starts a proxy in front of the rig's sandbox; it stops after the test. */
export async function startRecordingProxy(
  { sandbox }: Pick<Rig, "sandbox">,
  rewrites: Rewrites = {},
): Promise<RecordingProxy> {
  const writes: RecordedRequest[] = [];
  const seen: string[] = [];
  let running = 0;
  let most = 0;

  const answer = async (incoming: IncomingMessage): Promise<Response> => {
    const { method = "", url = "" } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const recorded = { method, url, ...(body === undefined ? {} : { body }) };
    seen.push(`${method} ${url}`);
    if (method !== "GET") writes.push(recorded);
    const sent = (await rewrites.request?.(recorded)) ?? body;
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      /^(x-api-key|accept|content-type)$/.test(name) ? [[name, String(value)]] : [],
    );
    const content = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const reply = await fetch(new URL(url, sandbox.baseUrl), { method, headers, ...content });
    if (rewrites.rows === undefined || method !== "GET" || !reply.ok) return reply;
    const rows = rewrites.rows((await reply.json()) as unknown[], recorded);
    return Response.json(rows, { status: reply.status });
  };

  const server = createServer(async (incoming, outgoing) => {
    most = Math.max(most, ++running);
    try {
      const reply = await answer(incoming);
      const text = await reply.text();
      running--;
      outgoing.writeHead(reply.status, { "content-type": "application/json" }).end(text);
    } catch {
      // After the test the connection may be closed.
      running--;
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
  return { environment, writes, requests: seen, maxParallel: () => most };
}
