/**
 * Refuses requests that were not meant for the sandbox. A page in a browser can send requests to this
 * machine, also under a name of its own that resolves to it.
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

/** Whether a host stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return /^(0+(\.0+){0,3}|\[?[0:]*::[0:]*\]?)$/.test(host);
}

/** The rejection of a request that names another host, or comes from a page of another site. */
export function checkNames(
  { host, origin }: IncomingHttpHeaders,
  names: OwnNames,
): ServiceResponse | undefined {
  const named = parseUrl(`http://${host}`);
  if (host !== undefined && (named === undefined || !isOwn(named.hostname, names))) {
    return foreignHost;
  }
  if (origin === undefined) return undefined;
  return parseUrl(origin)?.host === named?.host ? undefined : foreignOrigin;
}

function isOwn(hostname: string, { host, others }: OwnNames): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isLoopback(hostname) || name === host.toLowerCase() || others.includes(name)) return true;
  // Whoever listens on every address wants to be found, but not under a public name: those can be
  // made to resolve to this machine.
  const isPrivate = !name.includes(".") || /\.(local|internal)$/.test(name);
  return isWildcard(host) && (isIP(name) !== 0 || isPrivate);
}
