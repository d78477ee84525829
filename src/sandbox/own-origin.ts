/**
 * Refuses requests that were not intended for the sandbox. A page in a browser can send requests to
 * this machine, also under the page's own name if that resolves to it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { isLoopback, parseUrl } from "../base/http.ts";
import { foreignHost, foreignOrigin, type ServiceResponse } from "./responses.ts";

/** The names under which a sandbox can be reached. */
export interface OwnNames {
  /** The host that it listens on, without brackets. */
  readonly host: string;
  /** Further names. */
  readonly others: readonly string[];
}

/** Whether a host means every address of this machine. */
export function isWildcard(host: string): boolean {
  return /^(0+(\.0+){0,3}|\[?[0:]*::[0:]*\]?)$/.test(host);
}

/** The rejection of a request that names another host, or comes from a page of another origin. */
export function checkNames(
  headers: IncomingHttpHeaders,
  names: OwnNames,
): ServiceResponse | undefined {
  const { host, origin } = headers;
  const own = host === undefined ? undefined : ownOrigin(host, names);
  if (host !== undefined && own === undefined) return foreignHost;
  const isForeign = origin !== undefined && origin !== own;
  return isForeign || !OWN_SITES.has(headers["sec-fetch-site"]) ? foreignOrigin : undefined;
}

/** The values of Sec-Fetch-Site without another page: other clients omit it, `none` is the user. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** The origin of pages of the sandbox under the requested host; undefined if that is not its own. */
function ownOrigin(host: string, names: OwnNames): string | undefined {
  const url = parseUrl(`http://${host}`);
  if (url === undefined || !isOwn(url.hostname, names)) return undefined;
  // A user or a path is not part of a host.
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function isOwn(hostname: string, { host, others }: OwnNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || name === host.toLowerCase() || others.includes(name)) return true;
  // A sandbox that listens on every address is reachable under private names, but not under public
  // ones: their owners can make them resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isWildcard(host) && (isIP(name) !== 0 || isPrivate);
}
