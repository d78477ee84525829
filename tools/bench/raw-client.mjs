/** A client that needs almost no time: one connection, on which it sends the same bytes again and again. */
import { once } from "node:events";
import { connect } from "node:net";
import { PATH } from "./client.mjs";

const HEAD_END = "\r\n\r\n";
/** The end of a body in chunks. */
const CHUNKS_END = "\r\n0\r\n\r\n";

/** Parses just enough HTTP to find the end of a response. */
export class RawClient {
  #socket;
  #request;

  constructor(socket, request) {
    this.#socket = socket;
    this.#request = request;
  }

  /**
   * Connects.
   *
   * @param environment as `startSandbox` gives it
   * @param question the `method`, `query` and perhaps `body` of the one request it sends
   */
  static async connected(environment, { method, query, body = "" }) {
    const { host, hostname, port } = new URL(environment.CATALOG_BASE_URL);
    const socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, "connect");
    const lines = [
      `${method} ${PATH}${query} HTTP/1.1`,
      `Host: ${host}`,
      `X-Api-Key: ${environment.CATALOG_API_KEY}`,
      "Connection: keep-alive",
      ...(body === ""
        ? []
        : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    return new RawClient(socket, Buffer.from(`${lines.join("\r\n")}${HEAD_END}${body}`));
  }

  /**
   * Sends its request that many times, each when the one before is answered.
   *
   * @throws Error when the answer is no success, or the connection ends
   */
  send(count) {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let left = count;
      let answer = new Answer();
      const settle = (end, value) => {
        socket.removeAllListeners();
        end(value);
      };
      socket.on("error", (error) => settle(reject, error));
      socket.on("close", () => settle(reject, new Error("the connection ended")));
      socket.on("data", (chunk) => {
        if (!answer.add(chunk)) return;
        if (!answer.isSuccess) return settle(reject, new Error(answer.head));
        left--;
        if (left === 0) return settle(resolve);
        answer = new Answer();
        socket.write(this.#request);
      });
      socket.write(this.#request);
    });
  }

  /** Closes the connection. */
  close() {
    this.#socket.destroy();
  }
}

/** One response, as it arrives. */
class Answer {
  head = "";
  #hasHead = false;
  #length;
  #received = 0;
  /** The end of the head also precedes the last chunk. */
  #end = "\r\n";

  get isSuccess() {
    return /^HTTP\/1\.1 2/.test(this.head);
  }

  /** @returns whether the response is complete with this chunk */
  add(chunk) {
    let body = chunk;
    if (!this.#hasHead) {
      const text = this.head + chunk.toString("latin1");
      const end = text.indexOf(HEAD_END);
      if (end < 0) {
        this.head = text;
        return false;
      }
      body = chunk.subarray(end + HEAD_END.length - this.head.length);
      this.#hasHead = true;
      this.head = text.slice(0, end);
      this.#length = /^content-length: (\d+)$/im.exec(this.head)?.[1];
    }
    this.#received += body.length;
    if (this.#length !== undefined) return this.#received >= Number(this.#length);
    this.#end = (this.#end + body.toString("latin1")).slice(-CHUNKS_END.length);
    return this.#end === CHUNKS_END;
  }
}
