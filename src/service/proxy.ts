/** Finds the proxy that the environment configures, and explains its responses and failures. */
import { BlockList, isIP } from "node:net";
import type Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import { attempt, usageError } from "../base/errors.ts";
import { isLoopback, parseUrl } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { isHtml } from "./response.ts";
import {
  type BufferedResponse,
  isCertificateCode,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";

export interface Proxy {
  readonly variable: "HTTPS_PROXY" | "HTTP_PROXY";
  readonly url: URL;
  /** The value of `NO_PROXY`: hosts that are reached without the proxy. */
  readonly exceptions: string;
}

/**
 * The proxy that the environment configures for the service; undefined if there is none. For example,
 * `HTTPS_PROXY=proxy.example:3128` and `https://api.example` give
 * `{variable: "HTTPS_PROXY", url: http://proxy.example:3128, exceptions: ""}`.
 *
 * @throws CatalogError of kind `usage` for a variable that is not a URL
 */
export function proxyFor(baseUrl: string, environment: Environment): Proxy | undefined {
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()] || environment[name] || undefined;
  const variable = baseUrl.toLowerCase().startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = read(variable);
  if (text === undefined) return undefined;
  const url = parseUrl(text.includes("://") ? text : `http://${text}`);
  const exceptions = read("NO_PROXY") ?? "";
  if (isDirect(baseUrl, url, environment) || isExceptedAddress(baseUrl, exceptions)) {
    return undefined;
  }
  if (url === undefined || !isUsable(url)) {
    const message = `${variable} must be the URL of an HTTP proxy`;
    throw usageError(message, `For example: ${PROXY_EXAMPLE}`);
  }
  return { variable, url, exceptions };
}

const PROXY_EXAMPLE =
  "http://user:password@proxy.example:3128, with special characters of the password as %XX";

/** Whether the service is on this machine and the proxy is not. An empty `NO_PROXY` turns this exception off. */
function isDirect(baseUrl: string, proxy: URL | undefined, environment: Environment): boolean {
  const exceptions = environment.no_proxy ?? environment.NO_PROXY;
  if (exceptions === "" || !isLoopback(new URL(baseUrl).hostname)) return false;
  return proxy === undefined || !isLoopback(proxy.hostname);
}

/** Whether `NO_PROXY` contains the IP address of the host, alone or in a range; undici compares only strings. */
function isExceptedAddress(baseUrl: string, exceptions: string): boolean {
  const host = addressOf(new URL(baseUrl).hostname);
  if (host === undefined) return false;
  const list = new BlockList();
  for (const entry of exceptions.split(/[,\s]+/)) {
    const [first = "", length] = entry.split("/");
    const network = addressOf(first);
    if (network === undefined) continue;
    const { address, family } = network;
    const bits =
      length === undefined ? (family === "ipv4" ? 32 : 128) : Number(length || Number.NaN);
    attempt(() => list.addSubnet(address, bits, family));
  }
  return list.check(host.address, host.family);
}

/** Parses an IP address: `[::1]` gives `{address: "::1", family: "ipv6"}`, a host name undefined. */
function addressOf(host: string) {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  return version === 0
    ? undefined
    : ({ address, family: version === 4 ? "ipv4" : "ipv6" } as const);
}

/** Whether undici can use the proxy: it needs HTTP or HTTPS, and a user name and password that can be decoded. */
function isUsable({ protocol, hostname, username, password }: URL): boolean {
  if ((protocol !== "http:" && protocol !== "https:") || hostname === "") return false;
  return attempt(() => decodeURIComponent(`${username}:${password}`)) !== undefined;
}

/** Creates an undici dispatcher that sends requests through the proxy. */
export async function proxyAgent({ variable, url, exceptions }: Proxy, settings: Agent.Options) {
  const [{ default: connect }, { default: EnvHttpProxyAgent }] = await Promise.all([
    import("undici/lib/api/api-connect.js"),
    import("undici/lib/dispatcher/env-http-proxy-agent.js"),
  ]);
  // The agent needs this method, which otherwise only the package's entry point adds.
  Dispatcher.prototype.connect = connect;
  return new EnvHttpProxyAgent({
    ...settings,
    // With an empty string, undici does not read the environment of the process.
    httpProxy: variable === "HTTP_PROXY" ? url.href : "",
    httpsProxy: variable === "HTTPS_PROXY" ? url.href : "",
    noProxy: exceptions,
    // Most proxies allow tunnels only to port 443: requests over plain HTTP are forwarded.
    proxyTunnel: false,
  });
}

/**
 * Adds the proxy to a failed response, because the proxy may have sent it instead of the service. Requests
 * over HTTPS go through a tunnel, in which the proxy cannot respond.
 *
 * @throws TransportError if only the proxy can have sent the response: 407, or 401 or 403 with an HTML page,
 * which the service never sends (tinyproxy responds to a wrong password with 401)
 */
export function checkForwarded(response: BufferedResponse, proxy: Proxy): BufferedResponse {
  const { status } = response;
  if (proxy.variable !== "HTTP_PROXY" || status < 400) return response;
  const isRejected = (status === 401 || status === 403) && isHtml(response);
  if (status === 407 || isRejected) throw rejectedBy(proxy, status);
  return { ...response, proxy: nameOf(proxy) };
}

/** The error with the name of the proxy, and with advice about the proxy, which is the likely cause. */
export function withProxy(error: TransportError, proxy: Proxy): TransportError {
  const { code, retryable, cause, message } = error;
  const isExplained = code === TRANSPORT_ERROR_CODES.proxyRefused;
  if (isExplained || code === TRANSPORT_ERROR_CODES.aborted) return error;
  // undici reports the status only in its message.
  const [, text] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message) ?? [];
  if (text !== undefined) return rejectedBy(proxy, Number(text), cause);
  // A proxy at http:// only tunnels the connection, so TLS errors are the service's, as certificates usually are.
  const isServices =
    isCertificateCode(code) || (proxy.url.protocol === "http:" && code.startsWith("ERR_SSL_"));
  const advice = isServices ? error.advice : adviceFor(proxy, code);
  return new TransportError(`${message}, ${via(proxy)}`, { code, retryable, cause, advice });
}

function adviceFor({ variable, url, exceptions }: Proxy, code: string): string {
  if (url.protocol === "https:" && code.startsWith("ERR_SSL_")) {
    return `If the proxy does not speak HTTPS, write http:// in ${variable}.`;
  }
  const also = exceptions === "" ? "" : "Is the base URL right? ";
  const more =
    code === TRANSPORT_ERROR_CODES.timeout
      ? " To wait longer for a response, increase --timeout."
      : "";
  return `${also}Is the proxy running, and can it reach the service? To connect without the proxy, unset ${variable}.${more}`;
}

function rejectedBy(proxy: Proxy, status: number, cause?: unknown): TransportError {
  const { variable } = proxy;
  const needsLogin = status === 401 || status === 407;
  const why = needsLogin
    ? "the proxy requires a user name and password"
    : "the proxy rejected the request";
  const question =
    status >= 500
      ? "Can the proxy reach the service?"
      : "Does the proxy allow the service's host and port?";
  const advice = needsLogin
    ? `Add them to ${variable}. For example: ${PROXY_EXAMPLE}`
    : `${question} To connect without the proxy, add the service's host to NO_PROXY.`;
  const code = TRANSPORT_ERROR_CODES.proxyRefused;
  const message = `${via(proxy)}: ${why} (HTTP ${status})`;
  return new TransportError(message, { code, retryable: status >= 500, cause, advice });
}

function via(proxy: Proxy): string {
  const unless = proxy.exceptions === "" ? "" : ", unless NO_PROXY excludes the host";
  return `via the proxy from ${nameOf(proxy)}${unless}`;
}

/** The variable and the URL, without the user name and password: `HTTP_PROXY (http://proxy.example:3128)`. */
function nameOf({ variable, url }: Proxy): string {
  return `${variable} (${url.protocol}//${url.host})`;
}
