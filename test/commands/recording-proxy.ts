/** A proxy in front of a sandbox that records requests, and can make them wait. */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../listen.ts";
import type { Rig } from "../rig.ts";
import { forward } from "../unreliable-server.ts";

/** A request of a run. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The parsed JSON body; undefined if there is none. */
  readonly body?: unknown;
}

/**
 * Starts a proxy in front of the rig's sandbox; it stops after the test.
 *
 * @param watch sees each request before the sandbox does; the request waits for it
 */
export async function startRecordingProxy(
  { sandbox }: Pick<Rig, "sandbox">,
  watch: (request: RecordedRequest) => Promise<void> | void = () => undefined,
) {
  /** All requests that change something, in order. */
  const writes: RecordedRequest[] = [];
  /** All requests as `METHOD path`. */
  const requests: string[] = [];
  let running = 0;
  let most = 0;
  const server = createServer(async (incoming, outgoing) => {
    most = Math.max(most, ++running);
    try {
      const { method = "", url = "" } = incoming;
      const body = await buffer(incoming);
      const recorded = { method, url, ...(body.length > 0 && { body: JSON.parse(`${body}`) }) };
      requests.push(`${method} ${url}`);
      if (method !== "GET") writes.push(recorded);
      await watch(recorded);
      const reply = await forward(sandbox.baseUrl, incoming, body);
      const type = { "content-type": "application/json" };
      outgoing.writeHead(reply.status, type).end(await reply.text());
    } catch {
      // After the test the connection may be closed.
      incoming.socket.destroy();
    } finally {
      running--;
    }
  });
  /** The environment variables that select it. */
  const environment = { CATALOG_BASE_URL: (await listen(server)).baseUrl };
  /** The highest number of parallel requests. */
  const maxParallel = () => most;
  return { environment, writes, requests, maxParallel };
}
