/** A proxy that forwards every request to one port of this machine and records requests. */
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";
import type { ProxyRules } from "./installed-servers.ts";

/** A host that only the proxy can resolve; the name is reserved (RFC 2606). */
export const HOST = "catalog.invalid";

/** A running proxy. */
export interface Proxy {
  /** The request line and headers of each request to the proxy. */
  readonly heads: readonly { readonly line: string; readonly headers: string }[];
  readonly url: string;
}

/** Starts a proxy that ignores the requested host; it stops after the test. */
export async function startProxy(target: number): Promise<Proxy> {
  const heads: { line: string; headers: string }[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    heads.push({ line: `${method} ${url}`, headers: JSON.stringify(headers) });
    const { pathname, search } = new URL(url);
    const own = { ...headers, host: `127.0.0.1:${target}` };
    const path = pathname + search;
    const options = { port: target, host: "127.0.0.1", method, path, headers: own };
    const passed = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  server.on("connect", ({ method, url, headers }, socket, head) => {
    heads.push({ line: `${method} ${url}`, headers: JSON.stringify(headers) });
    const onward = connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    onTestFinished(() => {
      socket.destroy();
    });
  });
  return { heads, url: `http://127.0.0.1:${await listen(server)}` };
}

const PAGE = { "content-type": "text/html", connection: "close" };

/**
 * Starts a proxy that behaves like squid and tinyproxy with Debian's configuration: it forwards plain requests
 * to any host, opens tunnels only to port 443, and responds with HTML pages if it fails. @returns its port
 */
export async function startStrictProxy({ login, allows = true }: ProxyRules): Promise<number> {
  const expected =
    login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
  const server = createServer((incoming, response) => {
    const fail = (status: number): void => {
      response
        .writeHead(status, PAGE)
        .end('<?xml version="1.0"?>\n<!DOCTYPE html><title>ERROR</title>');
    };
    const { method, url = "", headers } = incoming;
    const { "proxy-authorization": credentials, ...others } = headers;
    // tinyproxy responds with 401 to a wrong password.
    if (expected !== undefined && credentials !== expected) {
      return fail(credentials === undefined ? 407 : 401);
    }
    if (!allows) return fail(403);
    const passed = request(url, { method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once("error", () => fail(503));
    incoming.pipe(passed);
  });
  server.on("connect", ({ url = "" }, socket) => {
    socket.end(`HTTP/1.1 ${url.endsWith(":443") ? 503 : 403} Forbidden\r\n\r\n`);
  });
  return await listen(server);
}

/** Starts a server that stops after the test. @returns its port */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
