/** A server between command and sandbox that records bodies and changes what passes through. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Rig } from "../rig.ts";

/** A request that passes through. */
export interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The parsed JSON body; undefined if there is none. */
  readonly body?: unknown;
}

/** What to do with what passes through; nothing by default. */
export interface Tampering {
  /** Called before a request is passed on; returns a replacement for its body. */
  readonly request?: (passing: Passing) => unknown;
  /** Called before the list in a response is passed on; returns a replacement. */
  readonly rows?: (rows: readonly unknown[], passing: Passing) => readonly unknown[];
}

/** A running server. */
export interface Between {
  /** The environment in which a command uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The writes that arrived, in order. */
  readonly writes: readonly Passing[];
  /** All requests as `METHOD path`. */
  readonly seen: readonly string[];
  /** The highest number of parallel requests. */
  most(): number;
}

/** Starts a server in front of the rig's sandbox; it ends with the test. */
export async function between(
  { sandbox }: Pick<Rig, "sandbox">,
  tampering: Tampering = {},
): Promise<Between> {
  const writes: Passing[] = [];
  const seen: string[] = [];
  let running = 0;
  let most = 0;

  const answer = async (incoming: IncomingMessage): Promise<Response> => {
    const { method = "", url = "" } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const passing = { method, url, ...(body === undefined ? {} : { body }) };
    seen.push(`${method} ${url}`);
    if (method !== "GET") writes.push(passing);
    const sent = (await tampering.request?.(passing)) ?? body;
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      /^(x-api-key|accept|content-type)$/.test(name) ? [[name, String(value)]] : [],
    );
    const content = sent === undefined ? {} : { body: JSON.stringify(sent) };
    const reply = await fetch(new URL(url, sandbox.baseUrl), { method, headers, ...content });
    if (tampering.rows === undefined || method !== "GET" || !reply.ok) return reply;
    const rows = tampering.rows((await reply.json()) as unknown[], passing);
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
      // After the test there is no one to respond to.
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
  return { environment, writes, seen, most: () => most };
}
