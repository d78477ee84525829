/** Recognizes requests that a page of another website sends to this machine. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isLoopback, parseUrl } from "../base/credentials.ts";

interface ServerNames {
  /** Further host names besides loopback under which the server can be reached; in lowercase, without brackets. */
  readonly names: readonly string[];
  /** Whether the server listens on every network interface of this machine. */
  readonly isEverywhere: boolean;
}

/**
 * Whether a request names another host, or comes from a page of another website. Any page in a browser can send
 * requests to this machine (cross-site request forgery), even under the page's host name, if that name resolves to this
 * machine (DNS rebinding).
 */
export function isForeign({ host, origin }: IncomingHttpHeaders, names: ServerNames): boolean {
  if (host === undefined) return origin !== undefined;
  const url = parseUrl(`http://${host}`);
  // A header with a user or a path is not only a host.
  if (url === undefined || url.href !== `${url.origin}/` || !isOwn(url.hostname, names))
    return true;
  return origin !== undefined && origin !== url.origin;
}

function isOwn(hostname: string, { names, isEverywhere }: ServerNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || names.includes(name)) return true;
  // A server on every interface accepts private names, but not public ones: the owner of a public name can make
  // it resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isEverywhere && (isIP(name) !== 0 || isPrivate);
}
