/** Faults on the route to the service: base URLs, certificates, proxies. */
import { fails, type RouteFault, succeeds, uncertain } from "./fault.ts";

const PROXY = "via the proxy from HTTP_PROXY";

/** The faults, in the order of the page. */
export const ROUTE_FAULTS: readonly RouteFault[] = [
  {
    group: "route",
    title: "Nothing is listening at the base URL",
    route: "unused port",
    says: "connection refused",
    first: fails(6, 5),
  },
  {
    group: "route",
    title: "The certificate is from an unknown authority",
    route: "unknown authority",
    says: "certificate not trusted",
    first: fails(6),
  },
  {
    group: "route",
    title: "The base URL starts with https, but the server supports only HTTP",
    route: "no TLS",
    says: "the server does not speak HTTPS on this port",
    first: fails(6),
  },
  {
    group: "route",
    title: "A working proxy is configured",
    route: "proxy",
    says: null,
    first: succeeds(),
  },
  {
    group: "route",
    title: "The proxy is not running",
    route: "no proxy",
    says: PROXY,
    first: fails(6, 5),
  },
  {
    group: "route",
    title: "The proxy requires a user name and password (407)",
    route: "proxy that requires a login",
    says: "the proxy requires a user name and password (HTTP 407)",
    first: fails(6),
  },
  {
    group: "route",
    title: "The proxy rejects the request (403)",
    route: "proxy that refuses",
    says: "the proxy rejected the request (HTTP 403)",
    first: fails(6),
  },
  {
    group: "route",
    title: "The proxy cannot reach the service (502)",
    route: "proxy that fails",
    says: "HTTP 502",
    rawChange: uncertain(false),
    first: fails(6, 5),
  },
];
