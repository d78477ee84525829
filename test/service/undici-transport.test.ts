/** Exchanges that end early, over real connections. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { undiciTransport } from "../../src/service/undici-transport.ts";

/** Starts a server on a free port; it ends with the test. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function transportTo(baseUrl: string) {
  const transport = await undiciTransport({ baseUrl, connections: 1, environment: {} });
  onTestFinished(() => transport.close());
  const request = { method: "GET", url: `${baseUrl}/courses`, headers: {} } as const;
  return (options: { timeout?: number; signal?: AbortSignal } = {}, maxBytes?: number) =>
    transport.send(maxBytes === undefined ? request : { ...request, maxBytes }, {
      ...{ timeout: 60_000, ...options },
    });
}

const answering = async (listener: RequestListener) =>
  transportTo(`http://127.0.0.1:${await listen(createHttpServer(listener))}`);

test("a request whose signal is already aborted is not sent", async () => {
  let requests = 0;
  const send = await answering((_, response) => {
    requests++;
    response.end();
  });
  await expect(send({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
  expect(requests).toBe(0);
});

test("the timeout also ends a connection that is never established", async () => {
  // The server accepts the connection and never answers the TLS handshake.
  const port = await listen(
    createServer((socket) => void onTestFinished(() => void socket.destroy())),
  );
  const send = await transportTo(`https://127.0.0.1:${port}`);
  await expect(send({ timeout: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("a response that is aborted within its body keeps its status", async () => {
  const controller = new AbortController();
  // undici publishes here that the headers have arrived.
  const abort = () => setImmediate(() => controller.abort());
  subscribe("undici:request:headers", abort);
  onTestFinished(() => void unsubscribe("undici:request:headers", abort));
  const send = await answering((_, response) => {
    response.writeHead(
      201,
      "Created",
      [
        ["X-A", "1"],
        ["X-A", "2"],
      ].flat(),
    );
    response.write("[");
    onTestFinished(() => void response.destroy());
  });
  const response = await send({ signal: controller.signal });
  expect(response).toMatchObject({ status: 201, reason: "Created", headers: { "x-a": "1, 2" } });
  expect(response).toMatchObject({ bodyError: { code: "ABORTED" } });
  expect(response.body).toHaveLength(0);
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)(
  "the size limit of a response in %s also applies to its decompressed size",
  async (encoding, compress) => {
    const bytes = compress(Buffer.alloc(1_000_001));
    const send = await answering((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes);
    });
    const refused = await send({}, 1_000_000);
    expect([refused.bodyError?.code, refused.body.length]).toEqual(["TOO_LARGE", 0]);
    expect((await send({}, 1_000_001)).body).toHaveLength(1_000_001);
  },
);
