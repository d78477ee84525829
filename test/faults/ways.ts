/** What may be wrong on the way to the service, or stand there: addresses, certificates, proxies. */
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import { selfSigned } from "../built/certificate.ts";
import { listening } from "./server.ts";

/** How a command is led to the service. */
export interface Way {
  readonly baseUrl: string;
  /** The variables that name a proxy. */
  readonly environment?: Readonly<Record<string, string>>;
  close?(): Promise<void>;
}

/** The address of a server that listens on that port of this machine. */
function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A proxy that lets every tunnel through to one port, or refuses all with a page of its own. */
async function proxied(target: number, refusal?: string): Promise<Way> {
  const proxy = createServer();
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
  const port = await listening(proxy);
  return {
    baseUrl: localUrl(target),
    environment: { HTTP_PROXY: localUrl(port) },
    close: () => closed(proxy),
  };
}

/** A port on which nobody listens. */
const NOBODY = 1;

/** Every way by its name, each to the server on that port. */
export const WAYS = {
  nobody: async () => ({ baseUrl: localUrl(NOBODY) }),
  "unknown authority": async () => {
    const server = createTlsServer(selfSigned("127.0.0.1"));
    const port = await listening(server);
    return { baseUrl: `https://127.0.0.1:${port}`, close: () => closed(server) };
  },
  "no TLS": async (port) => ({ baseUrl: `https://127.0.0.1:${port}` }),
  proxy: (port) => proxied(port),
  "no proxy": async (port) => ({
    baseUrl: localUrl(port),
    environment: { HTTP_PROXY: localUrl(NOBODY) },
  }),
  "proxy that asks for a login": (port) => proxied(port, "407 Proxy Authentication Required"),
  "proxy that refuses": (port) => proxied(port, "403 Forbidden"),
  "proxy that fails": (port) => proxied(port, "502 Bad Gateway"),
} satisfies Readonly<Record<string, (port: number) => Promise<Way>>>;

/** The name of a way. */
export type WayName = keyof typeof WAYS;
