/** A server between command and sandbox that loses, delays and spoils answers as a test says. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What happens to one request. */
export type Fate =
  | "pass"
  | "drop before"
  | "drop after"
  | "hang"
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Bytes of the body that are sent before the connection is cut. */
      readonly cutAfter?: number;
    };

/** A server that decides the fate of each request; `seen` lists them as `METHOD path`. */
export interface Unreliable {
  readonly baseUrl: string;
  readonly seen: readonly string[];
  /** The headers of each request, in order. */
  readonly headers: readonly IncomingMessage["headers"][];
}

/** Starts one in front of `target`; it ends with the test. */
export async function unreliable(
  target: string,
  fate: (seen: { readonly method: string; readonly url: string; readonly number: number }) => Fate,
): Promise<Unreliable> {
  const seen: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    seen.push(`${method} ${url}`);
    headers.push(incoming.headers);
    const end = fate({ method, url, number: seen.length });
    // The sandbox may have ended while a request that nobody waits for was on its way.
    deal(end, target, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, seen, headers };
}

async function deal(
  fate: Fate,
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (fate === "hang") return;
  if (fate === "drop before") return void incoming.socket.destroy();
  if (typeof fate === "object") {
    outgoing.writeHead(fate.status, fate.headers);
    if (fate.cutAfter === undefined) return void outgoing.end(fate.body ?? "");
    outgoing.write((fate.body ?? "").slice(0, fate.cutAfter), () => incoming.socket.destroy());
    return;
  }
  const { status, headers, body } = await forward(target, incoming);
  if (fate === "drop after") return void incoming.socket.destroy();
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** An answer that was got, and passed on to nobody yet. */
export interface Passed {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Asks `target` what was asked here. */
export async function forward(target: string, incoming: IncomingMessage): Promise<Passed> {
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
