/** Sends requests with undici: keep-alive connections, one timeout each, no redirects. */
import { promisify } from "node:util";
import type { Dispatcher } from "undici";
// Not the package's entry point, which also loads fetch, WebSocket and caches: see docs/contributing/start-up.md.
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { systemCode } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { checkForwarded, proxyAgent, proxyFor, withProxy } from "./proxy.ts";
import {
  abortError,
  type BufferedResponse,
  MAX_RESPONSE_SIZE,
  type Send,
  TRANSPORT_ERROR_CODES,
  type Transport,
  TransportError,
  toTransportError,
} from "./transport.ts";

export interface TransportOptions {
  /** The service's base URL. Its scheme decides which proxy variable applies. */
  readonly baseUrl: string;
  readonly connections: number;
  /** Read for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in uppercase or lowercase. */
  readonly environment: Environment;
}

/** Creates a transport that connects at the first request. @throws CatalogError of kind `usage` for a bad proxy */
export async function undiciTransport(options: TransportOptions): Promise<Transport> {
  const settings = {
    connections: options.connections,
    allowH2: false,
    // Only the timeout of each request counts; undici's own timeouts would end earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0 },
  };
  const proxy = proxyFor(options.baseUrl, options.environment);
  const dispatcher = proxy === undefined ? new Agent(settings) : await proxyAgent(proxy, settings);

  const send: Send = async ({ method, url, headers, body, maxBytes }, limits) => {
    const { timeout, signal } = limits;
    const controller = new AbortController();
    const abort = (): void => controller.abort(abortError());
    const timer = setTimeout(() => {
      const message = `no response within ${timeout / 1000} s`;
      const facts = { code: TRANSPORT_ERROR_CODES.timeout, advice: MORE_TIME };
      controller.abort(new TransportError(message, facts));
    }, timeout);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      if (signal?.aborted) throw abortError();
      const { origin, pathname, search } = new URL(url);
      const path = pathname + search;
      const target = { origin, path, method, headers, body: body ?? null };
      const response = await Promise.race([
        request.call(dispatcher, { ...target, signal: controller.signal }),
        // undici notices an abort only when it is connected, which can take forever.
        rejectOnAbort(controller.signal),
      ]);
      // The response to HEAD announces the body that GET would have.
      const most = method === "HEAD" ? Number.POSITIVE_INFINITY : (maxBytes ?? MAX_RESPONSE_SIZE);
      const received = await readResponse(response, most, controller);
      return proxy === undefined ? received : checkForwarded(received, proxy);
    } catch (error) {
      const failure = toTransportError(error);
      throw proxy === undefined ? failure : withProxy(failure, proxy);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  };
  return { send, close: () => dispatcher.destroy() };
}

const MORE_TIME = "Is the service running? To wait longer for a response, increase --timeout.";

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function readResponse(
  response: Dispatcher.ResponseData,
  maxBytes: number,
  controller: AbortController,
): Promise<BufferedResponse> {
  const headers = joinHeaders(response.headers);
  const head = { status: response.statusCode, reason: response.statusText, headers };
  try {
    if (Number(headers["content-length"]) > maxBytes) {
      controller.abort(tooLarge(maxBytes));
      throw tooLarge(maxBytes);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return {
      ...head,
      body: await decode(Buffer.concat(chunks), maxBytes, headers["content-encoding"]),
    };
  } catch (error) {
    return { ...head, body: Buffer.alloc(0), bodyError: toTransportError(error) };
  }
}

/** The error of a response that is too large, as it arrived or after decompression. */
function tooLarge(maxBytes: number): TransportError {
  const message = `the response is larger than ${maxBytes / 1024 / 1024} MiB, the limit`;
  return new TransportError(message, { code: TRANSPORT_ERROR_CODES.tooLarge, retryable: false });
}

function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = ""]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(", ") : value,
  ]);
  return Object.fromEntries(entries);
}

/** Decompresses a body. Some proxies compress it, although the request does not ask for that. */
async function decode(bytes: Buffer, maxBytes: number, encoding = "identity"): Promise<Buffer> {
  // The response to HEAD has no body, but names the encoding that its body would have.
  if (encoding === "identity" || bytes.length === 0) return bytes;
  const zlib = await import("node:zlib");
  // Each chunk is a separate task, so larger chunks decompress a large response faster.
  const limit = { maxOutputLength: maxBytes, chunkSize: 64 * 1024 };
  try {
    // Not the synchronous functions: Ctrl-C and time limits must work during decompression.
    if (/^(x-)?gzip$|^deflate$/i.test(encoding)) return await promisify(zlib.unzip)(bytes, limit);
    if (/^br$/i.test(encoding)) return await promisify(zlib.brotliDecompress)(bytes, limit);
  } catch (cause) {
    if (systemCode(cause) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    const code = TRANSPORT_ERROR_CODES.encoding;
    throw new TransportError("the compressed response is damaged", { code, cause });
  }
  throw new TransportError(`unsupported content encoding: ${encoding}`, {
    code: TRANSPORT_ERROR_CODES.encoding,
    retryable: false,
  });
}
