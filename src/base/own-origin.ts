/** Which requests a server on this machine answers: those of its own pages, and of programs that name it. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { isLoopback, parseUrl } from "./http.ts";

/** The names of a server. */
export interface ServerNames {
  /** Under which it can be reached, besides those of loopback; in lower case, without brackets. */
  readonly names: readonly string[];
  /** Whether it listens on every address of this machine. */
  readonly isEverywhere: boolean;
}

/**
 * What is foreign about a request: the host that it names, or the page of another origin that sent it. A
 * page in a browser can send requests to this machine, also under its own name if that resolves to it.
 */
export function findForeign(
  headers: IncomingHttpHeaders,
  names: ServerNames,
): "host" | "origin" | undefined {
  const { host, origin } = headers;
  const own = host === undefined ? undefined : ownOrigin(host, names);
  if (host !== undefined && own === undefined) return "host";
  const isForeign = origin !== undefined && origin !== own;
  return isForeign || !OWN_SITES.has(headers["sec-fetch-site"]) ? "origin" : undefined;
}

/** The values of Sec-Fetch-Site without another page: other clients omit it, `none` is the user. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** The origin of pages of the server under the requested host; undefined if that is not its own. */
function ownOrigin(host: string, names: ServerNames): string | undefined {
  const url = parseUrl(`http://${host}`);
  if (url === undefined || !isOwn(url.hostname, names)) return undefined;
  // A user or a path is not part of a host.
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function isOwn(hostname: string, { names, isEverywhere }: ServerNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server that listens on every address is reachable under private names, but not under public
  // ones: their owners can make them resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}

/**
 * Whether a request is from a browser of this machine, under a name of loopback and without another page
 * behind it: pages that need no key are for nobody else.
 */
export function isOwnPage({
  headers,
  socket,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? "";
  const isLocal = isLoopback(isIPv6(address) ? `[${address}]` : address);
  const names = { names: [], isEverywhere: false };
  return isLocal && headers.host !== undefined && findForeign(headers, names) === undefined;
}

/** What others get instead of such a page. */
export const NOT_YOUR_PAGE = "This page is only for a browser on the same machine.";

/** The headers of a page that may do only what its policy says, and that no other page can open or frame. */
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
