/** Carries requests over undici: kept-alive connections, one deadline each, no redirects. */

import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { Environment } from "../base/environment.ts";
import { systemCode, usageError } from "../base/errors.ts";
import { urlOf } from "../base/url.ts";
import { noAnswer, PROXY_REFUSED, tooLarge } from "./no-answer.ts";
import {
  type Answer,
  interruption,
  NoAnswer,
  type Request,
  type SendOptions,
  type Transport,
} from "./transport.ts";

/** No answer of the service is larger: a page has 100 courses. In bytes. */
const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** How the connections are made. */
export interface TransportOptions {
  /** The service's address; decides which proxy variable counts. */
  readonly baseUrl: string;
  /** How many requests may be under way at once. */
  readonly connections: number;
  /** Read for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case. */
  readonly environment: Environment;
}

/** A transport over undici; connections are made at the first request. */
export async function undiciTransport(options: TransportOptions): Promise<Transport> {
  const dispatcher = await dispatcherFor(options);
  return {
    send: async (sent, sendOptions) => {
      try {
        return await sendOnce(dispatcher, sent, sendOptions);
      } catch (error) {
        throw dispatcher instanceof Agent ? error : besideProxy(error, proxyVariable(options));
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function dispatcherFor(options: TransportOptions): Promise<Dispatcher> {
  const settings = {
    connections: options.connections,
    maxResponseSize: MAX_RESPONSE_SIZE,
    allowH2: false,
    // The deadline of each request is the only clock; undici's own would end earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0 },
  };
  const name = proxyVariable(options);
  const secure = name === "HTTPS_PROXY";
  const proxy = proxyUrl(options.environment, name);
  if (proxy === undefined) return new Agent(settings);
  const EnvHttpProxyAgent = await loadProxyAgent();
  // An empty text keeps undici from looking into the process's own environment.
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: secure ? "" : proxy,
    httpsProxy: secure ? proxy : "",
    noProxy: variable(options.environment, "NO_PROXY") ?? "",
  });
}

function proxyVariable({ baseUrl }: TransportOptions): "HTTPS_PROXY" | "HTTP_PROXY" {
  return baseUrl.toLowerCase().startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
}

/** Who is told that nothing answers must know that a proxy may be what did not. */
function besideProxy(error: unknown, name: string): unknown {
  if (!(error instanceof NoAnswer) || error.kind === "interrupted") return error;
  const through = `through the proxy that ${name} names, unless NO_PROXY says otherwise`;
  const status = refusalOf(error);
  const { code, passing, cause } = error;
  if (status === undefined) {
    return new NoAnswer(`${through}: ${error.message}`, { code, passing, cause });
  }
  const why = status === 407 ? "it asks for a user name and a password" : "it refused";
  return new NoAnswer(`${through}: ${why} (HTTP ${status})`, {
    code: PROXY_REFUSED,
    passing: status >= 500,
    cause,
  });
}

/** The status with which a proxy refused to make a tunnel; undici tells it in words alone. */
function refusalOf({ code, message }: NoAnswer): number | undefined {
  const [, status] = /^Proxy response \((\d{3})\)/.exec(message) ?? [];
  return code === "UND_ERR_ABORTED" && status !== undefined ? Number(status) : undefined;
}

/** The proxy agent, with the one method that it expects undici's whole entry to have added. */
async function loadProxyAgent() {
  const [{ default: Dispatcher }, { default: connect }, { default: EnvHttpProxyAgent }] =
    await Promise.all([
      import("undici/lib/dispatcher/dispatcher.js"),
      import("undici/lib/api/api-connect.js"),
      import("undici/lib/dispatcher/env-http-proxy-agent.js"),
    ]);
  Dispatcher.prototype.connect = connect;
  return EnvHttpProxyAgent;
}

/** The proxy that a variable names; without a scheme it is an http one, as elsewhere. */
function proxyUrl(environment: Environment, name: string): string | undefined {
  const text = variable(environment, name);
  if (text === undefined) return undefined;
  const url = text.includes("://") ? text : `http://${text}`;
  if (urlOf(url) !== undefined) return url;
  throw usageError(`${name} names no proxy`, "It looks like http://proxy.example:3128.");
}

function variable(environment: Environment, name: string): string | undefined {
  return environment[name.toLowerCase()] || environment[name] || undefined;
}

async function sendOnce(
  dispatcher: Dispatcher,
  sent: Request,
  options: SendOptions,
): Promise<Answer> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(interruption());
  const seconds = options.timeout / 1000;
  const timer = setTimeout(
    () => controller.abort(new NoAnswer(`no answer within ${seconds} s`, { code: "TIMEOUT" })),
    options.timeout,
  );
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();
  try {
    return await exchange(dispatcher, sent, controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : noAnswer(error);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
  }
}

async function exchange(
  dispatcher: Dispatcher,
  sent: Request,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(sent.url);
  const response = await request.call(dispatcher, {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: sent.method,
    headers: sent.headers,
    body: sent.body ?? sent.bytes ?? null,
    signal,
  });
  const headers = flatten(response.headers);
  const head = { status: response.statusCode, reason: response.statusText, headers };
  const chunks: Uint8Array[] = [];
  // An answer without a body, as to HEAD, announces what it would have.
  if (sent.method !== "HEAD" && Number(headers["content-length"]) > MAX_RESPONSE_SIZE) {
    response.body.on("error", () => undefined).destroy();
    return { ...head, text: "", brokenBy: tooLarge() };
  }
  try {
    for await (const chunk of response.body) chunks.push(chunk);
    const bytes = await decode(Buffer.concat(chunks), headers["content-encoding"]);
    return { ...head, text: bytes.toString("utf8"), bytes };
  } catch (error) {
    const brokenBy = signal.aborted ? signal.reason : noAnswer(error);
    return { ...head, text: "", brokenBy };
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}

/** Some proxies compress although nobody asked them to. */
async function decode(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  // An answer without a body, as to HEAD, still names the encoding that its body would have.
  if (encoding === undefined || encoding === "identity" || bytes.length === 0) return bytes;
  const zlib = await import("node:zlib");
  // A page of courses fits into one piece or two.
  const limit = { maxOutputLength: MAX_RESPONSE_SIZE, chunkSize: 2 ** 18 };
  try {
    if (/^(x-)?gzip$|^deflate$/i.test(encoding)) return zlib.unzipSync(bytes, limit);
    if (/^br$/i.test(encoding)) return zlib.brotliDecompressSync(bytes, limit);
  } catch (cause) {
    if (systemCode(cause) === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new NoAnswer("the answer is compressed, and damaged", { code: "ENCODING", cause });
  }
  throw new NoAnswer(`the answer is encoded as ${encoding}, which nobody asked for`, {
    code: "ENCODING",
    passing: false,
  });
}
