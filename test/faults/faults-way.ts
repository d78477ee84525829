/** Faults on the way to the service: addresses, certificates, proxies. */
import { done, fails, type WayFault } from "./fault.ts";

const PROXY = "via the proxy from HTTP_PROXY";

/** The faults, in the order of the page. */
export const WAY_FAULTS: readonly WayFault[] = [
  {
    group: "way",
    title: "Nothing is listening at the address",
    way: "nobody",
    says: "connection refused: nothing is listening at this address",
    first: fails(6, 5),
  },
  {
    group: "way",
    title: "The certificate is from an unknown authority",
    way: "unknown authority",
    says: "certificate not trusted",
    first: fails(6),
  },
  {
    group: "way",
    title: "The address starts with https, but the server supports only HTTP",
    way: "no TLS",
    says: "the server does not support HTTPS",
    first: fails(6),
  },
  {
    group: "way",
    title: "A working proxy is configured",
    way: "proxy",
    says: null,
    first: done(),
  },
  {
    group: "way",
    title: "The proxy is not running",
    way: "no proxy",
    says: PROXY,
    first: fails(6, 5),
  },
  {
    group: "way",
    title: "The proxy requires a user name and password (407)",
    way: "proxy that asks for a login",
    says: "the proxy requires a user name and password (HTTP 407)",
    first: fails(6),
  },
  {
    group: "way",
    title: "The proxy rejects the request (403)",
    way: "proxy that refuses",
    says: "request rejected (HTTP 403)",
    first: fails(6),
  },
  {
    group: "way",
    title: "The proxy cannot reach the service (502)",
    way: "proxy that fails",
    says: "request rejected (HTTP 502)",
    first: fails(6, 5),
  },
];
