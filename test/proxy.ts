/** A proxy that leads everything to one port of this machine, and remembers what it is asked. */
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** What only the proxy can find; the name is reserved for never being one. */
export const HOST = "catalog.invalid";

/** Such a proxy. */
export interface Proxy {
  /** The heads of what was asked of the proxy itself. */
  readonly heads: readonly { readonly line: string; readonly headers: string }[];
  readonly url: string;
}

/** Starts one, whatever the name that it is asked for; it ends with the test. */
export async function startProxy(target: number): Promise<Proxy> {
  const heads: { line: string; headers: string }[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    heads.push({ line: `${method} ${url}`, headers: JSON.stringify(headers) });
    const { pathname, search } = new URL(url);
    const options = { port: target, host: "127.0.0.1", method, path: pathname + search, headers };
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { heads, url: `http://127.0.0.1:${port}` };
}
