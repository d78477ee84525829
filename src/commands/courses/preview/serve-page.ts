/** Serves a page to the browser of this machine, and asks the browser to reload it after changes. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  isLocalBrowserRequest,
  NOT_YOUR_PAGE,
  pageHeaders,
} from "../../../base/local-request-guard.ts";
import type { Context } from "../../../command-support/context.ts";
import { CHANGES_PATH } from "../../../output/page/page.ts";
import { listen } from "../../../sandbox/server.ts";

interface Served {
  /** The port; 0 for any free port. */
  readonly port: number;
  /** Makes the page, which shows failures itself. */
  readonly render: () => Promise<{ readonly text: string; readonly policy: string }>;
  /** Yields when the browser has to reload the page. */
  readonly changes: AsyncIterable<void> | undefined;
}

const HOST = "127.0.0.1";

/** Serves the page until the command is stopped. @param onListening receives the URL of the page */
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
  // The system may fail to accept a connection, for example without free file descriptors.
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
  if (!isLocalBrowserRequest(request)) return sendText(response, 403, NOT_YOUR_PAGE);
  if (method !== "GET" && method !== "HEAD")
    return sendText(response, 405, "This page accepts only GET.");
  if (path === CHANGES_PATH) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    // Node.js sends the headers with the first bytes of the body.
    response.write(": connected\n\n");
    waiting.add(response);
    response.on("close", () => waiting.delete(response));
    return;
  }
  if (path !== "/") return sendText(response, 404, "There is nothing at this URL.");
  const { text, policy } = await render();
  response.writeHead(200, pageHeaders(policy)).end(method === "HEAD" ? undefined : text);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
