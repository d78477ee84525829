/** A proxy that forwards every request to one port of this machine and records requests. */
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

/** A host that only the proxy can resolve; the name is reserved (RFC 2606). */
export const HOST = "catalog.invalid";

/** Starts a proxy that ignores the requested host; it stops after the test. */
export async function startProxy(target: number) {
  /** The request line and headers of each request to the proxy. */
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
  return { heads, url: (await listen(server)).baseUrl };
}
