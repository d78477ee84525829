/** The parts of HTTP that more than one module needs. */
import { attempt } from "./errors.ts";

/** How requests are sent if no setting says otherwise; times in seconds. */
export const DEFAULTS = {
  timeout: 30,
  retries: 4,
  concurrency: 4,
  vendor: "pgrst",
} as const;

/** Whether a string can be the value of a header as it is: printable ASCII without spaces. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a host, as a URL writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^((.*\.)?localhost|\[::1\]|127(\.\d+){3})$/i.test(hostname);
}

/**
 * Parses a URL. @returns undefined for an invalid one
 *
 * Not `URL.canParse`: on Node.js 20 it starts to reject hosts such as `é.example` after some thousand
 * calls, when V8 has optimized it.
 */
export function parseUrl(text: string): URL | undefined {
  return attempt(() => new URL(text));
}

/** A URL as a browser sees it, without a slash at its end. */
export function normalizeUrl(text: string): string {
  return (parseUrl(text)?.href ?? text).replace(/\/$/, "");
}
