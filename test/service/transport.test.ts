/** Connections to a service, over a real one. */

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { CatalogClient } from "../../src/service/client.ts";
import { openTransport } from "../../src/service/http.ts";
import { IS_LONG } from "../long.ts";
import { testClock } from "../rig.ts";
import { idOf } from "./virtual-service.ts";

/** Starts a server that does this with the connection of each request. @returns its port, and the number of requests */
async function serve(answer: (socket: Socket) => void) {
  const seen = { requests: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on("error", () => undefined)
      .on("data", () => {
        seen.requests++;
        answer(socket);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const COURSE = Buffer.from(JSON.stringify([{ id: idOf(1), name: "Knitting" }]));
const ZIPPED = gzipSync(COURSE);
const ENCODED = `content-encoding: gzip\r\ncontent-length: ${ZIPPED.length}\r\n`;
const LENGTH = `content-length: ${COURSE.length}\r\n`;

/** The beginning of a response. */
function head(headers: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n`;
}

/** A client that reads the course once, or seven times if it must repeat the request. */
async function read(baseUrl: string) {
  const client = new CatalogClient({ baseUrl, apiKey: "key.word", clock: testClock() });
  onTestFinished(() => client.close());
  return await client.course(idOf(1)).catch((error: Error) => error.message);
}

type Piece = string | Buffer;

test.each<[what: string, pieces: Piece[]]>([
  ["is compressed without a request to do so", [head(ENCODED), ZIPPED]],
  [
    "comes after an interim response",
    ["HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", head(LENGTH), COURSE],
  ],
  [
    "arrives in pieces",
    [...(head(LENGTH).match(/.{1,9}/gs) ?? []), COURSE.subarray(0, 9), COURSE.subarray(9)],
  ],
])("a response is read that %s", async (_, pieces) => {
  const { port } = await serve(async (socket) => {
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  });
  expect(await read(`http://127.0.0.1:${port}`)).toMatchObject({ name: "Knitting" });
});

test.each<[what: string, pieces: Piece[], says: string, attempts: number]>([
  ["nothing", [], "was closed", 7],
  ["half a response", [head(LENGTH), COURSE.subarray(0, 9)], "was closed", 7],
  [
    "a chunk without an end",
    [head("transfer-encoding: chunked\r\n"), "1\r\n[\r\n"],
    "was closed",
    7,
  ],
  [
    "damaged compression",
    [head(ENCODED), Buffer.from(ZIPPED).fill(0, 12)],
    "response is damaged",
    7,
  ],
  ["no HTTP", ["SSH-2.0-OpenSSH_9.6\r\n"], "HTTP", 7],
  ["endless headers", [head(`x: ${"a".repeat(100_000)}\r\n`)], "Headers Overflow", 1],
  ["broken JSON", [head("content-length: 1\r\n"), "["], "the response is not valid JSON", 1],
  ["an empty body", [head("content-length: 0\r\n")], "the response is not valid JSON", 1],
  ["an object", [head("content-length: 2\r\n"), "{}"], "not a list of objects with ids", 1],
  ["a page", [head("content-length: 6\r\n"), "<html>"], "an HTML page", 1],
])("a service that answers with %s is named as the cause", async (_, pieces, says, attempts) => {
  const { port, seen } = await serve((socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  });
  expect(await read(`http://127.0.0.1:${port}`)).toContain(says);
  expect(seen.requests).toBe(attempts);
});

test("a base URL with https for a server that supports only HTTP is named as the cause", async () => {
  const { port } = await serve((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  expect(await read(`https://127.0.0.1:${port}`)).toContain("does not speak HTTPS on this port");
});

/** The bytes of the objects in memory after a complete collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test.runIf(IS_LONG)(
  "a finished request is not kept in memory until its timeout has passed",
  async () => {
    const { port } = await serve((socket) => socket.write(`${head("content-length: 2\r\n")}[]`));
    const baseUrl = `http://127.0.0.1:${port}`;
    const { send, close } = await openTransport({ baseUrl });
    onTestFinished(close);
    const request = { method: "GET", url: `${baseUrl}/a`, headers: {} } as const;
    const sendMany = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        await Promise.all(Array.from({ length: 8 }, () => send(request, 30_000)));
      }
    };
    await sendMany(25);
    const before = usedBytes();
    await sendMany(100);
    // Signals with a timeout kept 3 kB of each until the timeout had passed.
    expect(usedBytes() - before).toBeLessThan(600_000);
  },
);

test.each<[url: string, environment: Record<string, string>, variable: string | undefined]>([
  ["https://a.example", { HTTPS_PROXY: "b:1" }, "HTTPS_PROXY"],
  ["https://a.example", { HTTPS_PROXY: "http://b:1", https_proxy: "b:2" }, "https_proxy"],
  ["https://a.example", { HTTP_PROXY: "b:1" }, undefined],
  ["http://a.example", { HTTPS_PROXY: "b:1" }, undefined],
  ["http://a.example", { HTTP_PROXY: "https://b:1", HTTPS_PROXY: "c:1" }, "HTTP_PROXY"],
  ["http://127.0.0.1:3000", { HTTP_PROXY: "not a url" }, undefined],
])("a service at %s with the variables %o is reached through the proxy of %s", async (...row) => {
  const [baseUrl, environment, variable] = row;
  const { proxyVariable, close } = await openTransport({ baseUrl, environment });
  onTestFinished(close);
  expect(proxyVariable).toBe(variable);
});

test.each<[url: string, exceptions: string, isDirect: boolean]>([
  ["https://catalog.test", "catalog.test", true],
  ["https://api.catalog.test", "other.test, catalog.test", true],
  ["https://api.catalog.test", ".catalog.test other.test", true],
  ["https://api.catalog.test", "*.test.", true],
  ["https://catalog.test", "CATALOG.TEST", true],
  ["https://catalog.test:8443", "catalog.test:8443", true],
  ["https://catalog.test", "*", true],
  ["https://mycatalog.test", "catalog.test", false],
  ["https://catalog.test", "api.catalog.test", false],
  ["https://catalog.test:8443", "catalog.test:443", false],
  ["https://catalog.test", ",", false],
  ["https://192.0.2.7", "192.0.2.0/24", true],
  ["https://192.0.3.7", "192.0.2.0/24", false],
  ["https://192.0.2.7", "192.0.2.0/99", false],
  ["https://[2001:db8::1]", "[2001:DB8:0::1]", true],
  ["https://[2001:db8::1]", "2001:db8::/32", true],
  ["https://[2001:db8::1]", "192.0.2.0/0", false],
])(
  "a service at %s with NO_PROXY=%s is reached directly: %s",
  async (baseUrl, NO_PROXY, isDirect) => {
    const environment = { HTTPS_PROXY: "http://proxy.example:1", NO_PROXY };
    const { proxyVariable, close } = await openTransport({ baseUrl, environment });
    onTestFinished(close);
    expect(proxyVariable === undefined).toBe(isDirect);
  },
);

test.each(["socks5://127.0.0.1:1", "ftp://proxy.example", "http://", "http://%zz:%zz@b:1", "%zz"])(
  "a proxy with the URL %s is refused",
  async (HTTPS_PROXY) => {
    const opened = openTransport({ baseUrl: "https://a.example", environment: { HTTPS_PROXY } });
    await expect(opened).rejects.toMatchObject({
      kind: "usage",
      message: "HTTPS_PROXY is not the URL of an HTTP proxy",
    });
  },
);
