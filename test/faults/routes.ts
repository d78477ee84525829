/** Faults on the route to the service: addresses and certificates. */
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { SELF_SIGNED } from "../built/certificate.ts";
import { listen } from "./server.ts";

/** How a command reaches the service. */
export interface Route {
  readonly baseUrl: string;
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

/** A port on which nothing listens. */
const UNUSED_PORT = 1;

/** Every route by its name, each to the server on that port. */
export const ROUTES = {
  "unused port": async () => ({ baseUrl: localUrl(UNUSED_PORT) }),
  "unknown authority": async () => {
    const server = createTlsServer(SELF_SIGNED);
    const port = await listen(server);
    return { baseUrl: `https://127.0.0.1:${port}`, close: () => closed(server) };
  },
  "no TLS": async (port) => ({ baseUrl: `https://127.0.0.1:${port}` }),
} satisfies Readonly<Record<string, (port: number) => Promise<Route>>>;

/** The name of a route. */
export type RouteName = keyof typeof ROUTES;
