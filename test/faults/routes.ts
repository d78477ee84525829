/** Faults on the route to the service: addresses, certificates, proxies. */
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { selfSigned } from "../built/certificate.ts";
import { forward } from "../unreliable-server.ts";
import { listen } from "./server.ts";

/** How a command reaches the service. */
export interface Route {
  readonly baseUrl: string;
  /** The environment variables that name a proxy. */
  readonly environment?: Readonly<Record<string, string>>;
  close?(): Promise<void>;
}

/** The URL of a server on this machine. */
function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A proxy that forwards every request to one port, or rejects all with an error page. */
async function proxied(target: number, refusal?: string): Promise<Route> {
  const proxy = createServer((incoming, outgoing) => {
    if (refusal !== undefined) {
      outgoing.writeHead(Number(refusal.slice(0, 3)), { "content-type": "text/html" });
      outgoing.end("<html>No</html>\n");
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? "");
    incoming.url = pathname + search;
    void forward(localUrl(target), incoming).then(({ status, headers, body }) => {
      outgoing.writeHead(status, headers);
      outgoing.end(body);
    });
  });
  proxy.on("connect", (_, socket) => {
    socket.on("error", () => socket.destroy());
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal}\r\ncontent-type: text/html\r\n\r\n<html>No</html>\n`);
      return;
    }
    const onward = connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  });
  const port = await listen(proxy);
  return {
    baseUrl: localUrl(target),
    environment: { HTTP_PROXY: localUrl(port), NO_PROXY: "" },
    close: () => closed(proxy),
  };
}

/** A port on which nothing listens. */
const UNUSED_PORT = 1;

/** Every route by its name, each to the server on that port. */
export const ROUTES = {
  "unused port": async () => ({ baseUrl: localUrl(UNUSED_PORT) }),
  "unknown authority": async () => {
    const server = createTlsServer(selfSigned("127.0.0.1"));
    const port = await listen(server);
    return { baseUrl: `https://127.0.0.1:${port}`, close: () => closed(server) };
  },
  "no TLS": async (port) => ({ baseUrl: `https://127.0.0.1:${port}` }),
  proxy: (port) => proxied(port),
  "no proxy": async (port) => ({
    baseUrl: localUrl(port),
    environment: { HTTP_PROXY: localUrl(UNUSED_PORT), NO_PROXY: "" },
  }),
  "proxy that requires a login": (port) => proxied(port, "407 Proxy Authentication Required"),
  "proxy that refuses": (port) => proxied(port, "403 Forbidden"),
  "proxy that fails": (port) => proxied(port, "502 Bad Gateway"),
} satisfies Readonly<Record<string, (port: number) => Promise<Route>>>;

/** The name of a route. */
export type RouteName = keyof typeof ROUTES;
