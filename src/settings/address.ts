/** Compares addresses of services (cli.md section 11, "Settings"). */
import { parseUrl } from "../base/http.ts";

/**
 * Whether two base URLs name the same place: by scheme, host, port and path, where a slash at the
 * end of the path does not count. Text that is no URL is no place.
 */
export function isSameAddress(one: string, other: string): boolean {
  const first = placeOf(one);
  return first !== undefined && first === placeOf(other);
}

function placeOf(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}

/** Whether a base URL would carry the key unencrypted to another machine. */
export function isExposed(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
