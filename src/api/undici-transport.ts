/** Carries requests over undici: kept-alive connections, one deadline each, no redirects. */

import type { Dispatcher } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import { usageError } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { exchange, MAX_RESPONSE_SIZE } from "./exchange.ts";
import { PageMemory } from "./page-memory.ts";
import { type Transport, TransportError } from "./transport.ts";
import { PROXY_REFUSED } from "./transport-error.ts";

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
  const memory = new PageMemory(options.connections);
  return {
    send: async (sent, sendOptions) => {
      try {
        return await exchange(dispatcher, memory, sent, sendOptions);
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
  if (!(error instanceof TransportError) || error.kind === "interrupted") return error;
  const through = `through the proxy that ${name} names, unless NO_PROXY says otherwise`;
  const status = refusalOf(error);
  const { code, retryable: passing, cause } = error;
  if (status === undefined) {
    return new TransportError(`${through}: ${error.message}`, { code, passing, cause });
  }
  const why = status === 407 ? "it asks for a user name and a password" : "it refused";
  return new TransportError(`${through}: ${why} (HTTP ${status})`, {
    code: PROXY_REFUSED,
    passing: status >= 500,
    cause,
  });
}

/** The status with which a proxy refused to make a tunnel; undici tells it in words alone. */
function refusalOf({ code, message }: TransportError): number | undefined {
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
  if (parseUrl(url) !== undefined) return url;
  throw usageError(`${name} names no proxy`, "It looks like http://proxy.example:3128.");
}

function variable(environment: Environment, name: string): string | undefined {
  return environment[name.toLowerCase()] || environment[name] || undefined;
}
