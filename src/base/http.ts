/** Defaults of requests, and checks of header values, hosts and URLs, for all modules. */
import { attempt } from "./errors.ts";

/** The defaults of the settings of requests; times in seconds. */
export const DEFAULTS = {
  timeout: 30,
  retries: 6,
  concurrency: 4,
  vendor: "pgrst",
} as const;

/** Whether a string can be the value of a header: printable ASCII without spaces. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a host in the spelling of a URL is this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^((.*\.)?localhost|\[::1\]|127(\.\d+){3})$/i.test(hostname);
}

/** Parses a URL; undefined if it is invalid. `URL.canParse` of Node.js 20 may reject `é.example` once optimized. */
export function parseUrl(text: string): URL | undefined {
  return attempt(() => new URL(text));
}

/** A URL in a browser's spelling without a slash at its end: `HTTPS://A.example/b/` gives `https://a.example/b`. */
export function normalizeUrl(text: string): string {
  return (parseUrl(text)?.href ?? text).replace(/\/$/, "");
}
