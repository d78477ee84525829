/** Finds the proxy of the environment, and explains what it responds. */
import { BlockList, isIP } from "node:net";
import type Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import { attempt, usageError } from "../base/errors.ts";
import { isLoopback, parseUrl } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { isHtml } from "./response.ts";
import { type BufferedResponse, TRANSPORT_ERROR_CODES, TransportError } from "./transport.ts";

/** A proxy from the environment. */
export interface Proxy {
  readonly variable: "HTTPS_PROXY" | "HTTP_PROXY";
  readonly url: URL;
  /** Hosts that are reached without it. */
  readonly exceptions: string;
}

/** The proxy that the environment configures for the service, if any. @throws CatalogError of kind `usage` */
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
    throw usageError(
      `${variable} is not the URL of an HTTP proxy`,
      "Use the form http://user:password@proxy.example:3128, with special characters as %XX.",
    );
  }
  return { variable, url, exceptions };
}

/**
 * Whether the service is on this machine and the proxy is not, so that it cannot reach the service. An
 * empty `NO_PROXY` says that there is no exception, not even this one.
 */
function isDirect(baseUrl: string, proxy: URL | undefined, environment: Environment): boolean {
  const exceptions = environment.no_proxy ?? environment.NO_PROXY;
  if (exceptions === "" || !isLoopback(new URL(baseUrl).hostname)) return false;
  return proxy === undefined || !isLoopback(proxy.hostname);
}

/** Whether the host is an address that `NO_PROXY` names alone or in a range; undici compares only texts. */
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

/** An IP address, also in brackets; undefined for a name. */
function addressOf(host: string) {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(address);
  return version === 0
    ? undefined
    : ({ address, family: version === 4 ? "ipv4" : "ipv6" } as const);
}

/** Whether undici can use it: no other protocol, and a user name and password that can be decoded. */
function isUsable({ protocol, hostname, username, password }: URL): boolean {
  if ((protocol !== "http:" && protocol !== "https:") || hostname === "") return false;
  return attempt(() => decodeURIComponent(`${username}:${password}`)) !== undefined;
}

/** A dispatcher that uses it. */
export async function proxyAgent({ variable, url, exceptions }: Proxy, settings: Agent.Options) {
  const [{ default: connect }, { default: EnvHttpProxyAgent }] = await Promise.all([
    import("undici/lib/api/api-connect.js"),
    import("undici/lib/dispatcher/env-http-proxy-agent.js"),
  ]);
  // The agent needs this method, which only the package's entry point adds.
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
 * The response to a request that the proxy forwarded, which names the proxy: it may have failed instead of
 * the service. Requests over HTTPS go through a tunnel, so that the proxy cannot respond to them.
 *
 * @throws TransportError if only the proxy can have sent it: 407, or 401 or 403 with a page; the service sends
 * no pages, and tinyproxy responds to a wrong password with 401
 */
export function checkForwarded(response: BufferedResponse, proxy: Proxy): BufferedResponse {
  const { status } = response;
  if (proxy.variable !== "HTTP_PROXY" || status < 400) return response;
  const isRejected = (status === 401 || status === 403) && isHtml(response);
  if (status === 407 || isRejected) throw rejectedBy(proxy, status);
  return { ...response, proxy: nameOf(proxy) };
}

/** Names the proxy in the error, since it may be the cause. */
export function withProxy(error: TransportError, proxy: Proxy): TransportError {
  const { code, retryable, cause, message, advice } = error;
  const isExplained = code === TRANSPORT_ERROR_CODES.proxyRefused;
  if (isExplained || code === TRANSPORT_ERROR_CODES.aborted) return error;
  // undici reports the status only in its message.
  const [, text] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message) ?? [];
  return text === undefined
    ? new TransportError(`${via(proxy)}: ${message}`, { code, retryable, cause, advice })
    : rejectedBy(proxy, Number(text), cause);
}

function rejectedBy(proxy: Proxy, status: number, cause?: unknown): TransportError {
  const { variable } = proxy;
  const needsLogin = status === 401 || status === 407;
  const why = needsLogin ? "the proxy requires a user name and password" : "request rejected";
  const advice = needsLogin
    ? `Set them in ${variable}, as in http://user:password@proxy.example:3128, with special characters as %XX.`
    : `Check that the proxy ${status >= 500 ? "can reach the service" : "allows the service's host and port"}, or exclude its host with NO_PROXY.`;
  const code = TRANSPORT_ERROR_CODES.proxyRefused;
  const message = `${via(proxy)}: ${why} (HTTP ${status})`;
  return new TransportError(message, { code, retryable: status >= 500, cause, advice });
}

function via(proxy: Proxy): string {
  const unless = proxy.exceptions === "" ? "" : ", unless NO_PROXY excludes the host";
  return `via the proxy from ${nameOf(proxy)}${unless}`;
}

/** The variable and the address, without the user name and password. */
function nameOf({ variable, url }: Proxy): string {
  return `${variable} (${url.protocol}//${url.host})`;
}
