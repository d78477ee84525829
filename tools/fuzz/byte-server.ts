/** A server that responds with bytes that are almost HTTP. */
import { createServer, type Server } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import fc from "fast-check";

/** A raw response, and whether the connection is cut after it. */
export interface RawResponse {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

const startLine = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("HTTP/1.1 200 OK", "HTTP/1.1 204 ", "HTTP/1.1 400 Bad") },
  fc.constantFrom("HTTP/1.0 200 OK", "HTTP/1.1 100 Continue", "HTTP/1.1 101 Switching Protocols"),
  fc.constantFrom("HTTP/1.1 503 ", "HTTP/1.1 304 ", "HTTP/2 200", "HTTP/1.1 99", "HTTP/1.1 1000 x"),
  fc.constantFrom("", "GET / HTTP/1.1", "SSH-2.0-x", "ICY 200 OK", "HTTP/1.1 200 \u0001"),
  fc.constant("\u0016\u0003\u0001"),
);

const body = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("[]", '[{"id":"1"}]', '{"hint":"x"}').map(Buffer.from) },
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom("[]", "x".repeat(70_000)).map((text) => gzipSync(text)),
  fc.constant(brotliCompressSync("[]")),
  fc.constant(gzipSync("[]").subarray(0, 12)),
  fc.constant(Buffer.from("2\r\n[]\r\n0\r\n\r\n")),
  fc.constant(Buffer.from("ffffffffffffffffff\r\n[]")),
);

const header = fc.oneof(
  fc.constantFrom("content-type: application/json", "connection: close", "connection: keep-alive"),
  fc.constantFrom("content-encoding: gzip", "content-encoding: br", "content-encoding: deflate"),
  fc.constantFrom("content-encoding: zstd", "content-encoding: gzip, gzip", "content-encoding: x"),
  fc.constantFrom("transfer-encoding: chunked", "content-length: 5", "content-length: 99999"),
  fc.constantFrom("content-length: -1", "content-length: x", "content-length: 1e3", "upgrade: h2c"),
  fc.constantFrom("retry-after: 9", "location: //x", ": x", "x", "x\u0000: y", "__proto__: y"),
  fc.constantFrom(`x: ${"y".repeat(20_000)}`, "set-cookie: a", "x: \u00e9", " folded"),
);

/** A response, complete or in pieces, and whether its connection is closed. */
export const anyRawResponse: fc.Arbitrary<RawResponse> = fc
  .tuple(
    startLine,
    fc.array(header, { maxLength: 3 }),
    fc.boolean(),
    body,
    fc.option(fc.nat({ max: 200 }), { freq: 4, nil: undefined }),
    fc.boolean(),
  )
  .map(([start, headers, hasLength, content, cutAt, isCut]) => {
    const length = hasLength ? [`content-length: ${content.length}`] : [];
    const head = [start, ...headers, ...length, "", ""].join("\r\n");
    const bytes = Buffer.concat([Buffer.from(head, "latin1"), content]);
    return { bytes: cutAt === undefined ? bytes : bytes.subarray(0, cutAt), isCut };
  });

/** A server that sends the last configured response to every request. */
export class ByteServer {
  readonly #server: Server;
  #answer: RawResponse | undefined;

  private constructor() {
    this.#server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        const { bytes = Buffer.alloc(0), isCut = true } = this.#answer ?? {};
        socket.write(bytes, () => (isCut ? socket.destroy() : socket.end()));
      });
    });
  }

  /** Starts the server on a free port. */
  static async open(): Promise<ByteServer> {
    const byteServer = new ByteServer();
    await new Promise<void>((resolve) => {
      byteServer.#server.listen(0, "127.0.0.1", resolve);
    });
    return byteServer;
  }

  /** Sets the response to all later requests. @returns the base URL */
  saying(answer: RawResponse): string {
    this.#answer = answer;
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Stops serving. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
