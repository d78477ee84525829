/** Faults on the route to the service: base URLs and certificates. */
import { ALL_ATTEMPTS, fails, type RouteFault } from "./fault.ts";

/** The faults, in the order of the page. */
export const ROUTE_FAULTS: readonly RouteFault[] = [
  {
    group: "route",
    title: "Nothing is listening at the base URL",
    route: "unused port",
    says: "connection refused",
    first: fails(6, ALL_ATTEMPTS),
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
];
