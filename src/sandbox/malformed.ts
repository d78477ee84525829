/** Answers what is no HTTP, or does not come to an end. */
import type { Duplex } from "node:stream";
import { systemCode } from "../base/errors.ts";
import { JSON_TYPE } from "./exchange.ts";

/** Milliseconds for a client to hear why it was refused before its connection is cut. */
const LINGER = 2000;

/** Refuses what a connection brings, once; it cannot be read any further. */
export class Refusals {
  readonly #refused = new WeakSet<Duplex>();

  /**
   * @param answered resolves when the requests that came before have their answers, or else this
   * would be taken for one of these
   */
  async refuse(error: Error, socket: Duplex, answered: () => Promise<void>): Promise<void> {
    const refusal = malformed(systemCode(error));
    if (refusal === undefined) {
      socket.destroy();
      return;
    }
    // A client that goes on speaking is told so with every piece, and must hear the first.
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    await answered();
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(textOf(...refusal));
    setTimeout(() => socket.destroy(), LINGER).unref();
  }
}

function textOf(status: string, hint: string): string {
  const body = JSON.stringify({ hint, details: null });
  const head = [
    `HTTP/1.1 ${status}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** What a failed connection is told; nothing when nobody is there to hear it. */
function malformed(code = ""): readonly [status: string, hint: string] | undefined {
  if (code === "HPE_HEADER_OVERFLOW") {
    return ["431 Request Header Fields Too Large", "The headers are too large"];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return ["408 Request Timeout", "The request took too long to arrive"];
  }
  return code.startsWith("HPE_") ? ["400 Bad Request", "The request is not valid HTTP"] : undefined;
}
