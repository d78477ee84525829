/** A server in front of a sandbox that drops, delays or replaces responses. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

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
    };

/** A running server; `requests` lists all requests as `METHOD path`. */
export interface UnreliableServer {
  readonly baseUrl: string;
  readonly requests: readonly string[];
  /** The headers of each request, in order. */
  readonly headers: readonly IncomingMessage["headers"][];
}

/** Starts a server in front of `target`; it stops after the test. */
export async function startUnreliableServer(
  target: string,

  chooseBehavior: (request: {
    readonly method: string;
    readonly url: string;
    readonly number: number;
  }) => ServerBehavior,
): Promise<UnreliableServer> {
  const seen: string[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "" } = incoming;
    seen.push(`${method} ${url}`);
    headers.push(incoming.headers);
    const behavior = chooseBehavior({ method, url, number: seen.length });
    // The sandbox may have stopped while an abandoned request was being forwarded.
    respond(behavior, target, incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, requests: seen, headers };
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
export interface ForwardedResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Sends a received request to `target`. */
export async function forward(
  target: string,
  incoming: IncomingMessage,
): Promise<ForwardedResponse> {
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
