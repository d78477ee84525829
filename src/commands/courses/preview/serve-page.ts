/** Serves a page to the browser of this machine, and tells it when to load the page again. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isOwnPage, NOT_YOUR_PAGE, pageHeaders } from "../../../base/own-origin.ts";
import type { Context } from "../../../command-support/context.ts";
import { CHANGES_PATH } from "../../../output/page/page.ts";
import { listen } from "../../../sandbox/server.ts";

/** What is served. */
interface Served {
  /** 0 for a free one. */
  readonly port: number;
  /** Makes the page, which shows failures itself. */
  readonly render: () => Promise<{ readonly text: string; readonly policy: string }>;
  /** Yields when the page has to be loaded again. */
  readonly changes: AsyncIterable<void> | undefined;
}

const HOST = "127.0.0.1";

/** Serves until the command is stopped. @param onListening receives the url of the page */
export async function servePage(
  { port, render, changes }: Served,
  context: Context,
  onListening: (url: string) => Promise<void>,
): Promise<void> {
  const { stop } = context;
  const waiting = new Set<ServerResponse>();
  const server = createServer();
  const bound = await listen(server, HOST, port);
  server.on("request", (request, response) => {
    void respond(request, response, render, waiting).catch(() => response.destroy());
  });
  // A connection that cannot be accepted, for example without free file descriptors.
  server.on("error", () => {});
  try {
    await onListening(`http://${HOST}:${bound.port}/`);
    for await (const _ of changes ?? []) {
      for (const response of waiting) response.write("data: changed\n\n");
    }
    if (stop.reason === undefined) await once(stop.signal, "abort");
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  render: Served["render"],
  waiting: Set<ServerResponse>,
): Promise<void> {
  const { method, url = "" } = request;
  const [path] = url.split("?");
  if (!isOwnPage(request)) return sendText(response, 403, NOT_YOUR_PAGE);
  if (method !== "GET" && method !== "HEAD") return sendText(response, 405, "Only GET.");
  if (path === CHANGES_PATH) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    // The headers are sent with the first bytes.
    response.write(": connected\n\n");
    waiting.add(response);
    response.on("close", () => waiting.delete(response));
    return;
  }
  if (path !== "/") return sendText(response, 404, "There is nothing here.");
  const { text, policy } = await render();
  response.writeHead(200, pageHeaders(policy)).end(method === "HEAD" ? undefined : text);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
