/** Decides which requests a server on this machine answers: requests from its pages, and from programs that name it. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { isLoopback, parseUrl } from "./http.ts";

export interface ServerNames {
  /** Further host names besides loopback under which the server can be reached; in lowercase, without brackets. */
  readonly names: readonly string[];
  /** Whether the server listens on every network interface of this machine. */
  readonly isEverywhere: boolean;
}

/**
 * What is foreign about a request: the host that the request names, or the web page that sent it; undefined if
 * nothing is. Any page in a browser can send requests to this machine (cross-site request forgery), even under the
 * page's host name, if that name resolves to this machine (DNS rebinding).
 */
export function findForeignPart(
  headers: IncomingHttpHeaders,
  names: ServerNames,
): "host" | "origin" | undefined {
  const { host, origin } = headers;
  const own = host === undefined ? undefined : ownOrigin(host, names);
  if (host !== undefined && own === undefined) return "host";
  const isForeign = origin !== undefined && origin !== own;
  return isForeign || !OWN_SITES.has(headers["sec-fetch-site"]) ? "origin" : undefined;
}

/** The values of Sec-Fetch-Site without another page: clients other than browsers omit it, `none` means the user. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** The origin of the server's pages under the requested host; undefined if the host is not the server's. */
function ownOrigin(host: string, names: ServerNames): string | undefined {
  const url = parseUrl(`http://${host}`);
  if (url === undefined || !isOwn(url.hostname, names)) return undefined;
  // A header with a user or a path is not only a host.
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function isOwn(hostname: string, { names, isEverywhere }: ServerNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server on every interface accepts private names, but not public ones: the owner of a public name can make
  // it resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}

/** Whether a request comes from this machine, names a loopback host, and was not sent by a page of another origin. */
export function isLocalBrowserRequest({
  headers,
  socket,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? "";
  const isLocal = isLoopback(isIPv6(address) ? `[${address}]` : address);
  const names = { names: [], isEverywhere: false };
  return isLocal && headers.host !== undefined && findForeignPart(headers, names) === undefined;
}

/** The response to all other requests for such a page. */
export const NOT_YOUR_PAGE = "This page is only for a browser on the same machine.";

/** The headers of a page that its content security policy restricts, and that no other page can open or frame. */
export function pageHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
